/** How onX has failures of the protocol itself. */
import { expect, it } from 'vitest';
import { type FormedRow, formedBy } from '../../../test/helpers.ts';

// biome-ignore format: a table
it.each<FormedRow>([
  [{ kind: 'parse_error', message: 'No JSON' }, { ofRequest: true },
    { id: null, error: { code: -32700, message: 'Parse error' } }],
  [{ kind: 'invalid_request', message: 'No method' }, { ofRequest: true },
    { id: null, error: { code: -32600, message: 'Invalid request' } }],
  [{ kind: 'unsupported', message: 'No', subject: { type: 'method', id: 'x/y' } }, { method: 'x/y' },
    { id: null, error: { code: -32601, message: 'Method not found' } }],
  [{ kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['a'], message: 'Odd', code: 'odd' }] }, {},
    { id: null, error: { code: -32602, message: 'Invalid params', data: { field: 'a', reason: 'odd', context: { issues: [{ field: 'a', message: 'Odd', code: 'odd' }] } } } }],
  [{ kind: 'invalid_arguments', message: 'Bad' }, { ours: false },
    { result: { error: { code: 2001, message: 'Bad', retryable: false }, isError: true, content: [{ type: 'text', text: 'Bad. Correct the arguments, then call again.' }] } }],
  [{ kind: 'invalid_arguments', message: 'Bad' }, { ofRequest: true },
    { id: null, error: { code: -32602, message: 'Invalid params' } }],
  [{ kind: 'internal', message: 'Boom' }, { method: 'resources/read' },
    { id: null, error: { code: -32603, message: 'Internal error' } }],
  [{ kind: 'internal', message: 'Boom' }, { method: 'resources/read', ours: false },
    { id: null, error: { code: -32603, message: 'Boom' } }],
  [{ kind: 'forbidden', message: 'No' }, { ofRequest: true },
    { id: null, error: { code: -32600, message: 'Invalid request' } }],
  [{ kind: 'too_large', message: 'Big' }, { method: 'resources/read' },
    { id: null, error: { code: -32602, message: 'Invalid params' } }],
  [{ kind: 'unsupported', message: 'No' }, { method: 'resources/read' },
    { id: null, error: { code: -32602, message: 'Invalid params' } }],
  [{ kind: 'not_found', message: 'Gone', subject: { type: 'resource' } }, { method: 'resources/read' },
    { id: null, error: { code: -32602, message: 'Invalid params' } }],
  [{ kind: 'conflict', message: 'Taken' }, { method: 'resources/read' },
    { id: null, error: { code: -32602, message: 'Invalid params' } }],
  [{ kind: 'forbidden', message: 'No' }, { method: 'resources/read' },
    { id: null, error: { code: -32602, message: 'Invalid params' } }],
  [{ kind: 'timeout', message: 'Late' }, { method: 'resources/read' },
    { id: null, error: { code: -32603, message: 'Internal error' } }],
  [{ kind: 'not_found', message: 'There is no tool nope', subject: { type: 'tool', id: 'nope' } }, {},
    { id: null, error: { code: -32602, message: 'Invalid params', data: { field: 'name', reason: 'unknown_tool' } } }],
  [{ kind: 'upstream_failed', message: 'Failed' }, { retryableSaid: true },
    { result: { error: { code: 4001, message: 'Failed', retryable: true, details: { reason: 'upstream_failed', originalError: 'UPSTREAM_FAILED' } }, isError: true, content: [{ type: 'text', text: 'Failed. A service behind the tool failed; back off, then try again if it is safe to repeat.' }] } }],
  [{ kind: 'upstream_failed', message: 'Failed' }, {},
    { result: { error: { code: 4001, message: 'Failed', retryable: false, details: { reason: 'upstream_failed', originalError: 'UPSTREAM_FAILED' } }, isError: true, content: [{ type: 'text', text: 'Failed. A service behind the tool failed; back off, then try again if it is safe to repeat.' }] } }],
])('onx has %j %j', (fault, context, answer) => {
  expect(formedBy('onx', fault, context)).toEqual({ jsonrpc: '2.0', ...answer });
});
