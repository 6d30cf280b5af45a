import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { isHere, makeFolder } from './folder.ts';

const room = mkdtempSync(join(tmpdir(), 'mayday-folder-'));
afterAll(() => rmSync(room, { recursive: true, force: true }));

function place(name: string): string {
  const path = join(room, name);
  mkdirSync(path);
  return path;
}

it('is in the first place that has room for it', () => {
  const file = join(room, 'file');
  writeFileSync(file, '');
  const [second, third] = [place('second'), place('third')];
  expect(dirname(makeFolder([second, third]).path)).toBe(second);
  expect(dirname(makeFolder([join(room, 'missing'), third]).path)).toBe(third);
  expect(dirname(makeFolder([file, third]).path)).toBe(third);
  expect(dirname(makeFolder([place('x'.repeat(90)), third]).path)).toBe(third);
  expect(readdirSync(third)).toHaveLength(3);
});

it('says why there is none', () => {
  expect(() => makeFolder([join(room, 'missing'), join(room, 'missing too')])).toThrow(
    expect.objectContaining({ code: 'ENOENT' }),
  );
});

it('is there until somebody takes it away, even if somebody else makes one of that name', () => {
  const folder = makeFolder([room]);
  expect(isHere(folder)).toBe(true);
  rmSync(folder.path, { recursive: true });
  mkdirSync(folder.path);
  expect(isHere(folder)).toBe(false);
});
