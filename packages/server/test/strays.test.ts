/** Promises that a handler starts and forgets do not end a guarded process, and somebody hears of them. */
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const file = new URL('./stray-server.ts', import.meta.url);

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Calls the tool, then another one, and waits for the end. */
function run(how: string, flags: readonly string[] = []): Promise<Ended> {
  const args = [
    ...flags,
    '--conditions=@mayday/source',
    '--disable-warning=ExperimentalWarning',
    file.pathname,
    how,
  ];
  const child = spawn(process.execPath, args, { stdio: 'pipe' });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (out.includes('"id":1'))
      setTimeout(() => child.stdin.end('{"jsonrpc":"2.0","id":2,"method":"ping"}\n'), 50);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  child.stdin.on('error', () => {}); // a process that has ended reads nothing
  child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forgets"}}\n');
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

describe('a rejection that nobody handles', () => {
  it('ends a plain process', async () => {
    const { code, out } = await run('plain');
    expect(code).toBe(1);
    expect(out).not.toContain('"id":2');
  });

  it('does not end a guarded one, and is reported with the call that it came from', async () => {
    const { code, out, err } = await run('reported');
    expect(out).toContain('"id":2');
    expect(JSON.parse(err)).toEqual({
      kind: 'internal',
      name: 'forgets',
      cause: 'Error: the mail was not sent',
    });
    expect(code).toBe(0);
  });

  it('is a warning where nobody else wants to know', async () => {
    const { code, err } = await run('guarded');
    expect(err).toContain('a rejection that nobody handled in tools/call forgets');
    expect(err).toContain('the mail was not sent');
    expect(code).toBe(0);
  });

  it('ends the process when it does not come from a handler, as without the guard', async () => {
    const { code, err } = await run('outside');
    expect(code).toBe(1);
    expect(err).toContain('not of a handler');
  });

  it('can be left to Node', async () => {
    expect((await run('left')).code).toBe(1);
  });
});
