import { describe, expect, test } from 'vitest';
import { NAMED_FIXTURES, OTHER_FIXTURES, PREFIXED_FIXTURES } from '../../../../bench/redact-fixtures.ts';
import { createRandom, expand } from '../../../../bench/redact-random.ts';
import { createRedactor } from './index.ts';
import { NAMED, PREFIXED } from './rules/format-table.ts';

const redactor = createRedactor();
const rulesIn = (text: string): string[] => redactor.redactText(text).findings.map((finding) => finding.rule);
const lines = (table: string): string[] => table.trim().split('\n');
const ids = (table: string): string[] => lines(table).map((line) => line.split(' ')[0] as string);
const fixtures = (table: string) =>
  lines(table).map((line) => line.split(' | ') as [id: string, found: string, missed: string]);
const random = createRandom(20261115);

describe('formats told by a prefix', () => {
  test('each has a fixture, and each fixture a format', () => {
    const named = fixtures(PREFIXED_FIXTURES).map(([id]) => id);
    expect(named.sort()).toEqual(ids(PREFIXED).sort());
  });

  test.each(fixtures(PREFIXED_FIXTURES))('%s', (id, found, missed) => {
    for (let i = 0; i < 5; i++) {
      const secret = expand(found, random);
      const result = redactor.redactText(`rejected "${secret}".`);
      expect(result.value, secret).toMatch(/^rejected "(?:\w+ )?\[[a-z-]+:1\]"\.$/);
      expect(
        isRelated(result.findings[0]?.rule ?? '', id, found),
        `${result.findings[0]?.rule} for ${id}`,
      ).toBe(true);
    }
    const miss = `rejected ${expand(missed, random)} here`;
    expect(rulesIn(miss), miss).not.toContain(id);
  });
});

/** Vendors share prefixes: a longer one of another row may claim the value first. */
function isRelated(rule: string, id: string, found: string): boolean {
  const prefix = (row: string) =>
    (lines(PREFIXED).find((line) => line.startsWith(`${row} `)) ?? '').split(' ')[1]?.replace(/^[~!]/, '') ??
    '';
  const literal = prefix(rule).split('{')[0] as string;
  return rule === id || (literal !== '' && found.startsWith(literal)) || rule === 'jwt';
}

describe('formats told by a vendor’s name', () => {
  test('each has a fixture, and each fixture a format', () => {
    expect(fixtures(NAMED_FIXTURES).map(([id]) => id)).toEqual(ids(NAMED));
  });

  test.each(fixtures(NAMED_FIXTURES))('%s', (id, found, missed) => {
    const seen = new Set<string>();
    for (let i = 0; i < 8; i++) {
      const text = expand(found, random);
      const result = redactor.redactText(text);
      expect(result.value, text).toMatch(/\[[a-z-]+:1\]$/);
      seen.add(result.findings[0]?.rule ?? '');
    }
    // Two formats of one vendor can share a length; the first in the table names both.
    expect([...seen].some((rule) => rule === id || rule.split('-')[0] === id.split('-')[0])).toBe(true);
    expect(rulesIn(expand(missed, random))).not.toContain(id);
  });
});

describe('other rules', () => {
  test.each(OTHER_FIXTURES)('%s', (id, found, missed) => {
    for (const template of found) {
      const text = expand(template, random);
      expect(rulesIn(text), text).toContain(id);
    }
    for (const template of missed) {
      const text = expand(template, random);
      expect(rulesIn(text), text).not.toContain(id);
    }
  });
});

test('there are more secret formats than the 222 of the best open set', () => {
  const all = [...ids(PREFIXED), ...ids(NAMED)];
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(222);
});
