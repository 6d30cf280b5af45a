/** A password that credentials give away goes from where it is only mentioned, too. */
import { expect, it } from 'vitest';
import { redact } from './index.ts';

const basic = btoa('svc:hunter2Zq9');

it.each([
  'postgres://svc:hunter2Zq9@db.example.com/shop',
  'https://svc:hunter2Zq9@x.example.com/a',
  'https://git:hunter2Zq9@x.example.com/a.git',
  'redis://:hunter2Zq9@cache.example.com:6379',
  `Authorization: Basic ${basic}`,
  'curl -u svc:hunter2Zq9 https://x.example.com',
  'jdbc:oracle:thin:svc/hunter2Zq9@//db.example.com:1521/x',
  'svc:hunter2Zq9@tcp(db.example.com:3306)/shop',
])('%s', (told) => {
  const { value } = redact(`${told} failed; hunter2Zq9 was refused`);
  expect(value).not.toContain('hunter2Zq9');
  expect(value).toMatch(/; \[(?:password|credentials|secret):\d\] was refused$/);
  expect(redact(value).value).toBe(value);
  const apart = redact({ told, tried: ['svc', 'hunter2Zq9'], why: 'hunter2Zq9 was refused' }).value;
  expect(JSON.stringify(apart)).not.toContain('hunter2Zq9');
  expect(apart.tried[0]).toBe('svc');
});

it('as it is spelt in an address, and as it is meant', () => {
  const { value } = redact(
    'postgres://svc:p%40ss%2Fword9@db.example.com/x: neither p@ss/word9 nor p%40ss%2Fword9',
  );
  expect(value).not.toMatch(/word9/);
});

it('beyond ASCII, and not of what is no text', () => {
  const { value } = redact(
    `Authorization: Basic ${Buffer.from('svc:grün7äöüß').toString('base64')}; grün7äöüß was refused`,
  );
  expect(value).toContain('; [password:1] was refused');
  const bytes = Buffer.from([
    0x61, 0x3a, 0xff, 0xfe, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38,
  ]).toString('base64');
  expect(redact(`Authorization: Basic ${bytes}; 12345678`).value).toBe(
    'Authorization: Basic [credentials:1]; 12345678',
  );
});

it.each(['sesame', 'password', '12345678', 'winter'])('but no word or number of every day: %s', (word) => {
  const { value } = redact(`postgres://svc:${word}@db.example.com/shop failed in ${word} mode`);
  expect(value).toContain(`failed in ${word} mode`);
});
it.each<readonly [object, string]>([
  [{ authorization: 'Bearer hunter2-blue-9931' }, 'credentials'],
  [{ cookie: 'lang=en; sid=hunter2-blue-9931' }, 'cookie'],
  [{ url: 'https://shop.example/?api_key=hunter2%2Dblue%2D9931' }, 'api-key'],
])('what stands around it is not told with it: %j', (told, cls) => {
  const { tried } = redact({ told, tried: 'User hunter2-blue-9931 not found' }).value;
  expect(tried.replace(/\d/, 'N')).toBe(`User [${cls}:N] not found`);
});

it('what a cookie says of itself stays', () => {
  const { value } = redact({
    'set-cookie': 'sid=hunter2-blue-9931; Domain=.shop.example; Path=/orders/2026-a1',
    why: 'no .shop.example or /orders/2026-a1',
  });
  expect(value.why).toBe('no .shop.example or /orders/2026-a1');
});
