/** A server that has to start first has `open_timeout_ms` for that, however little time its calls have. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, INITIALIZE, open, post } from '../tools.ts';

afterEach(cleanUp);

const START_MS = 1500;

/** Answers everything, a while after it was started. */
const SLOW = `
const told = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
const results = { initialize: told, 'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object' } }] } };
const answer = ({ id, method, params }) => id === undefined || params?.name === 'hang'
  || (params?.name === 'die' && process.exit(1))
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

const A = { command: process.execPath, args: ['-e', SLOW], timeout_ms: 500 };

it.each([
  ['/a/mcp', 'go'],
  ['/mcp', 'a_go'],
])('for the call that starts it, at %s without a session', { timeout: 30_000 }, async (path, tool) => {
  const gateway = await open({ upstreams: { a: A } });
  expect((await post(`${gateway.url}${path}`, callTool(tool))).message).toMatchObject({
    result: { content: [] },
  });
});

it('for the first call of a session at /mcp', { timeout: 30_000 }, async () => {
  const gateway = await open({ joined: { part_timeout_ms: 100 }, upstreams: { a: A } });
  const opened = await post(`${gateway.url}/mcp`, INITIALIZE);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const { message } = await post(`${gateway.url}/mcp`, callTool('a_go'), session);
  expect(message).toMatchObject({ result: { content: [] } });
});

it.each([
  ['/a/mcp', ''],
  ['/mcp', 'a_'],
])(
  'for a call in a session whose process is started anew, at %s',
  { timeout: 30_000 },
  async (path, prefix) => {
    const gateway = await open({ upstreams: { a: { ...A, retry: { attempts: 1 } } } });
    const opened = await post(`${gateway.url}${path}`, INITIALIZE);
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const ask = (tool: string) => post(`${gateway.url}${path}`, callTool(prefix + tool), session);
    expect((await ask('go')).message).toMatchObject({ result: { content: [] } });
    expect(faultIn(await ask('die'))).toMatchObject({ kind: 'disconnected' });
    expect((await ask('go')).message).toMatchObject({ result: { content: [] } });
  },
);

it.each(['/a/mcp', '/mcp'])(
  'and its calls have their own time once it runs, at %s',
  { timeout: 30_000 },
  async (path) => {
    const gateway = await open({ upstreams: { a: A } });
    const tool = path === '/mcp' ? 'a_hang' : 'hang';
    const since = performance.now();
    const fault = faultIn(await post(`${gateway.url}${path}`, callTool(tool)));
    expect(fault).toMatchObject({
      kind: 'timeout',
      message: 'The server did not answer within 500 ms (`timeout_ms`)',
    });
    expect(performance.now() - since).toBeGreaterThan(START_MS);
    expect(JSON.stringify(fault)).not.toContain('open_timeout_ms');
  },
);

it('and is given up when that is over, with advice that helps', { timeout: 30_000 }, async () => {
  const a = { command: process.execPath, args: ['-e', SLOW], timeout_ms: 300_000, open_timeout_ms: 500 };
  const gateway = await open({ upstreams: { a } });
  const { message } = await post(`${gateway.url}/a/mcp`, INITIALIZE);
  expect(message.error?.message).toMatch(
    /within 500 ms \(`open_timeout_ms`\).*more time with `open_timeout_ms`/,
  );
});
