/** Keys of `_meta` are written down once, in core's `protocol.ts`: two spellings of one key are two keys. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../', import.meta.url).pathname;

/** Marks between two halves of one package; nothing of them reaches a wire. */
const PRIVATE: readonly string[] = ['stand-in', 'proven', 'response', 'refusal'].map(
  (mark) => `'dev.mayday/${mark}'`,
);

it('no package spells out a key of its own', () => {
  const found = globSync('packages/*/src/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && file !== 'packages/core/src/protocol.ts')
    .flatMap((file) => {
      const code = readFileSync(`${root}${file}`, 'utf8').replace(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, '');
      const keys = code.match(/(?<!Symbol\.for\()'(?:dev\.mayday|io\.modelcontextprotocol)\/[\w-]+'/g) ?? [];
      return keys.filter((key) => !PRIVATE.includes(key)).map((key) => `${file}: ${key}`);
    });
  expect(found).toEqual([]);
});
