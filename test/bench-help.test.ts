/** What can be measured says how, and begins nothing for that. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(script: string, ...args: string[]) {
  const words = ['--conditions=@mayday/source', script, ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr };
}

it.each([
  ['bench/limits.ts', /^Limits: do four gateways [\s\S]*\n\nOptions: --only …, --rounds …\n$/],
  ['bench/workers.ts', /^What a second worker is worth/],
  ['bench/faults.ts', /^Many failures[\s\S]*--small, --stores …, --per-minute …/],
  ['bench/kills.ts', /^Killed in the middle/],
  ['bench/policy-cost.ts', /^What policy costs/],
  ['bench/once.ts', /^Exactly once over gateways/],
  ['bench/grouping.ts', /^The groups of the fault journal/],
  ['scripts/two-gateways.ts', /^What `deploy\/compose\.yaml` starts/],
])('%s --help', { timeout: 60_000 }, (script, head) => {
  expect(run(script, '--help')).toEqual({ status: 0, stdout: expect.stringMatching(head), stderr: '' });
});

it('tells of an option that there is none of', { timeout: 60_000 }, () => {
  const { status, stdout, stderr } = run('bench/limits.ts', '--nope');
  expect([status, stdout, stderr.split('\n')[0]]).toEqual([2, '', "Unknown option '--nope'."]);
});
