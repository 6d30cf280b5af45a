/** What the entry of a client starts after an import: the program, wherever it lies. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { home, servers, withHome, work, write } from './import-files.ts';
import { PROGRAM } from './mayday.ts';

withHome();

/** The program, as it lies in a folder of packages. */
function installedIn(folder: string): string {
  const packed = join(folder, 'node_modules/@mayday/cli');
  mkdirSync(dirname(packed), { recursive: true });
  cpSync(join(dirname(dirname(PROGRAM[0] as string)), 'bin'), join(packed, 'bin'), { recursive: true });
  symlinkSync(join(dirname(dirname(PROGRAM[0] as string)), 'dist'), join(packed, 'dist'));
  cpSync(join(dirname(dirname(PROGRAM[0] as string)), 'package.json'), join(packed, 'package.json'));
  return join(packed, 'bin/mayday.js');
}

function importedBy(script: string, file: string, PATH: string): unknown {
  const options = { cwd: work, env: { HOME: home, PATH } };
  const dry = spawnSync(process.execPath, [script, 'import', file, '--dry-run'], options);
  const { status } = spawnSync(process.execPath, [script, 'import', file], options);
  const { mayday: entry } = JSON.parse(readFileSync(file, 'utf8')).mcpServers;
  expect([dry.status, status]).toEqual([0, 0]);
  expect(String(dry.stderr).includes(`"command": "${entry.command}"`)).toBe(true);
  return [entry.command, ...entry.args.slice(0, -4)];
}

test('an entry starts the program where it lies, when clients do not find mayday', () => {
  const file = write('mcp.json', servers(['a'], 'x'));
  const script = installedIn(join(home, 'project'));
  const PATH = `${join(home, 'project/node_modules/.bin')}:${dirname(process.execPath)}`;
  mkdirSync(join(home, 'project/node_modules/.bin'));
  symlinkSync(script, join(home, 'project/node_modules/.bin/mayday'));
  expect(importedBy(join(home, 'project/node_modules/.bin/mayday'), file, PATH)).toEqual([
    process.execPath,
    script,
  ]);
});

test.each(['.npm/_npx/ab12', '.cache/pnpm/dlx/ab12', '.cache/pnpm/dlx-12', 'tmp/bunx-0-@mayday'])(
  'an entry starts the program by npx, when it is there for one run: %s',
  (folder) => {
    const file = write('mcp.json', servers(['a'], 'x'));
    expect(importedBy(installedIn(join(home, folder)), file, dirname(process.execPath))).toEqual([
      'npx',
      '-y',
      '@mayday/cli@0.1.0',
    ]);
  },
);

test('an entry starts mayday, where clients find it', () => {
  const file = write('mcp.json', servers(['a'], 'x'));
  write('lib/bin/mayday', '', 0o755);
  const PATH = `${join(home, 'lib/bin')}:${dirname(process.execPath)}`;
  expect(importedBy(installedIn(join(home, '.npm/_npx/ab12')), file, PATH)).toEqual(['mayday']);
});
