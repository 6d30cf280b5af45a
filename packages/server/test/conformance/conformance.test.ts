/** The official conformance suite gives a guarded server the same passes as an unguarded one. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveEverything } from './everything.ts';

/** The package has a command and nothing to import. */
const suite = fileURLToPath(
  new URL('../../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/** Runs the required set of a revision; the lines with a verdict, and whether all required ones pass. */
async function run(
  url: string,
  revision: string,
): Promise<{ verdicts: readonly string[]; code: number | null }> {
  const args = [suite, 'server', '--url', url.replace('127.0.0.1', 'localhost'), '--requirements', revision];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { verdicts: output.split('\n').filter((line) => /^[✓✗] /.test(line)), code };
}

describe.each(['2025-11-25', '2026-07-28'])('the required set of %s', (revision) => {
  let plain: Awaited<ReturnType<typeof serveEverything>>;
  let guarded: Awaited<ReturnType<typeof serveEverything>>;
  beforeAll(async () => {
    [plain, guarded] = await Promise.all([serveEverything(false), serveEverything(true)]);
  });
  afterAll(async () => {
    await Promise.all([plain.close(), guarded.close()]);
  });

  it('is passed by a guarded server exactly as by a plain one', async () => {
    const [before, after] = await Promise.all([run(plain.url, revision), run(guarded.url, revision)]);
    expect(before.code).toBe(0);
    expect(before.verdicts.length).toBeGreaterThan(30);
    expect(after).toEqual(before);
  });
});
