/** What a classified tool failure looks like, to the last member. */
import { expect, it } from 'vitest';
import { type SaidRow, saidBy } from '../../../test/helpers.ts';

// biome-ignore format: a table
it.each<SaidRow>([
  [{ kind: 'conflict', message: 'Taken', correlationId: 'c-1' }, {},
    { result: { content: [{ type: 'text', text: 'Taken. Look at the current state first; do not repeat the same call.' }], isError: true, resultType: 'complete', _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'capability', code: 'conflict', correlationId: 'c-1', agentGuidance: 'Look at the current state first; do not repeat the same call.' } } } }],
  [{ kind: 'conflict', message: 'Taken' }, { correlationId: 'c-2' },
    { result: { content: [{ type: 'text', text: 'Taken. Look at the current state first; do not repeat the same call.' }], isError: true, resultType: 'complete', _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'capability', code: 'conflict', correlationId: 'c-2', agentGuidance: 'Look at the current state first; do not repeat the same call.' } } } }],
  [{ kind: 'rate_limited', message: 'Slow', correlationId: 'c-1', retry: { afterMs: 5000 } }, {},
    { result: { content: [{ type: 'text', text: 'Slow. Wait, then call again. Wait at least 5 s.' }], isError: true, resultType: 'complete', _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'reliability', code: 'rate_limited', retryable: true, retryNotBefore: 1777170901000, correlationId: 'c-1', agentGuidance: 'Wait, then call again. Wait at least 5 s.' } } } }],
  [{ kind: 'timeout', message: 'Late', correlationId: 'c-1' }, {},
    { result: { content: [{ type: 'text', text: 'Late. It may have happened; check before you repeat a change, otherwise try again.' }], isError: true, resultType: 'complete', _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'reliability', code: 'timeout', retryable: true, correlationId: 'c-1', agentGuidance: 'It may have happened; check before you repeat a change, otherwise try again.' } } } }],
  [{ kind: 'rate_limited', message: 'Slow', correlationId: 'c-1', retryable: false, retry: { afterMs: 5000 } }, {},
    { result: { content: [{ type: 'text', text: 'Slow. Do not retry; tell the user.' }], isError: true, resultType: 'complete', _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'capability', code: 'rate_limited', correlationId: 'c-1', agentGuidance: 'Do not retry; tell the user.' } } } }],
  [{ kind: 'forbidden', message: 'No', correlationId: 'c-1' }, { revision: '2025-11-25' },
    { result: { content: [{ type: 'text', text: 'No. Ask for access; do not repeat the call without it.' }], isError: true, _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'governance', code: 'permission_denied', correlationId: 'c-1', agentGuidance: 'Ask for access; do not repeat the call without it.' } } } }],
  [{ kind: 'parse_error', message: 'No JSON' }, {},
    { error: { code: -32700, message: 'No JSON' } }],
])('tool-failure says %j %j', (fault, context, answer) => {
  expect(saidBy('tool-failure', fault, context)).toEqual({ jsonrpc: '2.0', id: 1, ...answer });
});
