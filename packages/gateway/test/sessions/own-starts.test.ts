/** What a caller says to a process that was started for it alone takes no process from anybody else. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, later, open, type Posted, post, until } from '../tools.ts';

afterEach(cleanUp);

/** Notes every start; ends at once while there is a file `dead`, with the words in it; ends when it is opened by ann. */
const PROGRAM = `
  const { appendFileSync, existsSync, readFileSync } = require('node:fs');
  appendFileSync(process.env.FOLDER + '/starts', '.');
  const dead = process.env.FOLDER + '/dead';
  const end = (words) => { console.error(words); process.exit(3); };
  if (existsSync(dead)) end(readFileSync(dead, 'utf8'));
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const say = (more) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...more }) + '\\n');
    if (id === undefined) return;
    if (method === 'initialize' && params.clientInfo.name === 'ann') end('who is the ann of 555-SECRET?');
    else if (method === 'initialize') say({ result: { protocolVersion: params.protocolVersion,
      capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
    else if (method === 'tools/list') say({ result: { tools: [{ name: 'do', inputSchema: { type: 'object' } }] } });
    else if (method === 'tools/call') say({ result: { content: [{ type: 'text', text: 'fine' }] } });
    else say({ error: { code: -32601, message: 'Method not found' } });
  });`;

const KEYS = ['ann', 'bob', 'eve'].map((name) => ({ name, key: `${name}-key-12345678` }));
const WORLDS = [
  ['with keys', true],
  ['without keys', false],
] as const;

/** How a server says why; who calls makes no difference to that. */
const ENDS = [
  ['with a complaint', 'FATAL: no database'],
  ['without a word', ''],
  ['because a module is missing', "Error: Cannot find module './tools.js'"],
] as const;

type Headers = { readonly [name: string]: string };

async function house(isKeyed: boolean, more: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'starts-'));
  later(() => rmSync(folder, { recursive: true, force: true }));
  const shop = {
    command: process.execPath,
    args: ['-e', PROGRAM],
    env: { FOLDER: folder },
    breaker: { failures: 3, open_ms: 300 },
    retry: { attempts: 1 },
    ...more,
  };
  const gateway = await open({ ...(isKeyed ? { keys: KEYS } : {}), upstreams: { shop } });
  const by = (name: string): Headers =>
    isKeyed ? { authorization: `Bearer ${name}-key-12345678` } : ({} as Headers);
  const starts = (): number => {
    const file = join(folder, 'starts');
    return existsSync(file) ? readFileSync(file, 'utf8').length : 0;
  };
  return {
    gateway,
    by,
    starts,
    url: `${gateway.url}/shop/mcp`,
    joined: `${gateway.url}/mcp`,
    die: (words: string): void => writeFileSync(join(folder, 'dead'), words),
    revive: (): void => rmSync(join(folder, 'dead')),
  };
}

const opening = (clientName: string): object =>
  call('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: clientName, version: '1' },
  });

const enter = (url: string, by: Headers, clientName = 'x'): Promise<Posted> =>
  post(url, opening(clientName), by);

const inSession = (by: Headers, opened: Posted): Headers => ({
  ...by,
  'mcp-session-id': opened.headers.get('mcp-session-id') ?? 'none',
});

let ids = 1;
const use = (url: string, within: Headers, tool: string): Promise<Posted> =>
  post(url, callTool(tool, {}, ++ids), within);

const FINE = { content: [{ type: 'text', text: 'fine' }] };

describe.each(WORLDS)('who ends a process by its own opening, %s', (_world, isKeyed) => {
  it('takes no session that runs, and keeps nobody from opening one', async () => {
    const { url, by } = await house(isKeyed);
    const bob = inSession(by('bob'), await enter(url, by('bob')));
    for (let round = 0; round < 2; round += 1) {
      const anns = await Promise.all([1, 2, 3, 4].map(() => enter(url, by('ann'), 'ann')));
      for (const each of anns) expect(each.message.error).toBeDefined();
      expect((await use(url, bob, 'do')).message.result).toMatchObject(FINE);
      const another = inSession(by('bob'), await enter(url, by('bob')));
      expect((await use(url, another, 'do')).message.result).toMatchObject(FINE);
    }
  });

  it('keeps nobody from being the first that opens one', async () => {
    const { url, by } = await house(isKeyed);
    for (let round = 0; round < 5; round += 1) await enter(url, by('ann'), 'ann');
    const bob = inSession(by('bob'), await enter(url, by('bob')));
    expect((await use(url, bob, 'do')).message.result).toMatchObject(FINE);
  });

  it('takes nothing from anybody at the joined endpoint', async () => {
    const { url, joined, by } = await house(isKeyed);
    const own = inSession(by('bob'), await enter(url, by('bob')));
    const bob = inSession(by('bob'), await enter(joined, by('bob')));
    const ann = inSession(by('ann'), await enter(joined, by('ann'), 'ann'));
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([1, 2, 3, 4].map(() => use(joined, ann, 'shop_do')));
      expect((await use(joined, bob, 'shop_do')).message.result).toMatchObject(FINE);
      expect((await use(url, own, 'do')).message.result).toMatchObject(FINE);
      const another = inSession(by('bob'), await enter(joined, by('bob')));
      expect((await use(joined, another, 'shop_do')).message.result).toMatchObject(FINE);
      expect((await enter(url, by('bob'))).message.result).toBeDefined();
    }
    await until(async () => (await use(joined, ann, 'shop_do')).text.includes('left alone for now'));
  });

  it('is told nothing of by others', async () => {
    const { url, by, die } = await house(isKeyed, { breaker: { failures: 3, open_ms: 60_000 } });
    for (let round = 0; round < 4; round += 1) await enter(url, by('ann'), 'ann');
    die('FATAL: no database');
    const said: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      said.push((await enter(url, by('eve'))).text);
      await pause(50);
    }
    expect(said.at(-1)).toContain('left alone for now');
    expect(said.join('')).not.toContain('SECRET');
    const { text } = await enter(url, by('bob'));
    expect(text).toContain('left alone for now');
    expect(text).toContain('FATAL: no database');
  });
});

it('who ends its processes is held back itself, and not in a session that runs', async () => {
  const { url, by } = await house(true, { breaker: { failures: 3, open_ms: 60_000 } });
  const ann = inSession(by('ann'), await enter(url, by('ann')));
  for (let round = 0; round < 3; round += 1) await enter(url, by('ann'), 'ann');
  expect((await enter(url, by('ann'), 'ann')).text).toContain('left alone for now');
  expect((await use(url, ann, 'do')).message.result).toMatchObject(FINE);
});

describe.each(WORLDS)('a server that cannot be started, %s', (_world, isKeyed) => {
  it.each(isKeyed ? ENDS : ENDS.slice(0, 1))(
    'is left alone by all who would open a session, and by nobody in one that runs: %s',
    async (_how, words) => {
      const { url, by, starts, die, revive } = await house(isKeyed, {
        breaker: { failures: 3, open_ms: 1500 },
      });
      const bob = inSession(by('bob'), await enter(url, by('bob')));
      die(words);
      const said: Posted[] = [];
      for (let round = 0; round < 8; round += 1) {
        said.push(...(await Promise.all(['ann', 'bob', 'eve'].map((name) => enter(url, by(name))))));
        expect((await use(url, bob, 'do')).message.result).toMatchObject(FINE);
        await pause(20);
      }
      expect(said.filter(({ text }) => text.includes('left alone for now')).length).toBeGreaterThan(10);
      for (const each of said) expect(faultIn(each)).toMatchObject({ executed: 'no' });
      expect(starts()).toBeLessThan(18);
      revive();
      const since = Date.now();
      await until(async () => (await enter(url, by('eve'))).message.result !== undefined);
      expect(Date.now() - since).toBeLessThan(8000);
      expect((await enter(url, by('ann'))).message.result).toBeDefined();
    },
    20_000,
  );

  it('is left alone in sessions of the joined endpoint, too, but in those where it runs', async () => {
    const { joined, by, starts, die, revive } = await house(isKeyed, {
      breaker: { failures: 3, open_ms: 1500 },
    });
    const bob = inSession(by('bob'), await enter(joined, by('bob')));
    expect((await use(joined, bob, 'shop_do')).message.result).toMatchObject(FINE);
    die('FATAL: no database');
    const before = starts();
    const said: Posted[] = [];
    const names = ['ann', 'bob', 'eve'];
    for (let round = 0; round < 6; round += 1) {
      const opened = await Promise.all(names.map((name) => enter(joined, by(name))));
      const within = opened.map((each, at) => inSession(by(names[at] ?? ''), each));
      said.push(...(await Promise.all(within.map((each) => use(joined, each, 'shop_do')))));
      expect((await use(joined, bob, 'shop_do')).message.result).toMatchObject(FINE);
    }
    expect(said.filter(({ text }) => text.includes('left alone for now')).length).toBeGreaterThan(6);
    for (const each of said) expect(faultIn(each)).toMatchObject({ executed: 'no' });
    expect(starts() - before).toBeLessThan(18);
    revive();
    const since = Date.now();
    const eve = inSession(by('eve'), await enter(joined, by('eve')));
    await until(async () => (await use(joined, eve, 'shop_do')).text.includes('fine'));
    expect(Date.now() - since).toBeLessThan(8000);
  }, 20_000);

  it('is found out from the first opening on, and costs few processes', async () => {
    const { gateway, url, by, starts, die, revive } = await house(isKeyed, {
      breaker: { failures: 3, open_ms: 60_000 },
    });
    die('FATAL: no database');
    const told = async (): Promise<boolean> => (await enter(url, by('ann'))).text.includes('left alone');
    await until(told);
    await until(() => gateway.logs.some((line) => line.includes('circuit open: calls are held back')));
    const before = starts();
    expect(before).toBeLessThan(12);
    for (let round = 0; round < 10; round += 1) {
      const { text } = await enter(url, by('bob'));
      expect(text).toContain('left alone for now');
      expect(text).toContain('FATAL: no database');
    }
    expect(starts()).toBe(before);
    revive();
  }, 20_000);

  it.each(['url', 'joined'] as const)(
    'is tried by nobody of a crowd while it is dead, and one process at a time in the name of all: %s',
    async (door) => {
      const { [door]: address, by, starts, die, revive } = await house(isKeyed);
      die('FATAL: no database');
      const crowd = (): Promise<readonly Posted[]> =>
        Promise.all(Array.from({ length: 12 }, (_, index) => enter(address, by(index % 2 ? 'bob' : 'eve'))));
      await crowd();
      await until(async () => (await enter(`${address}`, by('ann'), 'x')).text !== '' && starts() > 3);
      await crowd();
      const before = starts();
      const end = Date.now() + 3000;
      while (Date.now() < end) {
        await crowd();
        await pause(100);
      }
      expect(starts() - before).toBeLessThan(12);
      revive();
      await until(async () => (await enter(address, by('bob'))).message.result !== undefined);
    },
    30_000,
  );
});
