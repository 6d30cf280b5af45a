import { expect, test } from 'vitest';
import { checkRule, type Rule } from './index.ts';

const good: Rule = {
  id: 'acme-badge',
  class: 'badge',
  keywords: ['bdg'],
  pattern: /BDG\d{6}/,
  truePositives: ['lost BDG123456'],
  nearMisses: ['BDG12'],
};

test('accepts a rule that its fixtures bear out', () => {
  expect(checkRule(good)).toEqual([]);
});

test.each([
  ['a bad id', { id: 'Acme Badge' }, /`id`/],
  ['a class that no surrogate can carry', { class: 'B1' }, /`class`/],
  ['no keyword', { keywords: [] }, /`keywords`/],
  ['a keyword of one letter', { keywords: ['b'] }, /`keywords`/],
  ['a repetition inside a repeated group', { pattern: /BDG(\d+)+/ }, /linear/],
  ['three open-ended repetitions', { pattern: /BDG\d+x*y+/ }, /linear/],
  ['no near miss', { nearMisses: [] }, /near miss/],
  ['a true positive that is not found', { truePositives: ['BDG12'] }, /true positive 1/],
  ['a near miss that is found', { nearMisses: ['x', 'BDG123456'] }, /near miss 2/],
  ['a keyword that the match lacks', { keywords: ['zzz'] }, /true positive 1/],
])('refuses %s', (_, change, problem) => {
  expect(checkRule({ ...good, ...change }).join()).toMatch(problem);
});
