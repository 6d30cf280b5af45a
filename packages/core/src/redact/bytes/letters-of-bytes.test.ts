import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRedactor, redact } from '../index.ts';

/** Bytes that are as good as those of a picture, the same each time. */
function bytesOf(seed: number, length = 24_000): Buffer {
  const parts: Buffer[] = [];
  let last = Buffer.from(String(seed));
  for (let at = 0; at < length; at += last.length) {
    last = createHash('sha256').update(last).digest();
    parts.push(last);
  }
  return Buffer.concat(parts).subarray(0, length);
}

const PICTURES = Array.from({ length: 24 }, (_, seed) => bytesOf(seed).toString('base64'));

describe('bytes in base64 hold no words', () => {
  it.each([
    [
      'a picture of a result',
      (data: string) => ({ content: [{ type: 'image', data, mimeType: 'image/png' }] }),
    ],
    ['a resource', (blob: string) => ({ contents: [{ uri: 'file:///a.pdf', blob }] })],
    ['any member', (at: string) => ({ at })],
    ['an address in a text', (data: string) => `seen: ![](data:image/png;base64,${data}) end`],
    ['a text in lines', (data: string) => `begin\n${(data.match(/.{1,76}/g) ?? []).join('\n')}\nend`],
    ['a text in lines of another system', (data: string) => (data.match(/.{1,64}/g) ?? []).join('\r\n')],
  ])('%s stays what it is', (_what, made) => {
    expect(PICTURES.flatMap((picture) => redact(made(picture) as unknown).findings)).toEqual([]);
  });

  it('and what stands beside them goes', () => {
    const text = `password=hunter2zz9 data:image/png;base64,${PICTURES[0]} mail jane.doe@example.org`;
    const { value } = redact(text);
    expect(value).toBe(`password=[password:1] data:image/png;base64,${PICTURES[0]} mail [email:1]`);
  });
});

describe('what is to go goes', () => {
  const long = bytesOf(99, 300).toString('base64');

  it.each([
    ['a long secret beneath its name', { client_secret: long }],
    ['a long secret in a text', `client_secret=${long}`],
    ['a header with it', `Authorization: Bearer ${long}`],
    [
      'a key in its frame',
      `-----BEGIN PRIVATE KEY-----\n${(long.match(/.{1,64}/g) ?? []).join('\n')}\n-----END PRIVATE KEY-----`,
    ],
    ['a key in its frame, on one line', `-----BEGIN PRIVATE KEY-----${long}-----END PRIVATE KEY-----`],
  ])('%s', (_what, value) => {
    expect(JSON.stringify(redact(value as unknown).value)).not.toContain(long.slice(40, 60));
  });

  it('a token on each line', () => {
    const tokens = [1, 2, 3, 4, 5].map(
      (seed) => `ghp_${bytesOf(seed, 90).toString('base64url').replace(/[-_]/g, 'a').slice(0, 36)}`,
    );
    const { value } = redact(tokens.join('\n'));
    expect(tokens.filter((token) => value.includes(token))).toEqual([]);
  });

  it('a home in a long path', () => {
    const path = `/home/janedoe/${'projects/service/handlers/'.repeat(14)}main`;
    expect(redact(`cannot read ${path}`).value).not.toContain('janedoe');
  });

  it('what a caller hides, and what the rules of a user find', () => {
    const [text = ''] = PICTURES;
    const part = text.slice(5000, 5040);
    expect(createRedactor({ hide: [part] }).redactText(text).value).not.toContain(part);
    const own = {
      id: 'own',
      class: 'own',
      keywords: [part.slice(0, 8)],
      pattern: new RegExp(part.replaceAll('+', '\\+')),
      truePositives: [],
      nearMisses: [],
    };
    expect(createRedactor({ rules: [own] }).redactText(text).value).not.toContain(part);
  });
});
