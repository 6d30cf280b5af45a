/** Secrets that stand in several texts of a value, or in part of one. */
import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

const ONE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
const TWO = 'jKc8sU9tUTJV7CQABIoAAEgAjSggwcKBCSAAFEQAB0w9GikhqkgBNADABIQvEIIM';
const LAST = 'q9Zz8KjQ2VbPq1xYw3Tt';
const LINES = ['-----BEGIN PRIVATE KEY-----', ONE, TWO, LAST, '-----END PRIVATE KEY-----', ''];
const PASSWORD = 'hunter2Zq9secretX';

const leaked = (value: unknown): string[] => {
  const text = JSON.stringify(redact(value).value);
  return [ONE, TWO, LAST, PASSWORD].filter((secret) => text.includes(secret));
};

test('what was read by itself before is still a part of what stands beside it', () => {
  const text = 'Your password is ';
  expect(redact(text).value).toBe(text);
  expect(leaked({ text, data: PASSWORD })).toEqual([]);
});

describe('a key in several texts', () => {
  test.each<[string, unknown]>([
    ['a list of lines', { k: LINES }],
    ['a list in a list', [['before'], LINES]],
    ['blocks of content', { content: LINES.map((text) => ({ type: 'text', text })) }],
    ['lines of a log', LINES.map((message, at) => ({ at, message }))],
    ['members', Object.fromEntries(LINES.map((line, at) => [`line${at}`, line]))],
    ['two blocks', [LINES.slice(0, 3).join('\n'), LINES.slice(3).join('\n')]],
    ['lines without the end', { k: LINES.slice(0, 4) }],
    ['lines without the beginning', { k: LINES.slice(1) }],
    ['blocks without the beginning', LINES.slice(1).map((text) => ({ type: 'text', text }))],
    ['among other lines', ['reading key', ...LINES, 'that was it']],
    ['with the name of an algorithm', LINES.map((line) => line.replace('PRIVATE', 'RSA PRIVATE'))],
    ['numbered', LINES.map((line, at) => `${at + 1} | ${line}`)],
  ])('%s', (_what, value) => expect(leaked(value)).toEqual([]));

  test('goes, and nothing beside it', () => {
    const { value, findings } = redact({ content: ['reading key', ...LINES.slice(1), 'that was it'] });
    expect(value).toEqual({
      content: [
        'reading key',
        '[private-key:1]',
        '[private-key:2]',
        '[private-key:3]',
        '[private-key:4]',
        '',
        'that was it',
      ],
    });
    expect(findings[0]).toEqual({ rule: 'pem', path: '$.content[1]' });
    expect(redact(value)).toEqual({ value, findings: [] });
  });

  test('hides nothing else that stands in one of its texts', () => {
    const { value } = redact([
      `password=${PASSWORD} ${LINES[0]}`,
      ONE,
      `${LINES[4]} token=ghp_${'a1B2'.repeat(9)}`,
    ]);
    expect(JSON.stringify(value)).not.toMatch(/hunter2|MIIE|ghp_/);
  });

  test('whose lines stand there twice, and beside others', () => {
    const block = { type: 'text', text: `x ${LINES[0]}`, note: ONE, more: [TWO, `${LINES[4]} y`] };
    const { value } = redact([block, block, { text: LAST }, block]);
    expect(leaked(value)).toEqual([]);
    expect(JSON.stringify(value)).not.toMatch(/MIIE|jKc8|PRIVATE/);
    expect((value as { type: string; text: string }[])[0]).toMatchObject({
      type: 'text',
      text: 'x [private-key:1]',
    });
  });

  test.each<[string, unknown]>([
    ['a public key', LINES.map((line) => line.replace('PRIVATE', 'PUBLIC'))],
    ['a certificate', LINES.map((line) => line.replace('PRIVATE KEY', 'CERTIFICATE'))],
    ['the end line alone', ['expected', '-----END PRIVATE KEY-----', 'at the end']],
    ['words before it', 'Expected -----END PRIVATE KEY----- at the end of the file'],
  ])('%s is none', (_what, value) => expect(redact(value).value).toEqual(value));
});

describe('a text that begins inside a key', () => {
  test.each<[string, string]>([
    ['\n', '\n'],
    ['\\n', '\\n'],
    ['\r\n', '\r\n'],
    ['blanks', ' '],
    ['quotes', '\n> '],
  ])('with %j between its lines', (_what, between) => {
    const text = `${[ONE, TWO, LAST].join(between)}${between}-----END PRIVATE KEY-----`;
    expect(leaked(text)).toEqual([]);
    expect(leaked(`The rest was: ${text} and so on`)).toEqual([]);
    expect(redact(`The rest was: ${text} and so on`).value).toMatch(/^The rest was: .* and so on$/s);
  });

  test('stays JSON inside a string', () => {
    const text = JSON.stringify({ rest: `\n${ONE}\n${TWO}\n-----END PRIVATE KEY-----\n` });
    expect(leaked(text)).toEqual([]);
    expect(() => JSON.parse(redact(text).value)).not.toThrow();
  });
});

describe('an address in two texts', () => {
  test.each<[string, unknown]>([
    ['before the password', [`connect postgres://svc:`, `${PASSWORD}@10.0.0.5:5432/prod`]],
    ['before the user', ['connect postgres://', `svc:${PASSWORD}@10.0.0.5:5432/prod`]],
    ['before the host', [`connect postgres://svc:${PASSWORD}`, '@10.0.0.5:5432/prod']],
    [
      'blocks',
      [
        { type: 'text', text: 'postgres://svc:' },
        { type: 'text', text: `${PASSWORD}@db/prod` },
      ],
    ],
  ])('parted %s', (_what, value) => {
    expect(leaked(value)).toEqual([]);
    const once = redact(value).value;
    expect(redact(once)).toEqual({ value: once, findings: [] });
  });

  test('parted inside the password', () => {
    const [one, two] = redact(['at postgres://svc:hunter2Zq', '9secretX@10.0.0.5/prod']).value as string[];
    expect(one).toBe('at postgres://[host:1]:[credentials:1]');
    expect(two).toMatch(/^\[credentials:2\]@/);
  });

  test.each<[string, unknown]>([
    ['two addresses', ['https://example.com', 'https://example.org/a']],
    ['a port and a sentence', ['http://localhost:8080', 'is not reachable']],
    ['an address and a package', ['https://hub.example.com', '@scope/name@1.2.3']],
  ])('%s are none', (_what, value) => expect(redact(value).value).toEqual(value));
});

describe('other clothes', () => {
  test.each([
    `ｐassword＝${PASSWORD}`,
    `password＝${PASSWORD}`,
    `ＰＡＳＳＷＯＲＤ＝${PASSWORD}`,
    `ｔoken: ${PASSWORD}`,
  ])('%s', (text) => expect(leaked(text)).toEqual([]));

  test('hexadecimal', () => {
    const hex = [...`postgres://svc:${PASSWORD}@10.0.0.5/prod`]
      .map((char) => char.charCodeAt(0).toString(16))
      .join('');
    expect(redact(`dsn ${hex}.`).value).toBe('dsn [credentials:1].');
    expect(redact(`dsn ${hex.toUpperCase()}.`).value).toBe('dsn [credentials:1].');
    const benign = [...'just some words of a text'].map((char) => char.charCodeAt(0).toString(16)).join('');
    for (const text of [benign, '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'])
      expect(redact(`see ${text}`).value).toBe(`see ${text}`);
  });
});
