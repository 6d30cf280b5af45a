/** What is heard in a classified tool failure, to the last member. */
import { expect, it } from 'vitest';
import { type HeardRow, heardBy, NOW, toolError, wholeHeard } from '../../../test/helpers.ts';

// biome-ignore format: a table
it.each<HeardRow>([
  [toolError('hm'),
    { kind: 'unknown', message: 'hm' }, 0, [{ by: 'none', says: 'a tool error whose text nothing recognises' }]],
  [toolError('Busy', { _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'reliability', code: 'overloaded', retryable: true, retryNotBefore: NOW + 4000, correlationId: 'c-1', agentGuidance: 'Wait.' } } }),
    { kind: 'overloaded', message: 'Busy', retryable: true, refusal: false, retry: { afterMs: 4000 }, correlationId: 'c-1', advice: 'Wait.' }, 0.98, 'meta: reliability overloaded'],
  [toolError('Busy', { _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'reliability', code: 'acme_busy' } } }),
    { kind: 'not_ready', message: 'Busy', retryable: false, refusal: false }, 0.8, 'meta: reliability acme_busy'],
  [toolError('No', { _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'governance', code: 'policy_blocked' } } }),
    { kind: 'forbidden', message: 'No', retryable: false, refusal: true }, 0.98, 'meta: governance policy_blocked'],
  [toolError('No', { _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'capability', code: 'policy_blocked', retryable: true } } }),
    { kind: 'forbidden', message: 'No', retryable: false, refusal: false }, 0.98, 'meta: capability policy_blocked'],
  [toolError('No', { _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'capability', code: 'acme_no' } } }),
    { kind: 'unsupported', message: 'No', retryable: false, refusal: false }, 0.8, 'meta: capability acme_no'],
  [toolError('No', { _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'governance', code: 'acme_no' } } }),
    { kind: 'forbidden', message: 'No', retryable: false, refusal: false }, 0.8, 'meta: governance acme_no'],
  [toolError('No', { _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'toString', code: 'acme_no' } } }),
    { kind: 'unknown', message: 'No', retryable: false, refusal: false }, 0.8, 'meta: toString acme_no'],
  [toolError('No', { _meta: { 'io.modelcontextprotocol/toolFailure': {} } }),
    { kind: 'unknown', message: 'No', retryable: false, refusal: false }, 0.8, 'meta:  '],
  [toolError('Already shipped. Look at the current state first; do not repeat the same call.', { _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'capability', code: 'conflict', agentGuidance: 'Look at the current state first; do not repeat the same call.' } } }),
    { kind: 'conflict', message: 'Already shipped', retryable: false, refusal: false }, 0.98, 'meta: capability conflict'],
  [toolError('Already shipped. Look at the current state first; do not repeat the same call.', { _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'capability', code: 'conflict', agentGuidance: 'Call the warehouse.' } } }),
    { kind: 'conflict', message: 'Already shipped', retryable: false, refusal: false, advice: 'Call the warehouse.' }, 0.98, 'meta: capability conflict'],
  [toolError('Call the warehouse.', { _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'capability', code: 'conflict', agentGuidance: 'Call the warehouse.' } } }),
    { kind: 'conflict', message: 'Call the warehouse.', retryable: false, refusal: false, advice: 'Call the warehouse.' }, 0.98, 'meta: capability conflict'],
  [toolError('Already shipped. Look at the current state first; do not repeat the same call.', { _meta: { 'io.modelcontextprotocol/toolFailure': { class: 'capability', code: 'conflict' } } }),
    { kind: 'conflict', message: 'Already shipped', retryable: false, refusal: false }, 0.98, 'meta: capability conflict'],
])('tool-failure hears %j', (wire, said, certainty, proof) => {
  expect(heardBy('tool-failure', wire)).toEqual(wholeHeard('tool-failure', said, certainty, proof));
});
