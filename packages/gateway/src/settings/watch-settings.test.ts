import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../test/tools.ts';
import { watchSettings } from './watch-settings.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const yaml = (name: string): string => `upstreams:\n  ${name}: { url: http://127.0.0.1/mcp }\n`;

function watched(prepare: (folder: string) => void, text = yaml('a')) {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-'));
  prepare(folder);
  const seen: string[] = [];
  const watch = watchSettings(join(folder, 'mayday.yaml'), {
    text,
    onSettings: ({ settings }) => seen.push([...settings.upstreams.keys()].join()),
    onError: (error) => seen.push(`error: ${(error as Error).message.split('\n')[0]?.split(': ').at(-1)}`),
  });
  closers.push(
    () => watch.close(),
    () => rmSync(folder, { recursive: true }),
  );
  return { folder, seen };
}

it('reads a file that is replaced, and keeps to it when it has mistakes', async () => {
  const { folder, seen } = watched((dir) => writeFileSync(join(dir, 'mayday.yaml'), yaml('a')));
  writeFileSync(join(folder, 'next'), yaml('b'));
  renameSync(join(folder, 'next'), join(folder, 'mayday.yaml'));
  await until(() => seen.length === 1);
  writeFileSync(join(folder, 'mayday.yaml'), 'dialect: klingon\n');
  await until(() => seen.length === 2);
  writeFileSync(join(folder, 'mayday.yaml'), yaml('c'));
  await until(() => seen.length === 3);
  expect(seen).toEqual(['b', expect.stringMatching(/^error: /), 'c']);
});

it('tells when a file that could not be used can be used again, also where it says what it said before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-'));
  const file = join(folder, 'mayday.yaml');
  writeFileSync(file, yaml('a'));
  const seen: unknown[] = [];
  const watch = watchSettings(file, {
    text: yaml('a'),
    onSettings: ({ settings }, _text, isAwaited) =>
      seen.push([[...settings.upstreams.keys()].join(), isAwaited]),
    onError: () => seen.push('error'),
  });
  closers.push(
    () => watch.close(),
    () => rmSync(folder, { recursive: true }),
  );
  writeFileSync(file, 'dialect: klingon\n');
  await until(() => seen.length === 1);
  writeFileSync(file, yaml('a'));
  await until(() => seen.length === 2);
  rmSync(file);
  await until(() => seen.length === 3);
  writeFileSync(file, yaml('a'));
  await until(() => seen.length === 4);
  writeFileSync(file, yaml('b'));
  await until(() => seen.length === 5);
  expect(seen).toEqual(['error', ['a', true], 'error', ['a', true], ['b', false]]);
});

it('reads a link that is turned to another file', async () => {
  const { folder, seen } = watched((dir) => {
    writeFileSync(join(dir, 'one'), yaml('a'));
    writeFileSync(join(dir, 'two'), yaml('b'));
    symlinkSync('one', join(dir, 'data'));
    symlinkSync('data', join(dir, 'mayday.yaml'));
  });
  symlinkSync('two', join(folder, 'next'));
  renameSync(join(folder, 'next'), join(folder, 'data'));
  await until(() => seen.length === 1);
  expect(seen).toEqual(['b']);
});

it('does not miss a change from before it began to watch', async () => {
  const { seen } = watched((dir) => writeFileSync(join(dir, 'mayday.yaml'), yaml('b')), yaml('a'));
  await until(() => seen.length === 1);
  expect(seen).toEqual(['b']);
});

it('tells once that the file is gone, whatever else happens in the folder', async () => {
  const { folder, seen } = watched((dir) => writeFileSync(join(dir, 'mayday.yaml'), yaml('a')));
  await sleep(150);
  rmSync(join(folder, 'mayday.yaml'));
  for (let i = 0; i < 4; i++) {
    await sleep(150);
    writeFileSync(join(folder, 'log'), `${i}`);
  }
  const gone = 'error: the file is gone; what it said before still holds';
  expect(seen).toEqual([gone]);
  writeFileSync(join(folder, 'mayday.yaml'), yaml('b'));
  await until(() => seen.length === 2);
  rmSync(join(folder, 'mayday.yaml'));
  await until(() => seen.length === 3);
  expect(seen).toEqual([gone, 'b', gone]);
});

it('does not take what else happens in the folder for a change', async () => {
  const { folder, seen } = watched((dir) => writeFileSync(join(dir, 'mayday.yaml'), yaml('a')));
  writeFileSync(join(folder, 'other'), 'x');
  await sleep(250);
  expect(seen).toEqual([]);
});
