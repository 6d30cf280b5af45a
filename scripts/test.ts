/**
 * Runs the tests (`node scripts/test.ts [arguments of vitest]`). Many files run at once, and on a busy machine one that
 * waits for processes can starve: a few red files are run once more, one at a time, and what is red there is red.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RED_FILES } from '../test/red-files.ts';

/** More than these are no accident. */
const FEW = 5;

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const folder = mkdtempSync(join(tmpdir(), 'mayday-tests-'));
const redFiles = join(folder, 'red.json');

function run(args: readonly string[]): number {
  const env = { ...process.env, [RED_FILES]: redFiles };
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  return status ?? 1; // ended by a signal
}

function takeRed(): readonly string[] {
  if (!existsSync(redFiles)) return [];
  const red: readonly string[] = JSON.parse(readFileSync(redFiles, 'utf8'));
  return red;
}

try {
  process.exitCode = run(process.argv.slice(2));
  const red = process.exitCode === 0 ? [] : takeRed();
  if (red.length > 0 && red.length <= FEW) {
    console.warn(['Red, and run once more with nothing beside them:', ...red].join('\n  '));
    process.exitCode = run(['--maxWorkers=1', ...red]);
  }
} finally {
  rmSync(folder, { recursive: true });
}
