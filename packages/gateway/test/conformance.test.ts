/** The official conformance suite gives a server behind the gateway the verdicts of the server itself, but for those that are named here. */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { serveEverything } from '../../server/test/conformance/everything.ts';
import { cleanUp, later, open } from './tools.ts';

const suite = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

async function run(
  url: string,
  revision: string,
): Promise<{ verdicts: readonly string[]; code: number | null }> {
  const args = [suite, 'server', '--url', url.replace('127.0.0.1', 'localhost'), '--requirements', revision];
  const child = spawn(process.execPath, args, {
    cwd: mkdtempSync(join(tmpdir(), 'mayday-conformance-')),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { verdicts: output.split('\n').filter((line) => /^[✓✗] /.test(line)), code };
}

/** What its revision has done away with the gateway refuses itself, as the specification wants it; the server does not. */
const BETTER: { readonly [alone: string]: string } = {
  '✗ tasks-dispatch-and-envelope: 3 passed, 6 failed': '✗ tasks-dispatch-and-envelope: 4 passed, 5 failed',
};

/** A stream that ends before its answer is taken up by the joined endpoint itself: in its own there is nothing to take up. */
const JOINED: { readonly [alone: string]: string } = {
  ...BETTER,
  '✓ server-sse-polling: 3 passed, 0 failed': '✓ server-sse-polling: 0 passed, 0 failed',
};

afterEach(cleanUp);

const CASES = ['2025-11-25', '2026-07-28'].flatMap((revision) => [
  { revision, endpoint: '/everything/mcp', others: BETTER },
  { revision, endpoint: '/mcp', others: JOINED },
]);

const bare = new Map<string, ReturnType<typeof run>>();

/** What the server itself gets, which is the same wherever it is behind a gateway. */
function runBare(revision: string): ReturnType<typeof run> {
  const known =
    bare.get(revision) ??
    serveEverything(false).then(async (server) => {
      const ran = await run(server.url, revision);
      await server.close();
      return ran;
    });
  bare.set(revision, known);
  return known;
}

it.each(CASES)('passes the required set of $revision at $endpoint', { timeout: 90_000 }, async (row) => {
  const server = await serveEverything(false);
  later(() => server.close());
  const upstreams = { everything: { url: server.url } };
  const gateway = await open({ upstreams, joined: { separator: '' } });
  const before = await runBare(row.revision);
  const after = await run(`${gateway.url}${row.endpoint}`, row.revision);
  expect([before.code, after.code]).toEqual([0, 0]);
  expect(before.verdicts.length).toBeGreaterThan(30);
  // Line by line: each says how many checks of a scenario were made, and how they came out.
  expect(after.verdicts).toEqual(before.verdicts.map((verdict) => row.others[verdict] ?? verdict));
});
