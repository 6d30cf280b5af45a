import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** How many promises each system's document makes, and which of them promise no behaviour. */
const PROMISES: readonly (readonly [system: string, count: number, none: readonly number[]])[] = [
  ['CL', 40, [40]],
  ['EM', 38, [38]],
  ['ER', 101, []],
  ['QA', 33, []],
  ['PL', 23, []],
];

const root = new URL('../', import.meta.url);
const tests = ['packages', 'reference', 'test'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => readFileSync(new URL(`${folder}/${file}`, root), 'utf8')),
);

/** `CL-9`, and every number of `CL-17…CL-25`. */
function namedIn(source: string): string[] {
  return [...source.matchAll(/\b([A-Z]{2})-(\d+)(?:…(?:[A-Z]{2}-)?(\d+))?/g)].flatMap(
    ([, system, from, to = from]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => `${system}-${Number(from) + i}`),
  );
}

describe('every promise of a document', () => {
  const named = new Set(tests.flatMap(namedIn));

  it.each(PROMISES)('%s: all %i are named by a test', (system, count, none) => {
    const promised = Array.from({ length: count }, (_, i) => i + 1).filter(
      (number) => !none.includes(number),
    );
    expect(promised.map((number) => `${system}-${number}`).filter((id) => !named.has(id))).toEqual([]);
  });

  it('reads lists and ranges', () => {
    expect(namedIn("it('CL-1 CL-3…CL-5 EM-7…8')")).toEqual(['CL-1', 'CL-3', 'CL-4', 'CL-5', 'EM-7', 'EM-8']);
  });
});
