/** How Platica has failures of the protocol itself. */
import { expect, it } from 'vitest';
import { type FormedRow, formedBy } from '../../../test/helpers.ts';

// biome-ignore format: a table
it.each<FormedRow>([
  [{ kind: 'unauthenticated', message: 'Who are you?' }, { ofRequest: true },
    { id: null, error: { code: -32001, message: 'Who are you?' } }],
  [{ kind: 'unsupported', message: 'GET is not served' }, { ofRequest: true },
    { id: null, error: { code: -32000, message: 'GET is not served' } }],
  [{ kind: 'invalid_arguments', message: 'Bad params' }, { method: 'resources/read' },
    { id: null, error: { code: -32602, message: 'Bad params' } }],
  [{ kind: 'not_found', message: 'No such resource', subject: { type: 'resource' } }, { method: 'resources/read' },
    { id: null, error: { code: -32602, message: 'No such resource' } }],
  [{ kind: 'rate_limited', message: 'Slow down' }, { method: 'ping' },
    { id: null, error: { code: -32603, message: 'Slow down' } }],
  [{ kind: 'internal', message: 'Unexpected' }, { masked: true },
    { id: null, error: { code: -32603, message: 'Unexpected' } }],
  [{ kind: 'internal', message: 'Said by the author' }, {},
    { result: { isError: true, content: [{ type: 'text', text: '{"code":500,"error":"Said by the author","details":"Unexpected failure in the server; do not retry, tell the user."}' }], structuredContent: { code: 500, error: 'Said by the author', details: 'Unexpected failure in the server; do not retry, tell the user.' } } }],
  [{ kind: 'not_found', message: 'There is no tool nope', subject: { type: 'tool', id: 'nope' } }, {},
    { id: null, error: { code: -32602, message: 'There is no tool nope' } }],
  [{ kind: 'not_found', message: 'There is no client', subject: { type: 'client' } }, {},
    { result: { isError: true, content: [{ type: 'text', text: '{"code":404,"error":"There is no client","details":"Check the identifier; do not repeat the same call."}' }], structuredContent: { code: 404, error: 'There is no client', details: 'Check the identifier; do not repeat the same call.' } } }],
  [{ kind: 'conflict', message: 'Not this tool', subject: { type: 'tool', id: 'nope' } }, {},
    { result: { isError: true, content: [{ type: 'text', text: '{"code":422,"error":"Not this tool","details":"Look at the current state first; do not repeat the same call."}' }], structuredContent: { code: 422, error: 'Not this tool', details: 'Look at the current state first; do not repeat the same call.' } } }],
])('platica has %j %j', (fault, context, answer) => {
  expect(formedBy('platica', fault, context)).toEqual({ jsonrpc: '2.0', ...answer });
});
