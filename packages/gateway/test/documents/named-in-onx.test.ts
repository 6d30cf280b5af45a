/** onX has five errors of the protocol, and their names are their messages; what a tool fails with is in its result. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

async function told(error: object, message: object) {
  const server = await upstream((body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, error }),
  );
  const gateway = await open({ upstreams: { a: { url: server.url } } });
  return (await post(`${gateway.url}/a/mcp`, message, { 'mayday-dialect': 'onx' })).message;
}

it.each([
  { code: -32603, message: 'The ledger is on fire' },
  { code: -32031, message: 'Tool execution failed', data: { tool: 'pay', reason: 'division_by_zero' } },
])('EM-3 EM-25 what happens during execution is 4001 in the result: %j', async (error) => {
  const message = await told(error, callTool('pay'));
  expect(message.error).toBeUndefined();
  expect(message.result).toMatchObject({ isError: true, error: { code: 4001, retryable: false } });
});

it('EM-25 also where the words tell of the arguments', async () => {
  const message = await told({ code: -32603, message: 'division by zero' }, callTool('pay'));
  expect(message.result).toMatchObject({ isError: true, error: { code: 2001, retryable: false } });
});

// biome-ignore format: a table
it.each([
  ['prompts/get', { code: -32603, message: 'template broke at /srv/t.hbs' }, { code: -32603, message: 'Internal error' }],
  ['prompts/get', { code: -32602, message: 'Invalid arguments for prompt p: topic: Invalid input: expected string, received undefined' }, { code: -32602, message: 'Invalid params', data: { field: 'topic', reason: 'required' } }],
  ['tools/call', { code: -32034, message: 'Invalid tool arguments', data: { tool: 'p', details: 'Missing required parameter: b' } }, { code: -32602, message: 'Invalid params', data: { field: 'b', reason: 'required' } }],
  ['prompts/get', { code: -32043, message: 'Prompt argument missing', data: { prompt: 'p', argument: 'topic' } }, { code: -32602, message: 'Invalid params', data: { field: 'topic', reason: 'required' } }],
  ['tools/list', { code: -32071, message: 'Invalid cursor', data: { cursor: 'bad' } }, { code: -32602, message: 'Invalid params' }],
])('EM-2 EM-24 %s: %j', async (method, error, expected) => {
  expect((await told(error, call(method, { name: 'p' }))).error).toMatchObject(expected);
});

it('what onX itself has said stays as it is', async () => {
  const error = { code: -32602, message: 'Invalid params', data: { field: 'a.b', reason: 'odd' } };
  expect((await told(error, callTool('pay'))).error).toEqual(error);
});
