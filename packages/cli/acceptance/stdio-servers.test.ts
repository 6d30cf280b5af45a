/** What stands behind it: a server over HTTP that forgets its sessions, and a file that names several. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../scripts/free-port.ts';
import { faultOf, type Message } from '../../gateway/acceptance/support/http.ts';
import { stdio } from '../../gateway/acceptance/support/world.ts';
import { closeClients, connect, type Kind } from './support/clients.ts';
import { BIN, endAll, mayday, published } from './support/plain-command.ts';

const SOON = { timeout: 15_000, interval: 200 };
const folder = mkdtempSync(join(tmpdir(), 'mayday-stdio-'));
const started: ChildProcess[] = [];
afterAll(async () => {
  await closeClients();
  await endAll();
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** The published server over streamable HTTP, with sessions. */
async function everything(port: number): Promise<ChildProcess> {
  const [program = '', ...args] = published('everything', 'streamableHttp');
  const child = spawn(program, args, { env: { ...process.env, PORT: String(port) }, stdio: 'ignore' });
  started.push(child);
  await vi.waitFor(async () => expect(await answers(port)).toBe(true), SOON);
  return child;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dial(port, 'localhost');
    socket.once('connect', () => resolve(socket.destroy() !== undefined)).once('error', () => resolve(false));
  });
}

async function stopped(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

const hello = { name: 'echo', arguments: { message: 'hi' } };
const HELLO = [{ type: 'text', text: 'Echo: hi' }];

describe('a URL', () => {
  it.each<[Kind]>([['SDK 2, 2025-11-25']])(
    '%s, over a restart',
    async (kind) => {
      const port = await freePort();
      const server = await everything(port);
      const { client, errors } = await connect(kind, [
        process.execPath,
        BIN,
        'wrap',
        `http://localhost:${port}/mcp`,
      ]);
      expect((await client.callTool(hello)).content).toEqual(HELLO);
      await stopped(server);
      const away = await client.callTool(hello).catch((error: Message) => error);
      expect((away._meta?.['dev.mayday/fault'] ?? away.data)?.executed).toBe('no');
      await everything(port);
      await vi.waitFor(async () => expect((await client.callTool(hello)).content).toEqual(HELLO), SOON);
      expect(errors).toEqual([]);
    },
    40_000,
  );

  it('one where nobody listens', async () => {
    const plain = mayday(['wrap', `http://127.0.0.1:${await freePort()}/mcp`]);
    expect(faultOf(await plain.open())).toMatchObject({ executed: 'no', retryable: true });
    expect(await plain.end()).toBe(0);
  });

  it('progress and sampling over HTTP', async () => {
    const port = await freePort();
    await everything(port);
    const plain = mayday(['wrap', `http://localhost:${port}/mcp`]);
    await plain.open({ sampling: {} });
    const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 3 } };
    await plain.ask('tools/call', { ...long, _meta: { progressToken: 'p' } });
    const progress = plain.messages().filter(({ method }) => method === 'notifications/progress');
    expect(progress.map(({ params }) => [params.progressToken, params.progress])).toEqual([
      ['p', 1],
      ['p', 2],
      ['p', 3],
    ]);
    plain.send({
      id: 's',
      method: 'tools/call',
      params: { name: 'trigger-sampling-request', arguments: { prompt: 'x' } },
    });
    const asked = await plain.find(({ method }) => method === 'sampling/createMessage');
    const content = { type: 'text', text: 'sampled words' };
    plain.send({ id: asked['id'], result: { model: 'm', role: 'assistant', content } });
    expect(JSON.stringify(await plain.answer('s'))).toContain('sampled words');
    expect(await plain.end()).toBe(0);
  });
});

describe('a file with several servers', () => {
  const write = (name: string, settings: object): string => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, JSON.stringify(settings));
    return file;
  };
  const upstreams = {
    one: stdio({ name: 'one' }),
    two: stdio({ name: 'two', tools: [{ name: 'only', inputSchema: { type: 'object' } }] }),
    gone: { url: 'http://127.0.0.1:1/mcp' },
    ghost: { command: 'no-such-program-anywhere' },
  };

  it('is joined, and says who is missing', async () => {
    const keys = [{ name: 'ann', key: 'a-key-of-ann' }];
    const plain = mayday(['gateway', '--stdio', '--config', write('joined', { upstreams, keys })]);
    await plain.open();
    const { result } = await plain.ask('tools/list');
    expect(result.tools.map(({ name }: Message) => name)).toEqual([
      'one_echo',
      'one_pay',
      'one_lookup',
      'two_only',
    ]);
    const missing = JSON.stringify(result._meta['dev.mayday/unavailable']);
    expect(missing).toContain('gone');
    expect(missing).toContain('ghost');
    const called = await plain.ask('tools/call', { name: 'two_only', arguments: { text: 'x' } });
    expect(called['result'].content).toEqual([{ type: 'text', text: 'only: x' }]);
    expect(faultOf(await plain.ask('tools/call', { name: 'gone_echo' }))).toMatchObject({ executed: 'no' });
    expect(await plain.end()).toBe(0);
    expect(plain.messages().filter((each) => 'nonsense' in each)).toEqual([]);
  });

  it('listens on no port', async () => {
    const port = await freePort();
    const file = write('quiet', { upstreams: { one: stdio() }, listen: { port } });
    const plain = mayday(['gateway', '--stdio', '--config', file]);
    await plain.open();
    expect(await answers(port)).toBe(false);
    expect(await plain.end()).toBe(0);
  });

  it('is read again when it changes, and the client is told', async () => {
    const file = write('anew', { upstreams: { one: stdio() } });
    const plain = mayday(['gateway', '--stdio', '--config', file]);
    await plain.open();
    const before = await plain.ask('tools/list');
    expect(before['result'].tools.length).toBe(3);
    write('anew', { upstreams: { one: stdio(), two: upstreams.two } });
    plain.child.kill('SIGHUP');
    await plain.find(({ method }) => method === 'notifications/tools/list_changed');
    await vi.waitFor(
      async () => expect((await plain.ask('tools/list'))['result'].tools.length).toBe(4),
      SOON,
    );
    expect(await plain.end()).toBe(0);
  });
});

describe('a server that never answers', () => {
  it.each([
    [
      'says nothing',
      'setInterval(() => {}, 1000)',
      /not answered anything since it was started\. Is it a server over/,
    ],
    [
      'speaks something else',
      'console.log("HTTP/1.1 200 OK"); setInterval(() => {}, 1000)',
      /writes to standard output what is no message: .*HTTP\/1\.1 200 OK/,
    ],
  ])('and %s is explained while its client still waits', async (_, program, words) => {
    const file = join(folder, 'hangs.json');
    const hangs = { command: process.execPath, args: ['-e', program], open_timeout_ms: 1500 };
    writeFileSync(file, JSON.stringify({ upstreams: { hangs } }));
    const plain = mayday(['gateway', '--stdio', '--config', file, '--serve', 'hangs']);
    const opened = await plain.open();
    expect(faultOf(opened)).toMatchObject({ kind: 'timeout', executed: 'no' });
    expect(opened['error'].message).toMatch(/did not answer within 1\.5 s \(`open_timeout_ms`\)/);
    expect(opened['error'].message).toMatch(words);
    expect(await plain.end()).toBe(0);
  });
});
