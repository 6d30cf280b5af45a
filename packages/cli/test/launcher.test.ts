import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../../', import.meta.url));
const clone = mkdtempSync(join(tmpdir(), 'mayday-clone-'));
afterAll(() => rmSync(clone, { recursive: true }));

/** A clone after installation, without a build. */
function prepare(): string {
  for (const name of ['cli', 'core']) {
    for (const part of ['src', 'package.json', 'bin']) {
      cpSync(join(packages, name, part), join(clone, 'packages', name, part), {
        recursive: true,
        force: true,
        filter: (path) => !path.endsWith('.test.ts'),
        ...{ errorOnExist: false },
      });
      if (name === 'core' && part === 'package.json') break;
    }
  }
  mkdirSync(join(clone, 'node_modules', '@mayday'), { recursive: true });
  symlinkSync(join(clone, 'packages', 'core'), join(clone, 'node_modules', '@mayday', 'core'));
  return join(clone, 'packages', 'cli');
}

const cli = prepare();
const run = (): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, [join(cli, 'bin', 'mayday.js'), 'explain', '-32500'], { encoding: 'utf8' });

test('runs the sources in a clone that is not built, and passes the exit status on', () => {
  const { status, stdout, stderr } = run();
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(stdout).toContain('-32500');
});

test('prefers the built form', () => {
  mkdirSync(join(cli, 'dist'), { recursive: true });
  writeFileSync(join(cli, 'dist', 'main.js'), "process.stdout.write('built');\n");
  expect(run()).toMatchObject({ status: 0, stdout: 'built' });
});
