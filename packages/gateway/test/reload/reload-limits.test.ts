import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, open, post, STDIO_SERVER, settingsOf } from '../tools.ts';

afterEach(cleanUp);

/** The server tells of each process that begins. */
const SHOP = {
  command: STDIO_SERVER.command,
  args: ['--import', 'data:text/javascript,console.error("a process begins")', ...STDIO_SERVER.args],
};
const FILE = { upstreams: { shop: SHOP }, joined: { part_timeout_ms: 20_000 } };
const NARROW = { ...FILE, limits: { message_bytes: 10_000 } };

async function house(path: string) {
  const gateway = await open(FILE);
  const opened = await post(`${gateway.url}${path}`, INITIALIZE);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const begun = (): number => gateway.logs.filter((line) => line.includes('a process begins')).length;
  const ask = (message: object) => post(`${gateway.url}${path}`, message, session);
  return { gateway, ask, begun };
}

it('a reload bounds the answers of a session that is open, with the process it has', async () => {
  const { gateway, ask, begun } = await house('/shop/mcp');
  expect((await ask(call('big', { bytes: 50_000 }))).text).toContain('xxxx');
  gateway.reload(settingsOf(NARROW));
  expect((await ask(call('big', { bytes: 50_000 }))).text).toContain('10000 bytes');
  await expect.poll(begun).toBe(1);
});

it('a reload of a limit replaces no process at /mcp', async () => {
  const { gateway, ask, begun } = await house('/mcp');
  await ask(call('tools/list'));
  await expect.poll(begun).toBe(1);
  gateway.reload(settingsOf(NARROW));
  await ask(call('tools/list'));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(begun()).toBe(1);
});
