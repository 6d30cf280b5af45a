/** A column that is named like a secret is hidden in every row, whatever stands in the others. */
import { describe, expect, it } from 'vitest';
import { createRedactor, redact } from './index.ts';

const strict = createRedactor({ level: 'strict' });
const PASSWORDS = [
  'Tr0ub4dor&3xQz',
  'S3cure!Pass#9',
  'p@ss:word1',
  'a,b9',
  'a;b9',
  'a|b9',
  '$uperMan99',
  'correcthorse',
];
const HEADS = ['user,password', 'user;password', 'user|password', 'user\tpassword', 'id,user,password'];

describe.each(HEADS)('rows under %s', (heads) => {
  const sign = /[,;|\t]/.exec(heads)?.[0] ?? '';
  const row = (user: string, password: string): string =>
    [
      ...heads
        .split(sign)
        .slice(0, -2)
        .map(() => '1'),
      user,
      password,
    ].join(sign);

  it.each(PASSWORDS)('beside %s', (password) => {
    const text = `Invalid CSV near:\n${heads}\n${row('bob', password)}\n${row('eve', 'hunter2zebra9')}\n${row('ann', 'swordfish')}`;
    for (const { value } of [redact(text), strict.redactText(text)]) {
      expect(value).toContain(`${heads}\n`);
      expect(value).not.toContain(password);
      expect(value).not.toContain('hunter2zebra9');
      expect(value).not.toContain('swordfish');
    }
  });
});

it('a row that is gone already saves no other', () => {
  expect(redact('user,password\n[secret:1]\neve,swordfish').value).toBe(
    'user,password\n[secret:1]\neve,[password:1]',
  );
});

describe('lists of lists', () => {
  it.each([
    [
      ['user', 'password'],
      ['bob', 'correcthorse'],
    ],
    [
      ['user', 'password'],
      ['bob', '12345678'],
      ['eve', 'x y z w'],
    ],
    [
      ['name', 'api_key'],
      ['bob', 'monkeybars'],
      ['eve', 'dragonfly'],
    ],
  ])('%j', (...rows) => {
    const [heads, ...cells] = rows;
    for (const value of [redact(rows).value, JSON.parse(redact(JSON.stringify(rows)).value)]) {
      expect(value[0]).toEqual(heads);
      expect(value.slice(1).map(([user]: string[]) => user)).toEqual(cells.map(([user]) => user));
      for (const [, cell] of value.slice(1)) expect(cell).toMatch(/^\[(?:password|api-key):\d\]$/);
    }
  });

  it('stay where they are pairs', () => {
    const pairs = [
      ['field', 'password'],
      ['type', 'string'],
      ['error', 'too_short'],
    ];
    expect(redact(pairs).value).toEqual(pairs);
  });
});
