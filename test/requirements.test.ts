import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** How many promises each system's document makes, and which of them promise no behaviour: references, and another language's same sample. */
const PROMISES: readonly (readonly [system: string, count: number, none: readonly number[]])[] = [
  ['CL', 40, [40]],
  ['EM', 38, [38]],
  ['ER', 101, []],
  ['QA', 33, [29]],
  ['PL', 23, []],
];

const SERVERS = ['closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'];
/** Only suites that were written from a document, and judge a running server, can say that it is kept. */
const tests = SERVERS.flatMap((server) => {
  const folder = new URL(`../reference/${server}/acceptance/`, import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'));
});

/** `CL-9`, and every number of `CL-17…CL-25`. */
function namedIn(source: string): string[] {
  return [...source.matchAll(/\b([A-Z]{2})-(\d+)(?:…(?:[A-Z]{2}-)?(\d+))?/g)].flatMap(
    ([, system, from, to = from]) =>
      Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => `${system}-${Number(from) + i}`),
  );
}

describe('every promise of a document', () => {
  const named = new Set(tests.flatMap(namedIn));

  it.each(PROMISES)('%s: all %i are asserted by an acceptance suite', (system, count, none) => {
    const promised = Array.from({ length: count }, (_, i) => i + 1).filter(
      (number) => !none.includes(number),
    );
    expect(promised.map((number) => `${system}-${number}`).filter((id) => !named.has(id))).toEqual([]);
  });

  it('is one of 232', () => {
    const all = PROMISES.flatMap(([system, count, none]) =>
      Array.from({ length: count }, (_, i) => i + 1)
        .filter((number) => !none.includes(number))
        .map((number) => `${system}-${number}`),
    );
    const asserted = all.filter((id) => named.has(id));
    console.info(`${asserted.length} of ${all.length} promises are asserted by an acceptance suite`);
    expect([asserted.length, all.length]).toEqual([232, 232]);
  });

  it('reads lists and ranges', () => {
    expect(namedIn("it('CL-1 CL-3…CL-5 EM-7…8')")).toEqual(['CL-1', 'CL-3', 'CL-4', 'CL-5', 'EM-7', 'EM-8']);
  });
});
