/** Files that are written all or none: whatever stands in the way of one, all are as they were. */
import { chmod, lstat, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { replaceFiles } from './files.ts';

const STAMP = '20260101T000000Z';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'files-'));
  await writeFile(join(path, 'one'), 'one before');
  await writeFile(join(path, 'two'), 'two before');
  return path;
}

const changeOf = (path: string, before: string | undefined, hasNewSecrets = false) => ({
  path,
  before,
  text: `${path} after`,
  hasNewSecrets,
});

it('writes both, and keeps what was there', async () => {
  const dir = await folder();
  const [one, two] = [join(dir, 'one'), join(dir, 'two')];
  await chmod(one, 0o644);
  const written = await replaceFiles([changeOf(one, 'one before', true), changeOf(two, 'two before')], STAMP);
  expect(written).toEqual([
    { path: one, copy: `${one}.bak-${STAMP}`, isClosed: true },
    { path: two, copy: `${two}.bak-${STAMP}`, isClosed: false },
  ]);
  expect((await stat(one)).mode & 0o777).toBe(0o600);
  const texts = await Promise.all(
    (await readdir(dir)).sort().map((name) => readFile(join(dir, name), 'utf8')),
  );
  expect(texts).toEqual([`${one} after`, 'one before', `${two} after`, 'two before']);
});

it('writes where a link leads, also to what is not there yet', async () => {
  const dir = await folder();
  await symlink('inner', join(dir, 'outer'));
  await symlink('three', join(dir, 'inner'));
  const path = join(dir, 'outer');
  expect(await replaceFiles([changeOf(path, undefined)], STAMP)).toEqual([
    { path, copy: undefined, isClosed: false },
  ]);
  expect(await readFile(join(dir, 'three'), 'utf8')).toBe(`${path} after`);
  expect((await lstat(path)).isSymbolicLink()).toBe(true);
});

it.each<[string, (dir: string) => Promise<unknown>, RegExp]>([
  [
    'no draft of the second can be written',
    (dir) => writeFile(join(dir, `two.new-${STAMP}-${process.pid}`), ''),
    /^\S+two cannot be written \(EEXIST\); nothing was changed$/,
  ],
  [
    'the second has changed',
    (dir) => writeFile(join(dir, 'two'), 'two by another'),
    /^\S+two has changed in the meantime; nothing was changed, so try again$/,
  ],
])('leaves the first as it was, too, when %s', async (_why, spoil, words) => {
  const dir = await folder();
  await spoil(dir);
  const before = (await readdir(dir)).sort();
  const changes = [changeOf(join(dir, 'one'), 'one before'), changeOf(join(dir, 'two'), 'two before')];
  await expect(replaceFiles(changes, STAMP)).rejects.toThrow(words);
  expect((await readdir(dir)).sort()).toEqual(before);
  expect(await readFile(join(dir, 'one'), 'utf8')).toBe('one before');
});

it('leaves nothing behind when no copy can be kept', async () => {
  const dir = await folder();
  // A name that is as long as names can be, by way of a shorter link's target: only its copy is too long.
  const long = join(dir, 'x'.repeat(236));
  await writeFile(join(dir, 'short'), 'long before');
  await symlink(join(dir, 'short'), long);
  const changes = [changeOf(join(dir, 'new'), undefined), changeOf(long, 'long before')];
  const before = (await readdir(dir)).sort();
  await expect(replaceFiles(changes, STAMP)).rejects.toThrow(
    /cannot be written \(ENAMETOOLONG\); nothing was changed$/,
  );
  expect((await readdir(dir)).sort()).toEqual(before);
  expect(await readFile(long, 'utf8')).toBe('long before');
});
