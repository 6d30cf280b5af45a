/** Starting, changing and stopping: nothing is dropped, nothing is left running. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import {
  call,
  cleanUp,
  faultIn,
  INITIALIZE,
  JSON_TYPES,
  json,
  later,
  open,
  post,
  STDIO_SERVER,
  settingsOf,
  until,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const MAIN = fileURLToPath(new URL('../../../cli/bin/mayday.js', import.meta.url));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** `mayday gateway` as a process of its own. */
async function start(...args: string[]): Promise<{ child: ChildProcess; url: string; errors: () => string }> {
  const child = spawn(process.execPath, [MAIN, 'gateway', '--port', '0', ...args]);
  later(() => child.kill('SIGKILL'));
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  await until(() => out.includes('/mcp') || child.exitCode !== null);
  return { child, url: /http:\S+:\d+/.exec(out)?.[0] ?? '', errors: () => errors };
}

it('says that it stops to everybody who asks, until what is under way is answered', async () => {
  const answers: (() => void)[] = [];
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body);
    answers.push(() => json(response, 200, { jsonrpc: '2.0', id, result: { late: true } }));
  });
  const gateway = await open({ upstreams: { shop: { url } } });
  const endpoint = `${gateway.url}/shop/mcp`;
  expect((await fetch(`${gateway.url}/-/ready`)).status).toBe(200);
  const running = post(endpoint, call('slow'));
  await until(() => answers.length === 1);
  const closed = gateway.close(20_000);
  for (let round = 0; round < 3; round++) {
    const answer = await fetch(`${gateway.url}/-/ready`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([503, 'close']);
    // It lives: who asks that must not end it before its time.
    expect((await fetch(`${gateway.url}/-/health`)).status).toBe(200);
  }
  const refused = await post(endpoint, call('another'));
  expect(refused.status).toBe(503);
  expect(refused.text).toContain('The gateway is about to stop');
  expect(gateway.logs).toContain('stopping: calls under way have 20 s');
  expect(gateway.logs).not.toContain('stopped');
  answers[0]?.();
  expect((await running).message.result).toEqual({ late: true });
  await closed;
  expect(gateway.logs.at(-1)).toBe('stopped');
  await expect(fetch(`${gateway.url}/-/ready`)).rejects.toThrow('fetch failed');
});

it('stops with nothing left running, and answers what is in flight', async () => {
  const { child, url } = await start('--', STDIO_SERVER.command, ...STDIO_SERVER.args);
  const pid = Number((await post(`${url}/mcp`, call('pid'))).message.result?.['pid']);
  const orphan = Number((await post(`${url}/mcp`, call('orphan'))).message.result?.['pid']);
  const inFlight = post(`${url}/mcp`, call('slow', { ms: 400 }));
  await post(`${url}/mcp`, call('echo'));
  child.kill('SIGTERM');
  expect((await inFlight).message.result).toEqual({ slow: true });
  await until(() => child.exitCode !== null);
  expect(child.exitCode).toBe(0);
  await until(() => !isAlive(pid) && !isAlive(orphan));
});

it.each([[], ['--workers', '2']])(
  'a second signal answers what is under way at once, and nobody is cut off (%j)',
  async (...flags) => {
    const { child, url } = await start(...flags, '--', STDIO_SERVER.command, ...STDIO_SERVER.args);
    const pid = Number((await post(`${url}/mcp`, call('pid'))).message.result?.['pid']);
    const started = performance.now();
    const inFlight = post(`${url}/mcp`, call('slow', { ms: 20_000 }));
    await post(`${url}/mcp`, call('echo'));
    for (const signal of ['SIGINT', 'SIGINT'] as const) {
      child.kill(signal);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    expect(faultIn(await inFlight)).toMatchObject({
      kind: 'disconnected',
      origin: 'gateway',
      executed: 'maybe',
    });
    await until(() => child.exitCode !== null);
    expect(child.exitCode).toBe(0);
    expect(performance.now() - started).toBeLessThan(4500);
    await until(() => !isAlive(pid));
  },
);

it('over standard streams, too', async () => {
  const words = ['gateway', '--stdio', '--', STDIO_SERVER.command, ...STDIO_SERVER.args];
  const child = spawn(process.execPath, [MAIN, ...words]);
  later(() => child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  for (const message of [INITIALIZE, call('echo', {}, 2), call('slow', { ms: 20_000 }, 3)])
    child.stdin.write(`${JSON.stringify(message)}\n`);
  await until(() => out.includes('"id":2'));
  for (const signal of ['SIGTERM', 'SIGTERM'] as const) {
    child.kill(signal);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  await until(() => child.exitCode !== null);
  const answer = out.split('\n').find((line) => line.includes('"id":3'));
  expect(JSON.parse(answer ?? '{}').error?.data).toMatchObject({ kind: 'disconnected', executed: 'maybe' });
});

it('a third signal ends it, whatever is under way', async () => {
  const deaf = `require('node:readline').createInterface({ input: process.stdin }).on('line', () => {}); process.on('SIGTERM', () => {})`;
  const { child, url } = await start('--', process.execPath, '-e', deaf);
  const cut = post(`${url}/mcp`, call('echo')).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (let n = 0; n < 3; n++) {
    child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await until(() => child.exitCode !== null);
  await cut;
});

it('leaves no server behind when it is killed', async () => {
  const deafToTheEnd =
    'process.stdin.resume(); setInterval(() => {}, 1000); console.error("pid", process.pid)';
  const { child, url, errors } = await start('--', process.execPath, '-e', deafToTheEnd);
  void post(`${url}/mcp`, call('echo')).catch(() => undefined);
  await until(() => /pid \d+/.test(errors()));
  const pid = Number(/pid (\d+)/.exec(errors())?.[1]);
  expect(isAlive(pid)).toBe(true);
  child.kill('SIGKILL');
  await until(() => !isAlive(pid));
});

it('stops when it is told to, whatever a reload has left open', async () => {
  const answers: (() => void)[] = [];
  const server = await upstream((body, response) => {
    const { id } = JSON.parse(body) as { id: number };
    answers.push(() => json(response, 200, { jsonrpc: '2.0', id, result: { late: true } }));
  });
  const file = join(mkdtempSync(join(tmpdir(), 'mayday-')), 'mayday.yaml');
  const yaml = (upstreams: object): string => JSON.stringify({ upstreams });
  writeFileSync(file, yaml({ changed: { url: server.url }, removed: { url: server.url } }));
  const { child, url, errors } = await start('--config', file);
  const open = ['changed', 'removed'].map((name) => post(`${url}/${name}/mcp`, call('slow')));
  await until(() => answers.length === 2);
  writeFileSync(file, yaml({ changed: { url: server.url, timeout_ms: 70_000 } }));
  await until(() => errors().includes('reloaded: changed'));
  child.kill('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 200));
  for (const answer of answers) answer();
  for (const { message } of await Promise.all(open)) expect(message.result).toEqual({ late: true });
  await until(() => child.exitCode !== null);
  expect(child.exitCode).toBe(0);
});

it('redacts what servers write on standard error', async () => {
  const leaky = 'console.error("using postgres://app:hunter2@db.internal/x"); process.stdin.resume()';
  const { url, errors } = await start('--', process.execPath, '-e', leaky);
  void post(`${url}/mcp`, call('echo')).catch(() => undefined);
  await until(() => errors().includes('stderr: using'));
  expect(errors()).not.toContain('hunter2');
});

it('takes a changed file without dropping a call, and keeps the old one when the new one is wrong', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'mayday-')), 'mayday.yaml');
  const yaml = (names: readonly string[], extra = ''): string =>
    JSON.stringify({ upstreams: Object.fromEntries(names.map((name) => [name, STDIO_SERVER])) }) + extra;
  writeFileSync(file, yaml(['a']));
  const { url, errors } = await start('--config', file);
  const inFlight = post(`${url}/a/mcp`, call('slow', { ms: 1500 }));
  await post(`${url}/a/mcp`, call('echo'));
  writeFileSync(file, yaml(['b']));
  await until(async () => (await post(`${url}/b/mcp`, call('echo'))).status === 200);
  expect((await post(`${url}/a/mcp`, call('echo'))).status).toBe(404);
  expect((await inFlight).message.result).toEqual({ slow: true });
  writeFileSync(file, yaml(['c'], '\nbroken: ['));
  await until(() => errors().includes('not reloaded'));
  expect((await post(`${url}/b/mcp`, call('echo'))).status).toBe(200);
});

it('keeps a session with the process that holds it across a reload', async () => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const url = `${gateway.url}/a/mcp`;
  const session = { 'mcp-session-id': (await post(url, INITIALIZE)).headers.get('mcp-session-id') ?? '' };
  const pid = (await post(url, call('pid'), session)).message.result?.['pid'];
  gateway.reload(settingsOf({ upstreams: { a: { ...STDIO_SERVER, timeout_ms: 1000 } } }));
  expect((await post(url, call('pid'), session)).message.result?.['pid']).toBe(pid);
  expect((await post(url, call('pid'))).message.result?.['pid']).not.toBe(pid);
});

it('cuts off a reader that does not read, and goes on', async () => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const url = `${gateway.url}/a/mcp`;
  const slow = await Promise.all(
    Array.from({ length: 5 }, () =>
      fetch(url, {
        method: 'POST',
        headers: JSON_TYPES,
        body: JSON.stringify(call('big', { bytes: 10_000_000 })),
      }),
    ),
  );
  expect((await post(url, call('echo', { say: 'on' }))).message.result).toEqual({ said: 'on' });
  for (const response of slow) await response.body?.cancel();
});

it('says that a port is taken', async () => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const port = new URL(gateway.url).port;
  const { child, errors } = await start('--port', port, '--', 'true');
  await until(() => child.exitCode !== null);
  expect([child.exitCode, errors()]).toEqual([
    2,
    `mayday: port ${port} is taken; choose another one with --port\n`,
  ]);
});

it('answers with a fault when it is told to stop in the middle of a call that does not end', async () => {
  const gateway = await open({ upstreams: { a: STDIO_SERVER } });
  const waiting = post(`${gateway.url}/a/mcp`, call('deaf'));
  await post(`${gateway.url}/a/mcp`, call('echo'));
  await gateway.close(200);
  expect(faultIn(await waiting)).toMatchObject({
    kind: 'disconnected',
    origin: 'gateway',
    executed: 'maybe',
  });
});
