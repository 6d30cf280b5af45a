/** A server that has to start first has `open_timeout_ms` for that, however little time its calls have. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, INITIALIZE, open, post } from '../tools.ts';

afterEach(cleanUp);

const START_MS = 1500;

/** Answers everything, a while after it was started. */
const SLOW = `
const told = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
const results = { initialize: told, 'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object' } }] } };
const answer = ({ id, method }) => id === undefined
  || console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? { content: [] } }));
setTimeout(() => require('node:readline').createInterface({ input: process.stdin })
  .on('line', (line) => answer(JSON.parse(line))), ${START_MS});
`;

it.each([
  ['/a/mcp', 'go'],
  ['/mcp', 'a_go'],
])('at %s', { timeout: 30_000 }, async (path, tool) => {
  const a = { command: process.execPath, args: ['-e', SLOW], timeout_ms: 500 };
  const gateway = await open({ upstreams: { a } });
  const opened = await post(`${gateway.url}${path}`, INITIALIZE);
  expect(opened.message).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await expect
    .poll(async () => (await post(`${gateway.url}${path}`, callTool(tool), session)).message, {
      timeout: 10_000,
    })
    .toMatchObject({ result: { content: [] } });
});

it('and is given up when that is over, with advice that helps', { timeout: 30_000 }, async () => {
  const a = { command: process.execPath, args: ['-e', SLOW], timeout_ms: 300_000, open_timeout_ms: 500 };
  const gateway = await open({ upstreams: { a } });
  const { message } = await post(`${gateway.url}/a/mcp`, INITIALIZE);
  expect(message.error?.message).toMatch(/within 500 ms.*`open_timeout_ms`/);
});
