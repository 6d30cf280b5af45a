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
  [{ kind: 'invalid_arguments', message: 'Bad', issues: [{ path: [], message: 'Odd', code: 'odd' }] }, {},
    { id: null, error: { code: -32602, message: 'Invalid params', data: { reason: 'odd', context: { issues: [{ field: '', message: 'Odd', code: 'odd' }] } } } }],
  [{ kind: 'invalid_arguments', message: 'Bad' }, { ours: false },
    { result: { error: { code: 2001, message: 'Bad', retryable: false }, isError: true, content: [{ type: 'text', text: 'Bad. Correct the arguments, then call again.' }] } }],
  [{ kind: 'invalid_arguments', message: 'Invalid cursor', subject: { type: 'cursor', id: 'x' } }, { method: 'tools/list', ofRequest: true },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { field: 'cursor', reason: 'invalid_value' } } }],
  [{ kind: 'invalid_arguments', message: 'Bad' }, { ofRequest: true },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { field: 'params', reason: 'invalid_type' } } }],
  [{ kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['params', 'name'], message: 'Odd', code: 'odd' }] }, { ofRequest: true },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { field: 'name', reason: 'odd', context: { issues: [{ field: 'name', message: 'Odd', code: 'odd' }] } } } }],
  [{ kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['params'], message: 'Odd', code: 'odd' }] }, { ofRequest: true },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { field: 'params', reason: 'odd', context: { issues: [{ field: 'params', message: 'Odd', code: 'odd' }] } } } }],
  [{ kind: 'internal', message: 'Boom' }, { method: 'resources/read' },
    { id: null, error: { code: -32603, message: 'Internal error' } }],
  [{ kind: 'internal', message: 'Boom' }, { method: 'resources/read', ours: false },
    { id: null, error: { code: -32603, message: 'Internal error', data: { 'dev.mayday/error': { message: 'Boom' } } } }],
  [{ kind: 'forbidden', message: 'No' }, { ofRequest: true },
    { id: null, error: { code: -32600, message: 'Invalid request', data: { reason: 'forbidden' } } }],
  [{ kind: 'too_large', message: 'Big' }, { method: 'resources/read' },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { reason: 'too_large' } } }],
  [{ kind: 'unsupported', message: 'No' }, { method: 'resources/read' },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { reason: 'unsupported' } } }],
  [{ kind: 'not_found', message: 'Gone', subject: { type: 'resource' } }, { method: 'resources/read' },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { field: 'uri', reason: 'unknown_resource' } } }],
  [{ kind: 'not_found', message: 'Gone' }, { method: 'resources/read', ours: false },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { field: 'uri', reason: 'unknown_resource', 'dev.mayday/error': { message: 'Gone' } } } }],
  [{ kind: 'not_found', message: 'No shelf', subject: { type: 'shelf' } }, { method: 'resources/read', ours: false },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { reason: 'not_found', 'dev.mayday/error': { message: 'No shelf' } } } }],
  [{ kind: 'not_found', message: 'Gone', subject: { type: 'prompt', id: 'greet' } }, { method: 'prompts/get' },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { field: 'name', reason: 'unknown_prompt' } } }],
  [{ kind: 'not_found', message: 'Partial header could not be found' }, { method: 'prompts/get', foreign: 'somebody' },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { reason: 'not_found' } } }],
  [{ kind: 'not_found', message: 'Gone', subject: { type: 'prompt' } }, { method: 'prompts/get', foreign: 'somebody' },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { field: 'name', reason: 'unknown_prompt' } } }],
  [{ kind: 'not_found', message: 'Tool nope not found', subject: { type: 'tool', id: 'nope' } }, { ours: false, name: 'nope' },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { field: 'name', reason: 'unknown_tool', 'dev.mayday/error': { message: 'Tool nope not found' } } } }],
  [{ kind: 'conflict', message: 'Taken' }, { method: 'resources/read' },
    { id: null, error: { code: -32602, message: 'Invalid params', data: { reason: 'conflict' } } }],
  [{ kind: 'forbidden', message: 'No' }, { method: 'resources/read' },
    { id: null, error: { code: -32600, message: 'Invalid request', data: { reason: 'forbidden' } } }],
  [{ kind: 'unauthenticated', message: 'No key' }, { method: 'tools/list', ours: false },
    { id: null, error: { code: -32600, message: 'Invalid request', data: { reason: 'unauthenticated', 'dev.mayday/error': { message: 'No key' } } } }],
  [{ kind: 'timeout', message: 'Late' }, { method: 'resources/read' },
    { id: null, error: { code: -32603, message: 'Internal error', data: { reason: 'timeout' } } }],
  [{ kind: 'rate_limited', message: 'Slow', retry: { afterMs: 3000 } }, { method: 'prompts/get', ours: false },
    { id: null, error: { code: -32603, message: 'Internal error', data: { reason: 'rate_limited', context: { retryAfter: 3000 }, 'dev.mayday/error': { message: 'Slow' } } } }],
  [{ kind: 'rate_limited', message: 'Slow', retryable: false, retry: { afterMs: 3000 } }, { method: 'prompts/get' },
    { id: null, error: { code: -32603, message: 'Internal error', data: { reason: 'rate_limited' } } }],
  [{ kind: 'unavailable', message: 'Down' }, { ofRequest: true },
    { id: null, error: { code: -32600, message: 'Invalid request', data: { reason: 'unavailable' } } }],
  [{ kind: 'not_found', message: 'There is no tool nope', subject: { type: 'tool', id: 'nope' } }, {},
    { id: null, error: { code: -32602, message: 'Invalid params', data: { field: 'name', reason: 'unknown_tool' } } }],
  [{ kind: 'upstream_failed', message: 'Failed' }, { retryableSaid: true },
    { result: { error: { code: 4001, message: 'Failed', retryable: true, details: { reason: 'upstream_failed', originalError: 'UPSTREAM_FAILED' } }, isError: true, content: [{ type: 'text', text: 'Failed. A service behind the tool failed; back off, then try again if it is safe to repeat.' }] } }],
  [{ kind: 'upstream_failed', message: 'Failed' }, {},
    { result: { error: { code: 4001, message: 'Failed', retryable: false, details: { reason: 'upstream_failed', originalError: 'UPSTREAM_FAILED' } }, isError: true, content: [{ type: 'text', text: 'Failed. Do not retry; tell the user.' }] } }],
])('onx has %j %j', (fault, context, answer) => {
  expect(formedBy('onx', fault, context)).toEqual({ jsonrpc: '2.0', ...answer });
});

const ADVICE = 'It may have happened; look at the state before you repeat a change.';

it.each([
  ['timeout', 'TIMEOUT', {}],
  ['unavailable', 'UNAVAILABLE', { executed: 'maybe' }],
  ['disconnected', 'DISCONNECTED', {}],
  ['rate_limited', 'RATE_LIMITED', { executed: 'maybe' }],
  ['overloaded', 'OVERLOADED', { executed: 'maybe' }],
] as const)('EM-6 EM-32 a change that got no answer is 4001 and not to be repeated: %s', (kind, id, more) => {
  const subject = { type: 'tool', id: 'cancel-order' };
  const change = { ours: true, mayChange: true, foreign: 'backend' } as const;
  expect(formedBy('onx', { kind, message: 'No answer', subject, ...more }, change).result).toEqual({
    error: {
      code: 4001,
      message: 'No answer',
      retryable: false,
      details: { reason: kind, suggestion: ADVICE, context: { subject }, originalError: id },
    },
    isError: true,
    content: [{ type: 'text', text: `No answer. ${ADVICE}` }],
  });
});

// biome-ignore format: a table
it.each([
  ['only reads', { kind: 'timeout' }, {}, 3002],
  ['never began', { kind: 'unavailable', executed: 'no' }, { mayChange: true }, 4002],
  ['its author says that it is safe', { kind: 'timeout' }, { mayChange: true, retryableSaid: true }, 3002],
  ['a backend that speaks onX', { kind: 'timeout', native: { dialect: 'onx', code: 3002 } }, { mayChange: true }, 3002],
  ['a limit, of what only reads', { kind: 'rate_limited', executed: 'maybe' }, {}, 3001],
  ['a limit, before it began', { kind: 'rate_limited', executed: 'no' }, { mayChange: true }, 3001],
] as const)('EM-6 EM-32 %s: as the table has it', (_what, init, context, code) => {
  const answer = formedBy('onx', { message: 'So', ...init }, { ours: false, ...context });
  expect(answer.result?.['error']).toMatchObject({ code, retryable: true });
});

it('EM-6 EM-20 a limit that is not worth another try is none of the document’s: 4001, with the advice that it has', () => {
  const advice = 'A part of it was done. Find out which; do not repeat the call.';
  const limit = { kind: 'rate_limited', message: 'So', executed: 'maybe', retryable: false, advice } as const;
  expect(formedBy('onx', limit, { ours: false }).result?.['error']).toMatchObject({
    code: 4001,
    retryable: false,
    details: { reason: 'rate_limited', suggestion: advice },
  });
});

it('EM-6 EM-32 a limit that the author of a change tells of is 4001 too: a step before it may have been done', () => {
  const limit = {
    kind: 'rate_limited',
    message: 'Slow down',
    executed: 'maybe',
    retry: { afterMs: 7000 },
  } as const;
  const answer = formedBy('onx', limit, { ours: false, mayChange: true });
  expect(answer.result?.['error']).toEqual({
    code: 4001,
    message: 'Slow down',
    retryable: false,
    details: {
      reason: 'rate_limited',
      suggestion: ADVICE,
      context: { retryAfter: 7000 },
      originalError: 'RATE_LIMITED',
    },
  });
});

it('EM-2 whoever has no key is told so at the door too', () => {
  const nobody = { kind: 'unauthenticated', message: 'No' } as const;
  const { error } = formedBy('onx', nobody, { method: '', ours: true, ofRequest: true });
  expect(error).toEqual({ code: -32600, message: 'Invalid request', data: { reason: 'unauthenticated' } });
});
