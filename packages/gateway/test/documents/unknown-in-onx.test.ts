/** onX says that a tool is unknown in a form of its own; every other document has one for it too. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const UNKNOWN = {
  code: -32602,
  message: 'Invalid params',
  data: { field: 'name', reason: 'unknown_tool' },
};

// biome-ignore format: a table
it.each([
  ['closient', { result: { isError: true, error: { code: -32200, message: 'Not Found' } } }],
  ['erlmcp', { error: { code: -32002, message: 'Tool not found', data: { tool: 'nope' } } }],
  ['platica', { error: { code: -32602 } }],
  ['qaqnuz', { result: { isError: true, content: [{ type: 'text', text: 'This tool is not available for your key.' }] } }],
  ['mayday', { error: { code: -32602 } }],
  ['onx', { error: UNKNOWN }],

])('QA-15 PL-15 an unknown tool of onX, in %s', async (dialect, answer) => {
  const server = await upstream((body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, error: UNKNOWN }),
  );
  const gateway = await open({ upstreams: { a: { url: server.url } } });
  const headers = { 'mayday-dialect': dialect };
  const { message } = await post(`${gateway.url}/a/mcp`, callTool('nope'), headers);
  expect(message).toMatchObject(answer);
});
