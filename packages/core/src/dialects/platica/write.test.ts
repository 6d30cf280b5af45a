/** What Platica puts on the wire for every fault that it treats differently, to the last member. */
import { expect, it } from 'vitest';
import { type SaidRow, saidBy } from '../../../test/helpers.ts';

// biome-ignore format: a table
it.each<SaidRow>([
  [{ kind: 'not_found', message: 'Client not found' }, {},
    { result: { isError: true, content: [{ type: 'text', text: '{"code":404,"error":"Client not found","details":"Check the identifier; do not repeat the same call."}' }], structuredContent: { code: 404, error: 'Client not found', details: 'Check the identifier; do not repeat the same call.' } } }],
  [{ kind: 'not_found', message: 'Client not found' }, { structuredContent: false },
    { result: { isError: true, content: [{ type: 'text', text: '{"code":404,"error":"Client not found","details":"Check the identifier; do not repeat the same call."}' }] } }],
  [{ kind: 'invalid_arguments', message: 'Bad', issues: [{ path: ['a', 0], message: 'Required', code: 'invalid_type' }, { path: [], message: 'Unknown key' }] }, {},
    { result: { isError: true, content: [{ type: 'text', text: 'a.0: Required\nUnknown key' }], structuredContent: { issues: [{ path: ['a', 0], message: 'Required', code: 'invalid_type' }, { path: [], message: 'Unknown key', code: 'custom' }] } } }],
  [{ kind: 'invalid_arguments', message: 'Bad' }, {},
    { result: { isError: true, content: [{ type: 'text', text: '{"code":400,"error":"Bad","details":"Correct the arguments, then call again."}' }], structuredContent: { code: 400, error: 'Bad', details: 'Correct the arguments, then call again.' } } }],
  [{ kind: 'conflict', message: 'Already', issues: [{ path: ['a'], message: 'Taken' }] }, {},
    { result: { isError: true, content: [{ type: 'text', text: '{"code":422,"error":"Already","details":"Look at the current state first; do not repeat the same call."}' }], structuredContent: { code: 422, error: 'Already', details: 'Look at the current state first; do not repeat the same call.' } } }],
  [{ kind: 'parse_error', message: 'No JSON' }, {},
    { error: { code: -32602, message: 'No JSON' } }],
  [{ kind: 'invalid_request', message: 'No method' }, {},
    { error: { code: -32602, message: 'No method' } }],
  [{ kind: 'unsupported', message: 'GET is not served', subject: { type: 'method' } }, {},
    { error: { code: -32000, message: 'GET is not served' } }],
  [{ kind: 'unsupported', message: 'No tasks', subject: { type: 'capability' } }, {},
    { result: { isError: true, content: [{ type: 'text', text: '{"code":501,"error":"No tasks","details":"This is not supported here; use something else."}' }], structuredContent: { code: 501, error: 'No tasks', details: 'This is not supported here; use something else.' } } }],
  [{ kind: 'forbidden', message: 'No', subject: { type: 'method' } }, {},
    { result: { isError: true, content: [{ type: 'text', text: '{"code":403,"error":"No","details":"Ask for access; do not repeat the call without it."}' }], structuredContent: { code: 403, error: 'No', details: 'Ask for access; do not repeat the call without it.' } } }],
  [{ kind: 'unauthenticated', message: 'Who are you?' }, {},
    { result: { isError: true, content: [{ type: 'text', text: '{"code":401,"error":"Who are you?","details":"Sign in or renew the credentials, then call again."}' }], structuredContent: { code: 401, error: 'Who are you?', details: 'Sign in or renew the credentials, then call again.' } } }],
  [{ kind: 'unauthenticated', message: 'Who are you?' }, { placement: 'protocol' },
    { error: { code: -32001, message: 'Unauthorized: missing or invalid Authorization header' } }],
  [{ kind: 'internal', message: 'Boom' }, { placement: 'protocol' },
    { error: { code: -32603, message: 'Boom' } }],
  [{ kind: 'timeout', message: 'Late' }, { placement: 'protocol' },
    { result: { isError: true, content: [{ type: 'text', text: '{"code":504,"error":"Late","details":"It may have happened; check before you repeat a change, otherwise try again."}' }], structuredContent: { code: 504, error: 'Late', details: 'It may have happened; check before you repeat a change, otherwise try again.' } } }],
  [{ kind: 'unauthenticated', message: 'As it came', native: { dialect: 'platica', code: -32001 } }, {},
    { error: { code: -32001, message: 'As it came' } }],
  [{ kind: 'internal', message: 'As it came', native: { dialect: 'platica', code: 500 } }, {},
    { result: { isError: true, content: [{ type: 'text', text: '{"code":500,"error":"As it came","details":"Unexpected failure in the server; do not retry, tell the user."}' }], structuredContent: { code: 500, error: 'As it came', details: 'Unexpected failure in the server; do not retry, tell the user.' } } }],
  [{ kind: 'internal', message: 'Of another', native: { dialect: 'erlmcp', code: -32603 } }, {},
    { result: { isError: true, content: [{ type: 'text', text: '{"code":500,"error":"Of another","details":"Unexpected failure in the server; do not retry, tell the user."}' }], structuredContent: { code: 500, error: 'Of another', details: 'Unexpected failure in the server; do not retry, tell the user.' } } }],
  [{ kind: 'internal', message: 'x', native: { dialect: 'platica', raw: '{"a":1}' } }, {},
    { result: { isError: true, content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } } }],
  [{ kind: 'internal', message: 'x', native: { dialect: 'platica', raw: '[1]' } }, {},
    { result: { isError: true, content: [{ type: 'text', text: '[1]' }] } }],
  [{ kind: 'internal', message: 'x', native: { dialect: 'platica', raw: 'text', extra: { structuredContent: { b: 2 } } } }, {},
    { result: { isError: true, content: [{ type: 'text', text: 'text' }], structuredContent: { b: 2 } } }],
])('platica says %j %j', (fault, context, answer) => {
  expect(saidBy('platica', fault, context)).toEqual({ jsonrpc: '2.0', id: 1, ...answer });
});
