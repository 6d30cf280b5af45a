/** A server that leaves calls unanswered keeps nobody waiting who asks another one. */
import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, json, later, settingsOf, upstream } from '../../test/tools.ts';
import { type SettingsFile, startStdioGateway } from '../index.ts';

afterEach(cleanUp);

/** Counts calls; leaves those of `hang` unanswered. */
async function server() {
  const held: (() => void)[] = [];
  const { url } = await upstream((asked, response) => {
    const { id, method, params } = JSON.parse(asked === '' ? '{}' : asked);
    if (id === undefined) return response.writeHead(asked === '' ? 405 : 202).end();
    const say = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
    const serverInfo = { name: 's', version: '1' };
    if (method === 'initialize')
      return say({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
    if (method === 'tools/list')
      return say({ tools: ['hang', 'go'].map((name) => ({ name, inputSchema: { type: 'object' } })) });
    if (params?.name !== 'hang') return say({ content: [] });
    held.push(() => say({ content: [] }));
  });
  return { url, held };
}

async function spokenTo(file: SettingsFile, root?: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let said = '';
  output.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const gateway = await startStdioGateway(settingsOf(file), { input, output, root });
  later(() => gateway.close(0));
  const say = (message: object): void => void input.write(`${JSON.stringify(message)}\n`);
  const answered = (): readonly unknown[] =>
    said
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).id);
  const heard = (id: unknown): Promise<void> =>
    expect.poll(() => answered().includes(id), { timeout: 10_000 }).toBe(true);
  say(INITIALIZE);
  await heard((INITIALIZE as { readonly id?: unknown }).id);
  say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { say, heard, answered };
}

const tool = (name: string, id: number): object => call('tools/call', { name, arguments: {} }, id);

it.each([
  ['all servers', 'a_hang', 'b_go', undefined, {}],
  ['a virtual server', 'a_hang', 'b_go', 'desk', {}],
  ['renamed tools', 'stay', 'leave', 'desk', { rename: { 'a/hang': 'stay', 'b/go': 'leave' } }],
  ['names without a prefix', 'hang', 'go', 'desk', { tools: ['a/hang', 'b/go'], separator: '' }],
] as const)(
  'with 260 calls unanswered by one of %s, the others are asked',
  async (_, hang, go, root, more) => {
    const [a, b] = [await server(), await server()];
    const { say, heard } = await spokenTo(
      {
        upstreams: { a: { url: a.url }, b: { url: b.url } },
        virtual: { desk: { tools: ['a/*', 'b/*'], ...more } },
      } as SettingsFile,
      root,
    );
    say(call('tools/list', {}, 10));
    await heard(10);
    for (let n = 0; n < 260; n++) say(tool(hang, 1000 + n));
    await expect.poll(() => a.held.length, { timeout: 20_000 }).toBe(200);
    say(call('ping', {}, 11));
    say(tool(go, 12));
    say(call('tools/list', {}, 13));
    for (const id of [11, 12, 13]) await heard(id);
    expect(a.held.length).toBe(200);
    for (const answer of a.held.splice(0)) answer();
    await expect.poll(() => a.held.length, { timeout: 20_000 }).toBe(60);
    expect(b.held).toEqual([]);
  },
);

it('before one server, ping does not wait, and the rest does until one is answered or cancelled', async () => {
  const a = await server();
  const { say, heard, answered } = await spokenTo({ upstreams: { a: { url: a.url } } } as SettingsFile, 'a');
  for (let n = 0; n < 201; n++) say(tool('hang', 1000 + n));
  await expect.poll(() => a.held.length, { timeout: 20_000 }).toBe(200);
  say(tool('go', 11));
  say(call('ping', {}, 12));
  await heard(12);
  expect(answered()).not.toContain(11);
  say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1200 } });
  a.held.shift()?.();
  await heard(11);
  expect(a.held.length).toBe(199);
});
