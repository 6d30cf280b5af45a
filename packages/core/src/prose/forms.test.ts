import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formsTogether } from './forms.ts';
import { neededBy } from './needed.ts';
import { TEXTS } from './prose.fixture.ts';
import { SENTENCES } from './sentence-forms.ts';

const SAID = Object.values(TEXTS).flat();
const FORMS = SENTENCES.flatMap(({ said }) => said);

describe('what every match of an expression holds', () => {
  it.each<readonly [RegExp, readonly string[] | undefined]>([
    [/\bsold out\b/i, ['sold out']],
    [/\b(?:hung up|went dead)\b/i, ['hung up', 'went dead']],
    [/^(?:error: )?initiali[sz]e/, ['initialise', 'initialize']],
    [/sent (?:\w+ )?something that/, ['something that']],
    [/(?:abc|defgh)+ x/, undefined],
    [/\d+ (?:tokens)* left/, [' left']],
    [/(?:swamped)?/, undefined],
    [/(?:swamped ){0,3}here/, ['here']],
    [/(?:swamped ){1,3}here/, ['swamped ']],
    [/(?!swamped)[a-z]+/, undefined],
    [/(?<=full )capacity(?= reached)/, ['capacity']],
    [/(?<word>gone)\k<word>away/, ['gone']],
    [/caf\u00e9 closed/, ['caf\u00e9 closed']],
    [/\x41way [{]\d{1,2}/, ['away {']],
    [/a{2}bcd|efgh{0}/, undefined],
  ])('%s', (expression, strings) => {
    const needed = neededBy(expression);
    expect(needed === undefined ? undefined : [...needed].sort()).toEqual(strings);
  });
});

describe('a form answers as its expression does', () => {
  const isAlike = (text: string): void => {
    const wrong = FORMS.filter((form) => form.test(text) !== form.expression.test(text));
    expect(wrong.map(({ expression }) => expression.source)).toEqual([]);
  };

  it('about texts that are known', () => {
    for (const text of SAID) isAlike(text);
  });

  it('about any mixture of them, in capitals and small letters', () => {
    const words = [...new Set(SAID.flatMap((text) => text.split(/(?<= )/)))];
    const some = fc.array(fc.constantFrom(...words, '. ', ': ', '"', '\u017f', '\u212a', '\n'), {
      maxLength: 14,
    });
    fc.assert(
      fc.property(some, fc.constantFrom('as is', 'upper', 'lower'), (parts, how) => {
        const text = parts.join('');
        isAlike(how === 'upper' ? text.toUpperCase() : how === 'lower' ? text.toLowerCase() : text);
      }),
      { numRuns: 300 },
    );
  });

  it('about strings that its expression is made of', () => {
    for (const { expression } of FORMS)
      for (const needed of neededBy(expression) ?? [])
        for (const text of [needed, `${needed}.`, `The ${needed} it`]) isAlike(text);
  });

  it('also where case is folded as Unicode has it', () => {
    const form = formsTogether()(/mask is full/iu);
    expect(form.test('MA\u017f\u212a IS FULL')).toBe(true);
  });

  it('whatever was asked before', () => {
    const together = formsTogether();
    const [one, other] = [together(/is sold out/), together(/is gone/)];
    expect([one.test('it is sold out'), other.test('it is sold out')]).toEqual([true, false]);
    expect([one.test('it is gone'), other.test('it is gone')]).toEqual([false, true]);
    expect([one.test('it is sold out'), one.test('')]).toEqual([true, false]);
    const later = together(/is sold/);
    expect([later.test(''), later.test('it is sold out'), one.test('it is sold out')]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

it('most sentences are tried against a handful of forms', () => {
  const tried = SAID.map((text) => FORMS.filter((form) => form.mayMatch(text)).length);
  const middle = tried.sort((one, other) => one - other)[tried.length >> 1] as number;
  expect(FORMS.length).toBeGreaterThan(150);
  expect(middle).toBeLessThan(10);
});
