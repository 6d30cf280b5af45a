/** Base64 of a text with a colon is a login only where nothing else is said so. */
import { expect, it } from 'vitest';
import { redact } from './index.ts';

const ENCODINGS = ['base64', 'base64url'] as const;
const around = (said: string): string => `Client ${said} not found at https://example.com/page`;

it.each([
  'https://example.com/page',
  'https://example.com/pag',
  'http://example.com',
  'ftp://example.com/a',
  'https://api.example.com/v1/items?page=2',
  's3://bucket/key',
  'gid://shopify/Product/12',
  'file:///etc/hosts',
  'data:text/plain,hello',
  'data:image/png;base64',
  'mailto:support@example.com',
  'urn:isbn:0451450523',
  'sha256:abcdef',
  '{"a":1,"b":"c"}',
  '12:30:45 today',
  '2026-01-02T10:00:00Z',
  'cursor:2026-01-01',
  'key: value prose',
  'Note: this is a text',
  'issue:PROJ-12',
])('stays: %s', (text) => {
  for (const encoding of ENCODINGS) {
    const said = around(Buffer.from(text).toString(encoding));
    expect(redact(said).value).toBe(said);
  }
});

it.each([
  'admin:hunter2',
  'svc:Sommer2020!',
  'admin:12345678',
  'admin:https://x',
  'https:secret99',
  'app_user:p@ss:w0rd',
  'client:8f3a9c2b1d',
  'https://user:Sommer77@example.com/x',
  '{"password":"Sommer77xx"}',
])('goes: %s', (text) => {
  for (const encoding of ENCODINGS) {
    const encoded = Buffer.from(text).toString(encoding);
    expect(redact(around(encoded)).value).not.toContain(encoded);
  }
});
