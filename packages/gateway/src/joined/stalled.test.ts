/** A house in which one server hangs, one is slow and one is dead: the others do not notice. */
import { afterEach, expect, it } from 'vitest';
import { namesIn, toolServer, toolsNamed } from '../../test/tool-server.ts';
import { call, callTool, cleanUp, INITIALIZE, open, post, until, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const WAIT_MS = 4000;
const NODE = process.execPath;
/** Reads everything and says nothing. */
const HUNG = { command: NODE, args: ['-e', 'process.stdin.resume()'] };
const DEAD = { command: NODE, args: ['-e', 'process.exit(3)'] };
/** Has one tool, a while after the time that others have for it. */
const SLOW = {
  command: NODE,
  args: [
    '-e',
    `setTimeout(() => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const opened = { protocolVersion: '2025-11-25', capabilities: { logging: {} }, serverInfo: { name: 's', version: '1' } };
      const tools = [{ name: 'late', inputSchema: { type: 'object' } }];
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? opened : { tools } }));
    }), ${2 * WAIT_MS + 4000})`,
  ],
};

async function house() {
  const well = await toolServer(() => toolsNamed('go'));
  const gateway = await open({
    joined: { part_timeout_ms: WAIT_MS },
    upstreams: { hung: HUNG, slow: SLOW, well: { url: well.url }, dead: DEAD },
    virtual: { desk: { tools: ['*/go', '*/late'] } },
  });
  return { gateway };
}

async function client(url: string) {
  const since = performance.now();
  const { headers, message } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const timed = async (asked: object) => {
    const began = performance.now();
    const posted = await post(url, asked, session);
    return { ...posted, ms: performance.now() - began };
  };
  return { opened: message.result, ms: performance.now() - since, timed };
}

it.each(['/mcp', '/desk/mcp'])('answers at %s with what there is, and names the missing', async (path) => {
  const { gateway } = await house();
  const first = await client(`${gateway.url}${path}`);
  expect(first.opened).toMatchObject({
    capabilities: { tools: { listChanged: true } },
    _meta: { 'dev.mayday/unavailable': ['hung', 'slow', 'dead'] },
  });
  const listed = await first.timed(call('tools/list'));
  expect(namesIn(listed.message.result)).toEqual(['well_go']);
  expect(listed.message.result?._meta).toEqual({ 'dev.mayday/unavailable': ['hung', 'slow', 'dead'] });
  const again = await first.timed(call('tools/list'));
  expect(again.message.result?._meta).toEqual({ 'dev.mayday/unavailable': ['hung', 'slow', 'dead'] });
  const called = await first.timed(callTool('well_go'));
  expect(called.text).toContain('[\\"go\\",{}]');
  const second = await client(`${gateway.url}${path}`);
  expect(namesIn((await second.timed(call('tools/list'))).message.result)).toContain('well_go');
  for (const { ms } of [again, called, second]) expect(ms).toBeLessThan(WAIT_MS);
  await until(async () =>
    namesIn((await first.timed(call('tools/list'))).message.result).includes('slow_late'),
  );
  const log = gateway.logs.join('\n');
  for (const name of ['hung', 'slow', 'dead'])
    expect(log).toMatch(new RegExp(`fault upstream=${name} method=tools/list`));
});

it('does not wait for one that hangs over HTTP either, whatever is asked', async () => {
  const well = await toolServer(() => toolsNamed('go'));
  const hung = await upstream(() => {});
  const gateway = await open({
    joined: { part_timeout_ms: WAIT_MS },
    upstreams: { hung: { url: hung.url }, well: { url: well.url } },
  });
  const { timed } = await client(`${gateway.url}/mcp`);
  await timed(call('tools/list'));
  for (const asked of [
    call('tools/list'),
    call('prompts/list'),
    call('logging/setLevel', { level: 'info' }),
    call('resources/read', { uri: 'x://y' }),
    callTool('nowhere'),
  ])
    expect((await timed(asked)).ms).toBeLessThan(WAIT_MS);
});
