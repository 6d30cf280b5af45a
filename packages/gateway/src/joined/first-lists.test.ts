/** Clients that take the first list for all there is: servers that are slow to start are waited for, and others are not. */
import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, later, open, post, settingsOf } from '../../test/tools.ts';
import { type SettingsFile, startStdioGateway } from '../index.ts';

afterEach(cleanUp);

const NODE = process.execPath;
const UNAVAILABLE = 'dev.mayday/unavailable';

/** Opens so many milliseconds after its start, and takes so long for every list. */
function server({ opens = 0, lists = 0 }): { command: string; args: string[] } {
  const script = `setTimeout(() => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const results = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
      'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object' } }] },
    };
    const answer = () => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
    if (id !== undefined) setTimeout(answer, method === 'tools/list' ? ${lists} : 0);
  }), ${opens})`;
  return { command: NODE, args: ['-e', script] };
}

const HUNG = { command: NODE, args: ['-e', 'process.stdin.resume()'] };
const DEAD = { command: NODE, args: ['-e', 'process.exit(3)'] };

interface Listed {
  readonly names: readonly string[];
  readonly missing: readonly string[];
  readonly tookMs: number;
}

/** A client over HTTP: what it lists, and how long that takes. */
async function client(upstreams: object, joined: object) {
  const gateway = await open({ joined, upstreams, virtual: { desk: { tools: ['*/go'] } } } as SettingsFile);
  const url = `${gateway.url}/mcp`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  return {
    list: async (): Promise<Listed> => {
      const since = performance.now();
      const { message } = await post(url, call('tools/list'), session);
      return listed(message.result, performance.now() - since);
    },
  };
}

function listed(result: unknown, tookMs: number): Listed {
  const { tools, _meta } = result as { tools: { name: string }[]; _meta?: { [UNAVAILABLE]?: string[] } };
  return { names: tools.map(({ name }) => name), missing: _meta?.[UNAVAILABLE] ?? [], tookMs };
}

/** The same over standard input and output. */
async function stdioClient(upstreams: object, { root, ...more }: { root?: string; joined?: object } = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let said = '';
  output.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const file = { upstreams, virtual: { desk: { tools: ['*/go'], instructions: 'The desk.' } }, ...more };
  const gateway = await startStdioGateway(settingsOf(file as SettingsFile), { input, output, root });
  later(() => gateway.close(0));
  const answers = (): { id?: unknown; result?: { instructions?: string } }[] =>
    said
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const say = (message: object): void => void input.write(`${JSON.stringify(message)}\n`);
  const ask = async (message: object) => {
    const { id } = message as { id?: unknown };
    say(message);
    const own = () => answers().find((answer) => answer.id === id);
    await expect.poll(own, { timeout: 20_000 }).toBeDefined();
    return own()?.result;
  };
  return { ask, say, answers, opened: await ask(INITIALIZE) };
}

const SLOW_START = { part_timeout_ms: 300, start_timeout_ms: 20_000 };

it('waits with the first list for one that starts, and no longer than until it has come', async () => {
  const { list } = await client({ soon: server({}), late: server({ opens: 3000 }), dead: DEAD }, SLOW_START);
  const { names, missing, tookMs } = await list();
  expect(names).toEqual(['soon_go', 'late_go']);
  expect(missing).toEqual(['dead']);
  expect(tookMs).toBeLessThan(15_000);
});

it('waits for one that hangs once, as long as it may take to start, counted from the opening', async () => {
  const { list } = await client(
    { soon: server({}), hung: HUNG },
    { part_timeout_ms: 1000, start_timeout_ms: 5000 },
  );
  const first = await list();
  expect(first).toMatchObject({ names: ['soon_go'], missing: ['hung'] });
  expect(first.tookMs).toBeGreaterThan(2500);
  expect(first.tookMs).toBeLessThan(4900);
  expect((await list()).tookMs).toBeLessThan(1000);
});

it('gives one that is open and slow no more time for that, nor one that has opened meanwhile', async () => {
  const { list } = await client(
    { soon: server({}), slow: server({ lists: 60_000 }), late: server({ opens: 2500, lists: 60_000 }) },
    { part_timeout_ms: 1000, start_timeout_ms: 20_000 },
  );
  const { names, missing, tookMs } = await list();
  expect({ names, missing }).toEqual({ names: ['soon_go'], missing: ['slow', 'late'] });
  expect(tookMs).toBeLessThan(12_000);
});

it('over HTTP, waits for one that starts no longer than for others, unless told to', async () => {
  const { list } = await client(
    { soon: server({}), late: server({ opens: 60_000 }) },
    { part_timeout_ms: 300 },
  );
  const { missing, tookMs } = await list();
  expect(missing).toEqual(['late']);
  expect(tookMs).toBeLessThan(2500);
});

it('waits for one that starts less than for others where it is told to, and for one that has come as for others', async () => {
  const { ask } = await stdioClient(
    { soon: server({}), late: server({ opens: 60_000 }), slow: server({ lists: 2500 }) },
    { joined: { start_timeout_ms: 100, part_timeout_ms: 6000 } },
  );
  const since = performance.now();
  const first = listed(await ask(call('tools/list', {}, 7)), performance.now() - since);
  expect(first).toMatchObject({ names: ['soon_go', 'slow_go'], missing: ['late'] });
  expect(performance.now() - since).toBeLessThan(15_000);
});

it('does not answer a list that its client has cancelled, and holds that against nobody', async () => {
  const { ask, say, answers } = await stdioClient({ soon: server({}), late: server({ opens: 4500 }) });
  say(call('tools/list', {}, 'unwanted'));
  await new Promise((resolve) => setTimeout(resolve, 300));
  say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'unwanted' } });
  const next = listed(await ask(call('tools/list', {}, 7)), 0);
  expect(next).toMatchObject({ names: ['soon_go', 'late_go'], missing: [] });
  expect(answers().filter(({ id }) => id === 'unwanted')).toEqual([]);
});

it.each([undefined, 'desk'])('over standard input and output, waits for 8 s by itself (%s)', async (root) => {
  const { ask } = await stdioClient(
    { soon: server({}), late: server({ opens: 5500 }) },
    { ...(root === undefined ? {} : { root }) },
  );
  expect(listed(await ask(call('tools/list', {}, 7)), 0)).toMatchObject({
    names: ['soon_go', 'late_go'],
    missing: [],
  });
});

const KEY = 'k9Tq7Lw2Zx4Vb8Nm';
const WITHOUT_KEY = {
  command: NODE,
  args: ['-e', `console.error('ACME_API_KEY ${KEY} is not valid at ${'x'.repeat(2000)}'); process.exit(1)`],
  env: { ACME_API_KEY: KEY },
};
const GONE = { command: 'no-such-command-of-ours' };

it.each([
  [undefined, ''],
  ['desk', 'The desk.\n\n'],
])(
  'over standard input and output, says with initialize which servers are dead, and why, in short (%s)',
  async (root, before) => {
    const { opened } = await stdioClient(
      { well: server({}), acme: WITHOUT_KEY, gone: GONE },
      { ...(root === undefined ? {} : { root }), joined: { part_timeout_ms: 10_000 } },
    );
    const { instructions = '' } = opened ?? {};
    expect(instructions).toContain(`${before}Missing here; tell the user when they are needed: acme (`);
    expect(instructions).toContain('ACME_API_KEY');
    expect(instructions).toContain('gone (');
    expect(instructions).toContain('the command was not found');
    expect(instructions).not.toContain(KEY);
    expect(instructions).not.toContain('well');
    expect(instructions.length).toBeLessThan(1000);
  },
);

const STATELESS = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const found = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
  const said = method === 'server/discover' ? { result: found } : { error: { code: -32601, message: 'Method not found' } };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
})`;

it('says the same with server/discover', async () => {
  const { ask } = await stdioClient(
    { well: { command: NODE, args: ['-e', STATELESS] }, gone: GONE },
    { joined: { part_timeout_ms: 10_000 } },
  );
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const found = await ask(call('server/discover', { _meta: meta }, 9));
  expect(found).toMatchObject({
    supportedVersions: ['2026-07-28'],
    instructions: expect.stringMatching(/^Missing here; .*: gone \(.*the command was not found.*\)\.$/),
  });
});

it('says nothing of the kind where all are well, or are still starting', async () => {
  const { opened } = await stdioClient(
    { well: server({}), hung: HUNG },
    { joined: { part_timeout_ms: 1000 } },
  );
  expect(opened).not.toHaveProperty('instructions');
});
