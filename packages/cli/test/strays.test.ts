/** A module of `--with` that fails outside of every call costs nobody an answer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { start } from './mayday.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-strays-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['1', '2'])('a timer of its own, with %s workers', async (workers) => {
  const module = join(folder, 'acme.mjs');
  writeFileSync(
    module,
    `setTimeout(() => { throw new Error('password=hunter2planted'); }, 1);
     export const acme = { id: 'acme', title: 'Acme', codes: [{ code: 'E7', name: 'busy', kind: 'overloaded', title: 'Busy', written: true }],
       recognise: () => 0, read: () => undefined, write: () => ({ wire: {} }) };`,
  );
  const args = ['gateway', '--workers', workers, '--with', module, '--port', '0', 'http://127.0.0.1:9/mcp'];
  const child = start(args, { env: { TMPDIR: folder } });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const url = /http:\/\/127\.0\.0\.1:\d+/;
  await expect.poll(() => said, { timeout: 30_000 }).toMatch(url);
  await expect.poll(() => said).toMatch(/an exception that nobody caught \(Error\), at acme\.mjs:1/);
  const { status } = await fetch(`${url.exec(said)?.[0]}/-/health`);
  expect(status).toBe(200);
  expect(said).not.toContain('hunter2');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
