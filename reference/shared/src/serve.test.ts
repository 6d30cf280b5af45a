import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { command, start, tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

/** Starts a server on stdio, and talks to it line by line. */
function talk(name: string, flags: readonly string[] = []) {
  const { command: file, args, cwd } = command(name, ['--data', tempFolder(), ...flags]);
  const child = spawn(file, args, { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    say: async (line: string) => {
      child.stdin.write(`${line}\n`);
      return JSON.parse((await answers.next()).value as string);
    },
  };
}

describe.each([
  ['closient', -32100, -32100],
  ['onx', -32700, -32600],
  ['platica', -32602, -32602],
])('%s on stdio', (name, garbage, oversize) => {
  it('EM-24 answers garbage and oversize lines, goes on serving, and ends with its input', async () => {
    const { child, say } = talk(name);
    expect((await say('{"jsonrpc":')).error.code).toBe(garbage);
    expect((await say(`{"jsonrpc":"2.0","id":3,"method":"${'x'.repeat(11_000_000)}"}`)).error.code).toBe(
      oversize,
    );
    expect((await say('{"jsonrpc":"2.0","id":1,"method":"ping"}')).result).toEqual({});
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('a server on HTTP', () => {
  it('lets go of everything when it is told to stop', async () => {
    const { child, kill } = await start('closient', ['--data', tempFolder()]);
    await kill('SIGTERM');
    expect(child.exitCode).toBe(0);
  });
});

describe('a server that is told to stop in the middle of a call', () => {
  const CALL = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get-orders","arguments":{}}}';
  const ANSWER = { id: 7, result: { structuredContent: { orders: [] } } };

  /** A backend that answers when the test says so. */
  async function slowBackend() {
    const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
    const server = createHttpServer((_request, response) => resolve(response)).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      flags: ['--backend-url', `http://127.0.0.1:${port}`, '--deadline-ms', '60000'],
      /** Tells the child to stop, and answers what it has asked. */
      async answerLate(child: ChildProcess) {
        const response = await asked;
        child.kill('SIGTERM');
        await new Promise((later) => setTimeout(later, 500));
        response.end('{"orders":[]}');
      },
    };
  }

  it('answers it first over HTTP', async () => {
    const { flags, answerLate } = await slowBackend();
    const { url, child } = await start('onx', ['--data', tempFolder(), ...flags]);
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const exited = once(child, 'exit');
    const [answer] = await Promise.all([
      fetch(`${url}/mcp`, { method: 'POST', headers, body: CALL }).then((response) => response.text()),
      answerLate(child),
    ]);
    expect(JSON.parse(/\{.*\}/.exec(answer)?.[0] ?? '')).toMatchObject(ANSWER);
    expect(await exited).toEqual([0, null]);
  });

  it('answers it first on stdio', async () => {
    const { flags, answerLate } = await slowBackend();
    const { child, say } = talk('onx', flags);
    await say(
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}',
    );
    const exited = once(child, 'exit');
    const [answer] = await Promise.all([say(CALL), answerLate(child)]);
    expect(answer).toMatchObject(ANSWER);
    expect(await exited).toEqual([0, null]);
  });
});

describe('npm run reference', () => {
  /** What is said on standard error, one line or none, and the status. */
  function said(name: string, args: readonly string[]): readonly [number | null, string] {
    const run = fileURLToPath(new URL('run.ts', import.meta.url));
    const { command: file, cwd } = command(name);
    const { status, stderr } = spawnSync(file, [run, name, ...args], {
      cwd,
      encoding: 'utf8',
      timeout: 20_000,
    });
    return [status, stderr];
  }

  it.each(['closient', 'erlmcp'])('%s: a folder that cannot be made is one line, at once', (name) => {
    const [status, stderr] = said(name, ['--data', '/proc/nope/deep']);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`^${name} cannot start: ENOENT: no such file or directory, mkdir '/proc/nope'\n$`),
    );
  });

  it('says what is wrong with a number below zero, and who does not answer', () => {
    expect(said('onx', ['--per-minute', '-1', '--data', tempFolder()])).toEqual([
      2,
      'Expected --per-minute to be a whole number from 1, got -1\n',
    ]);
    expect(said('onx', ['--http', '-1', '--data', tempFolder()])).toEqual([
      2,
      'Expected --http to be a port from 0 to 65535, got -1\n',
    ]);
    expect(said('onx', ['--stdio', '--http', 'x', '--data', tempFolder()])).toEqual([
      2,
      'Expected --stdio or --http, got both\n',
    ]);
    expect(said('onx', ['call', 'http://127.0.0.1:1/mcp', 'get-orders'])).toEqual([
      1,
      'Nobody answers at http://127.0.0.1:1/mcp: bad port\n',
    ]);
    expect(said('onx', ['call', 'http://nobody.invalid/mcp', 'get-orders'])).toEqual([
      1,
      expect.stringMatching(/^Nobody answers at http:\/\/nobody\.invalid\/mcp: E[A-Z_]+\n$/),
    ]);
  });

  it('a taken port is the only thing that is said', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const [status, stderr] = said('platica', ['--http', String(port), '--data', tempFolder()]);
    taken.close();
    expect([status, stderr]).toEqual([2, `Cannot listen on port ${port}: it is taken\n`]);
  });

  it('names the servers when it is given none of them', () => {
    const run = fileURLToPath(new URL('run.ts', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [run, 'nobody'], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toMatch(/closient.*onx.*platica/);
  });
});
