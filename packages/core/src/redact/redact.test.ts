import { describe, expect, test } from 'vitest';
import { createRandom, expand } from '../../../../bench/redact-random.ts';
import { createRedactor, redact } from './index.ts';

const random = createRandom(11);
const key = expand('ghp_{n36}', random);
const other = expand('ghp_{n36}', random);

describe('surrogates', () => {
  test('are the same for the same value, through all strings of a message', () => {
    const { value } = redact({ a: `used ${key}`, b: [`${other} and ${key}`] });
    expect(value).toEqual({ a: 'used [token:1]', b: ['[token:2] and [token:1]'] });
  });

  test('name a value that only another string gives away', () => {
    const secret = expand('{n14}', random);
    const { value } = redact({ first: `saw ${secret} twice`, login: { password: secret } });
    expect(value).toEqual({ first: 'saw [password:1] twice', login: { password: '[password:1]' } });
  });

  test('keep clear of numbers that are in the text already', () => {
    expect(redact(`[token:4] and ${key}`).value).toBe('[token:4] and [token:5]');
  });

  test('are left alone the second time', () => {
    const once = redact(`token=${key} password=[password:1] mail [email:2]`).value;
    expect(redact(once)).toEqual({ value: once, findings: [] });
  });

  test('keep JSON inside a string well-formed', () => {
    const { value } = redact(JSON.stringify({ pin: 1234, body: JSON.stringify({ pin: 5678 }) }));
    const outer = JSON.parse(value) as { pin: string; body: string };
    expect(outer.pin).toBe('[otp:1]');
    expect(JSON.parse(outer.body)).toEqual({ pin: '[otp:2]' });
  });
});

describe('findings', () => {
  test('say rule and path, never the value', () => {
    const { findings } = redact({ error: { data: { token: key }, 'odd key': [`x ${other}`] } });
    expect(findings).toEqual([
      { rule: 'key-name', path: '$.error.data.token' },
      { rule: 'github-pat', path: '$.error["odd key"][0]' },
    ]);
  });

  test('use $ for a plain string', () => {
    expect(redact(key).findings).toEqual([{ rule: 'github-pat', path: '$' }]);
  });

  test('hide a key that is itself a secret', () => {
    const { value, findings } = redact({ [key]: { ok: true, note: `see ${key}` } });
    expect(value).toEqual({ '[token:1]': { ok: true, note: 'see [token:1]' } });
    expect(JSON.stringify(findings)).not.toContain(key);
  });
});

describe('objects', () => {
  test.each([
    ['password', 'x'],
    ['db_password', 'tiger'],
    ['clientSecret', 'abcd-efgh'],
    ['X-Api-Key', 'abcd1234'],
    ['authorization', 'Bearer abc'],
    ['cookie', 'a=b; c=d'],
    ['contraseña', 'hola'],
    ['ssn', '123456789'],
    ['cardNumber', '4242 4242'],
    ['cvv', 123],
  ])('lose the value under %s', (name, value) => {
    expect(Object.values(redact({ [name]: value }).value)[0]).toMatch(/^\[[a-z-]+:1\]$/);
  });

  test.each([
    ['max_tokens', 4096],
    ['progressToken', 'abc-123456'],
    ['nextPageToken', 'CAUQAA1234567890'],
    ['tokenType', 'Bearer'],
    ['password', 'is required'],
    ['password', null],
    ['password', { type: 'string', minLength: 8 }],
    ['token', 'invalid'],
    ['primaryKey', 'id'],
    ['secretName', 'db-credentials'],
    ['author', 'Jane'],
  ])('keep the value under %s', (name, value) => {
    const object = { [name]: value };
    expect(redact(object).value).toBe(object);
  });

  test('lose list items under a telling name, and a value beside it', () => {
    expect(redact({ passwords: ['aa', 'bb'] }).value).toEqual({
      passwords: ['[password:1]', '[password:2]'],
    });
    expect(redact({ name: 'Authorization', value: 'Basic abcd' }).value).toEqual({
      name: 'Authorization',
      value: '[credentials:1]',
    });
  });

  test('come back as the same reference where nothing changed', () => {
    const clean = { x: [1, 'two'] };
    const input = { clean, dirty: { password: 'abc' } };
    const { value } = redact(input);
    expect(value).not.toBe(input);
    expect(value.clean).toBe(clean);
    expect(input.dirty.password).toBe('abc');
  });

  test('keep `__proto__` an ordinary key', () => {
    const { value } = redact(JSON.parse('{"__proto__":{"password":"abc"}}') as object);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"password":"[password:1]"}}');
    expect(({} as Record<string, unknown>)['password']).toBeUndefined();
  });
});

describe('any value', () => {
  test('cycles and shared parts stay cycles and shared parts', () => {
    const shared = { note: key };
    const loop: Record<string, unknown> = { a: shared, b: shared };
    loop['self'] = loop;
    const { value } = redact(loop);
    expect(value['self']).toBe(value);
    expect(value['a']).toBe(value['b']);
    expect(value['a']).toEqual({ note: '[token:1]' });
  });

  test('nesting of 100,000 levels', () => {
    let deep: unknown = { password: 'abc' };
    for (let i = 0; i < 100_000; i++) {
      deep = i % 2 ? [deep] : { d: deep };
    }
    const { findings } = redact(deep);
    expect(findings).toHaveLength(1);
    expect(findings[0]?.path.length).toBeLessThan(200);
  });

  test('getters that throw, proxies that refuse, maps, sets, errors, URLs, bytes, big integers', () => {
    const hostile = Object.defineProperty({ note: key }, 'boom', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    const refusing = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    const error = Object.assign(new TypeError(`bad ${key}`), { code: 'E_X' });
    const { value } = redact({
      hostile,
      refusing,
      map: new Map<unknown, unknown>([
        ['password', 'abc'],
        [1, key],
      ]),
      set: new Set([key]),
      error,
      url: new URL('https://app:hunter22@example.com/'),
      bytes: new TextEncoder().encode(`x ${key}`),
      big: 4111111111111111n,
      date: new Date(0),
      nothing: undefined,
      fn: Math.max,
      symbol: Symbol.iterator,
    });
    expect(value.hostile.note).toBe('[token:1]');
    expect(value.map).toEqual(
      new Map<unknown, unknown>([
        ['password', '[password:1]'],
        [1, '[token:1]'],
      ]),
    );
    expect([...value.set]).toEqual(['[token:1]']);
    expect(value.error).toBeInstanceOf(TypeError);
    expect(value.error.message).toBe('bad [token:1]');
    expect(value.error.stack).not.toContain(key);
    expect(String(value.url)).toBe('https://[credentials:1]@example.com/');
    expect(value.bytes).toBe('x [token:1]');
    expect(value.big).toBe('[card:1]');
    expect(value.date).toEqual(new Date(0));
    expect(value.fn).toBe(Math.max);
  });

  test.each([undefined, null, true, 0, Number.NaN, '', '\ud800', '\u0000', Symbol('x'), () => 1])(
    '%s is left alone',
    (value) => {
      expect(redact(value)).toEqual({ value, findings: [] });
    },
  );

  test('a line of ten megabytes', () => {
    const text = `${'lorem ipsum dolor '.repeat(600_000)}${key}`;
    const { value } = redact(text);
    expect(value.endsWith('[token:1]')).toBe(true);
    expect(value.length).toBe(text.length - key.length + '[token:1]'.length);
  });
});

test('logins after one another are all found at once, whatever the end of one makes of the next name', () => {
  const text = Array.from({ length: 40 }, (_, i) => ` auth md5:aB${i}x`).join('');
  const { value, findings } = redact(text);
  expect(value).toBe(Array.from({ length: 40 }, (_, i) => ` auth [credentials:${i + 1}]`).join(''));
  expect(findings).toHaveLength(40);
});

describe('options', () => {
  test('switch rules off', () => {
    expect(redact('mail a.b@example.com', { disable: ['email'] }).findings).toEqual([]);
  });

  test('a class that is switched off stays under its name too, and the others go', () => {
    const body = { phone: '+34 612 345 678', ssn: '123-45-6789', password: 'hunter2-x9' };
    expect(redact(body, { disable: ['phone'] }).value).toEqual({
      phone: '+34 612 345 678',
      ssn: '[id-number:1]',
      password: '[password:1]',
    });
    expect(redact(body, { disable: ['national-id'] }).value.ssn).toBe('[id-number:1]');
    expect(redact(JSON.stringify({ phone: '5512345678' }), { disable: ['phone'] }).findings).toEqual([]);
  });

  test('switch on what the level leaves off', () => {
    const word = expand('{n30}', random);
    expect(redact(word).findings).toEqual([]);
    expect(redact(word, { enable: ['entropy'] }).value).toBe('[high-entropy:1]');
    expect(redact(word, { level: 'strict' }).value).toBe('[high-entropy:1]');
    expect(redact('127.0.0.1', { level: 'strict' }).value).toBe('[ip:1]');
  });

  test('take rules of one’s own', () => {
    const rules = [
      {
        id: 'acme-badge',
        class: 'badge',
        keywords: ['BDG'],
        pattern: /BDG(\d{6})/,
        truePositives: ['BDG123456'],
        nearMisses: ['BDG12'],
      },
    ];
    const redactor = createRedactor({ rules });
    expect(redactor.redactText('badge BDG123456, bdg12').value).toBe('badge BDG[badge:1], bdg12');
    expect(redactor.redactText(key).value).toBe('[token:1]');
  });
});

test('refuses options of a redactor that nobody reads', () => {
  expect(() => createRedactor({ levl: 'strict' } as never)).toThrow(
    new TypeError('Unknown option `levl` of a redactor; did you mean `level`?'),
  );
  expect(() => createRedactor({ lvl: 1 } as never)).toThrow(
    new TypeError(
      'Unknown option `lvl` of a redactor; it has level, disable, enable, keep, own, hide, told, digest, rules',
    ),
  );
});

describe('numbers with a label', () => {
  test.each([
    'No order 4111 1111 1111 1111',
    'tracking number 5500-0000-0000-0004 is unknown',
    'Invoice 3782 822463 10005 is paid',
    'The GTIN 4111111111111111 must be 8, 12, 13, or 14 digits',
    'EAN: 378282246310005',
  ])('%s is a card, whatever it is called', (text) => {
    expect(redact(text).findings.map(({ rule }) => rule)).toEqual(['card']);
  });

  test.each([
    'No order 4111111111111111',
    'The GTIN 36148900000004 has a wrong check digit',
    'IMEI 378282246310005 is not known',
  ])('%s is none', (text) => {
    expect(redact(text).value).toBe(text);
  });

  test('also under a key', () => {
    expect(redact({ gtin: '4111111111111111', orderId: '4111111111111111' }).value).toEqual({
      gtin: '[card:1]',
      orderId: '4111111111111111',
    });
  });
});

test.each(['postgres://app:*@db.example/prod', 'https://oauth2:*@git.example/x.git'])(
  'a password of an address may be as long as a token is: %s',
  (address) => {
    for (const length of [200, 300, 1000, 4000])
      expect(redact(`at ${address.replace('*', 'Sup3r'.repeat(length / 5))}`).value).not.toContain('Sup3r');
  },
);

test('an address says nothing about words further on', () => {
  for (let far = 200; far < 320; far++) {
    const text = `https://example.com/ ${'-'.repeat(far)}word and https://db-main,db-two:5432,db-three ${'-'.repeat(far)}word`;
    expect(redact(text).value).toBe(
      `https://example.com/ ${'-'.repeat(far)}word and https://[host:1],[host:2]:5432,[host:3] ${'-'.repeat(far)}word`,
    );
  }
});
