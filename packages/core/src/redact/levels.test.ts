import { describe, expect, test } from 'vitest';
import { BENIGN, INTERNALS, PERSONAL, SECRETS } from '../../../../bench/redact-cases.ts';
import { NAMED_FIXTURES, OTHER_FIXTURES, PREFIXED_FIXTURES } from '../../../../bench/redact-fixtures.ts';
import { createRandom, expand } from '../../../../bench/redact-random.ts';
import { createRedactor } from './index.ts';

const standard = createRedactor();
const strict = createRedactor({ level: 'strict' });

/** What a link carries state under. */
const NAMES: readonly string[] = ['state', 'nonce', 'session_id', 'request_uri', 'next'];

const SURROGATE = /\[[a-z][a-z-]{1,23}:\d{1,6}\]/;

/** What was taken out of a text: what stands in the place of each surrogate. */
function hiddenIn(text: string, redacted: string): readonly string[] {
  const stays = redacted.split(SURROGATE).map((part) => part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(`^${stays.join('([^]+?)')}$`).exec(text)?.slice(1) ?? [];
}

/** What the standard level hides, and the strict one tells. */
function toldAtStrict(text: string): readonly string[] {
  const { value } = standard.redactText(text);
  const told = strict.redactText(text).value;
  return hiddenIn(text, value).filter(
    (part) => part.length >= 4 && told.includes(part) && !value.includes(part),
  );
}

const found = (table: string): string[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(' | ')[1] as string);

describe('what the standard level hides, the strict one hides', () => {
  const random = createRandom(20261118);
  const texts = [
    ...found(PREFIXED_FIXTURES),
    ...found(NAMED_FIXTURES),
    ...OTHER_FIXTURES.flatMap(([, texts]) => texts),
    ...SECRETS,
    ...PERSONAL,
    ...INTERNALS,
    ...BENIGN,
  ].map((template) => expand(template, random).replace(/[⟦⟧]/g, ''));

  test('in plain texts', () => {
    expect(texts.length).toBeGreaterThan(700);
    expect(texts.filter((text) => toldAtStrict(text).length > 0)).toEqual([]);
  });

  test('within a sentence, a name and JSON', () => {
    for (const say of [
      (text: string) => `Request to shop failed: ${text}, try again`,
      (text: string) => `x_ref=${text}`,
      (text: string) => JSON.stringify({ error: { detail: text }, id: 7 }),
    ]) {
      expect(texts.map(say).filter((text) => toldAtStrict(text).length > 0)).toEqual([]);
    }
  });

  test('in base64 and hexadecimal', () => {
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      const encoded = texts.map((text) => `got ${Buffer.from(text).toString(encoding)} there`);
      expect(encoded.filter((text) => toldAtStrict(text).length > 0)).toEqual([]);
    }
  });

  test.each(NAMES)('in a link to open, under %s', (name) => {
    // Under each name others of the texts: names and texts are told apart each for itself.
    const place = NAMES.indexOf(name);
    const held = [
      { access_token: 'Wq8vT2rYp0ZsLk4HnD6bXe1M' },
      { user: 'ada', password: 'q1W2e3R4t5Y6u7' },
      { r: '/home', client_secret: '9f86d081884c7d659a2feaa0c55ad015' },
      { t: `ghp_${'Q7w'.repeat(12)}` },
      { email: 'ada@globex.io' },
    ].map((one) => JSON.stringify(one));
    const links = [...held, ...texts.filter((_, index) => index % 40 === 8 * place)].flatMap((text) =>
      (['base64', 'base64url', 'hex', 'utf8'] as const).map(
        (encoding) =>
          `https://portal.globex.io/go?${name}=${encodeURIComponent(Buffer.from(text).toString(encoding))}`,
      ),
    );
    for (const say of [
      (link: string) => `Please open ${link} in your browser.`,
      (link: string) => `Please open ${link}&response_type=code&client_id=web to sign in`,
      (link: string) => JSON.stringify({ auth_url: link }),
    ]) {
      expect(links.map(say).filter((text) => toldAtStrict(text).length > 0)).toEqual([]);
    }
  });
});
