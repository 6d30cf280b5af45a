import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { command, start, tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';

/** Starts a server on stdio, and talks to it line by line. */
function talk(name: string) {
  const { command: file, args, cwd } = command(name, ['--data', tempFolder()]);
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

describe('npm run reference', () => {
  it('names the servers when it is given none of them', () => {
    const run = fileURLToPath(new URL('run.ts', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [run, 'nobody'], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr).toMatch(/closient.*onx.*platica/);
  });
});
