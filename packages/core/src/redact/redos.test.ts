import { describe, expect, test } from 'vitest';
import { expressions, proved, verdict } from '../../../../bench/redact-prove.ts';
import { NAMED, PREFIXED } from './rules/format-table.ts';
import { formatSource } from './rules/formats.ts';
import { namedSource } from './rules/named-formats.ts';

describe('no expression can be made slow', () => {
  const known = proved();
  const all = expressions();

  test('the list of proved expressions has no strangers', () => {
    expect(all.length).toBeGreaterThan(100);
    expect([...known].filter((id) => !all.some((expression) => expression.id === id))).toEqual([]);
  });

  test('an expression that is not on the list is proved here', async () => {
    const fresh = all.filter(({ id }) => !known.has(id));
    const verdicts = await Promise.all(
      fresh.map(async (one) => `${await verdict(one, 15_000)} /${one.source}/`),
    );
    expect(verdicts.filter((line) => !line.startsWith('safe'))).toEqual([]);
  });

  test('formats of the tables are sequences of bounded sets: one way to match, at one place', () => {
    const rows = [...PREFIXED.trim().split('\n'), ...NAMED.trim().split('\n')].map((line) => line.split(' '));
    const sources = rows.map(([, second = '', third = '']) =>
      third.includes('{') ? namedSource(third) : formatSource(second.replace(/^[~!]/, '')),
    );
    const set = String.raw`(?:\\d|\[[^\]]+\])\{\d+(?:,\d+)?\}`;
    const choice = String.raw`\(\?:[\w-]+(?:\|[\w-]+)*\)`;
    const literal = String.raw`[\w:~!%=-]|\\[.+/$]`;
    const shape = new RegExp(
      `^(?:\\(\\?=.*?\\)\\))?(?:${set}|${choice}|${literal})+(?:\\(\\?!\\[\\\\w-\\]\\))?$`,
    );
    expect(sources.filter((source) => !shape.test(source))).toEqual([]);
  });
});
