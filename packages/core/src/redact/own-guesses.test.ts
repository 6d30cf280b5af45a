/** Whoever sends a list of guesses does not learn from redaction which of them is right. */
import { expect, it } from 'vitest';
import { redact } from './index.ts';

const PINS = Array.from({ length: 10_000 }, (_, index) => String(index).padStart(4, '0'));
const WORDS = Array.from({ length: 500 }, (_, index) => `Sommer${1900 + index}!`);

it.each([
  ['The PIN for this card is 7391', '7391', PINS],
  ['Wrong PIN, expected 7391', '7391', PINS],
  ['Secret Sommer2026! rejected', 'Sommer2026!', WORDS],
  ['shared secret was Sommer2026!, expected another', 'Sommer2026!', WORDS],
])('%s', (text, secret, guesses) => {
  expect(redact(text).value).not.toContain(secret);
  expect(redact(text, { own: guesses }).value).not.toContain(secret);
  expect(redact(text, { own: [guesses.join(' ')] }).value).not.toContain(secret);
});

it('tells nobody what stands among other words of his, and everybody what he has sent as it is', () => {
  const text = 'Secret Sommer2026! rejected';
  expect(redact(text, { own: ['123456 Sommer2026! qwerty'] }).value).not.toContain('Sommer2026!');
  expect(redact(text, { own: ['Sommer2026!'] }).value).toBe(text);
});

it('tells everybody what he has named himself, however long the rest is', () => {
  const own = ['user:1001:profile', 'x '.repeat(2000)];
  expect(redact('Key "user:1001:profile" not found', { own }).value).toBe(
    'Key "user:1001:profile" not found',
  );
  const sha = '3f2a9c1d0b7e8f6a5c4d3e2f1a0b9c8d7e6f5a4b';
  expect(redact(`bad object ${sha}`, { own: [`git show ${sha} ${'x '.repeat(2000)}`] }).value).toContain(sha);
});
