import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom, expand } from '../../../../bench/redact-random.ts';
import { createRedactor } from './index.ts';

const redactor = createRedactor();
const random = createRandom(5);
const key = expand('ghp_{n36}', random);
const pem = expand(
  '-----BEGIN RSA PRIVATE KEY-----\n{b64}\n{b64}\n{b64}\n-----END RSA PRIVATE KEY-----',
  random,
);
const trace = 'Error: boom\n    at f (/srv/a.js:1:2)\n    at g (/srv/b.js:3:4)\nnext line';
const text = `first ${key}\nplain\n${pem}\n${trace}\nagain ${key}\nmail jo@example.com\n`;

function run(input: string, sizes: readonly number[]): string {
  const stream = redactor.stream();
  let out = '';
  let at = 0;
  for (let i = 0; at < input.length; i++) {
    const size = sizes[i % sizes.length] as number;
    out += stream.push(input.slice(at, at + size));
    at += size;
  }
  return out + stream.end();
}

test('the pieces give what the whole gives, however it is cut', () => {
  const whole = redactor.redactText(text).value;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 12 }), (sizes) => {
      expect(run(text, sizes)).toBe(whole);
    }),
    { numRuns: 200 },
  );
});

test('nothing is lost or changed in benign text', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 20 }), (benign, size) => {
      const clean = benign.replace(/[^a-z\n ]/g, '');
      expect(run(clean, [size])).toBe(clean);
    }),
  );
});

test('a line that never ends goes out in parts, secrets whole', () => {
  const line = `${'lorem ipsum '.repeat(30_000)}${key} ${'dolor sit '.repeat(30_000)}`;
  const stream = redactor.stream();
  let early = '';
  for (let at = 0; at < line.length; at += 1000) {
    early += stream.push(line.slice(at, at + 1000));
  }
  expect(early.length).toBeGreaterThan(line.length / 2);
  expect(early + stream.end()).toBe(line.replace(key, '[token:1]'));
  expect(stream.findings).toEqual([{ rule: 'github-pat', path: '$' }]);
});
