import { describe, expect, it } from 'vitest';
import { applied } from './change.ts';
import { mutantsOf } from './mutate.ts';
import { choose } from './sample.ts';

const TABLE = `
const rows: readonly Row[] = [
  [401, 'unauthorized', YES],
  [403, 'forbidden', NO],
];
`;

/** What is changed, in the order of the text. */
function whats(source: string): string[] {
  return mutantsOf('a.ts', source).map(({ what }) => what);
}

describe('the mutants of a table', () => {
  it('drop each row, swap neighbouring codes, and change each cell', () => {
    expect(whats(TABLE).sort()).toEqual(
      [
        '401 → 402',
        '403 → 404',
        "'unauthorized' → 'mutant'",
        "'forbidden' → 'mutant'",
        'YES → NO in 401',
        'NO → YES in 403',
        "drops [401, 'unauthorized', YES]",
        "drops [403, 'forbidden', NO]",
        'swaps 401 and 403',
      ].sort(),
    );
  });

  it('swap and drop the members of an object that is one', () => {
    expect(whats('const a = { one: 1, two: true, three: -3 };')).toEqual([
      'drops one: 1',
      '1 → 0',
      'swaps 1 and true',
      'drops two: true',
      'true → false',
      'swaps true and -3',
      'drops three: -3',
      '3 → 4',
    ]);
  });

  it('are all of them programs', () => {
    for (const mutant of mutantsOf('a.ts', TABLE)) {
      expect(() => mutantsOf('a.ts', applied(TABLE, mutant))).not.toThrow();
    }
  });
});

describe('the mutants of a rule', () => {
  it('drop a check, negate a condition, move a limit, and replace a text', () => {
    expect(whats("if (size > limit && !free) throw tooLarge('Too much');")).toEqual([
      "drops if (size > limit && !free) throw tooLarge('Too much');",
      'not (size > limit && !free)',
      'size > limit with >=',
      'size > limit && !free with ||',
      "'Too much' → ''",
    ]);
    expect(whats('checkCountry(country);')).toEqual(['drops checkCountry(country);']);
  });

  it('leave types, imports, names and words for programmers alone', () => {
    expect(
      whats("import a from 'a'; export { b } from 'b'; type C = 'c' | 1; const d = { e: f } as G<'h'>;"),
    ).toEqual([]);
    expect(whats("throw new TypeError('Expected `a` to be a number');")).toEqual([]);
    expect(whats('const OPTIONS: OptionNames<A> = { limit: true };')).toEqual([]);
    expect(whats('const OPTIONS: Options<A> = { limit: true };')).toEqual(['true → false']);
  });
});

describe('a sample', () => {
  const all = mutantsOf('a.ts', TABLE);

  it('is the same for the same seed, another for another', () => {
    expect(choose(all, 1, 3)).toEqual(choose(all, 1, 3));
    expect(choose(all, 1, 3)).not.toEqual(choose(all, 2, 3));
    expect(choose(all, 1, 3)).toHaveLength(3);
  });

  it('stays when another file changes', () => {
    const others = mutantsOf('b.ts', 'const a = true;');
    const size = all.length;
    expect(
      choose([...others, ...all], 1, size + others.length).filter(({ file }) => file === 'a.ts'),
    ).toEqual(all);
  });
});
