import { expect, it } from 'vitest';
import { resolveSettings } from './resolve.ts';
import type { SettingsFile } from './settings.ts';

const URL = 'http://127.0.0.1:9/mcp';
const STORE = { url: 'memory:', secret: 'a-secret-of-the-store' };

const check = (file: Partial<SettingsFile>, web: object): string => {
  try {
    resolveSettings({ store: STORE, ...file, upstreams: { web: { url: URL, ...web } } });
    return 'fine';
  } catch (error) {
    return (error as Error).message;
  }
};

it('takes a header, with a word before it or without', () => {
  expect(check({}, { caller_credentials: 'authorization' })).toBe('fine');
  expect(check({}, { caller_credentials: { header: 'X-Api-Key', scheme: 'Key', required: false } })).toBe(
    'fine',
  );
});

it.each([
  [
    'no store',
    { store: undefined },
    'authorization',
    'They are kept in a store, sealed; add store with a url',
  ],
  ['no secret', { store: 'memory:' }, 'authorization', 'store.secret is missing; add `secret: $'],
  [
    'a short secret',
    { store: { ...STORE, secret: 'fifteen-letters' } },
    'authorization',
    'Expected 16 or more visible characters',
  ],
  [
    'a very short secret',
    { store: { ...STORE, secret: 'seven-l' } },
    'authorization',
    'Expected 16 or more visible characters',
  ],
  ['a header of the protocol', {}, 'Mcp-Session-Id', 'This header is not free to carry a credential'],
  ['a header of the connection', {}, 'Host', 'This header is not free to carry a credential'],
  ['a word without a header', {}, { scheme: 'Bearer' }, 'header is missing'],
  ['no header, though it is required', {}, { required: true }, 'caller_credentials: header is missing'],
  ['nothing at all', {}, {}, 'caller_credentials: header is missing'],
  ['two words', {}, { header: 'authorization', scheme: 'Bearer of' }, 'Expected one word'],
])('refuses %s', (_what, file, wanted, why) => {
  expect(check(file as Partial<SettingsFile>, { caller_credentials: wanted })).toContain(why);
});

it('refuses a header that somebody else writes', () => {
  const both = { caller_credentials: 'X-Api-Key', headers: { 'x-api-key': 'of-all-callers' } };
  expect(check({}, both)).toContain('headers has it too, the same for all callers; keep one of them');
  const issuers = [{ name: 'login', issuer: 'https://login.example' }];
  const oauth = { resource: 'https://mcp.example.com', issuers };
  const passed = { caller_credentials: 'authorization', token_audience: 'https://search.example' };
  expect(check({ oauth }, passed)).toContain('token_audience sends the token of the caller in this header');
  expect(check({ oauth }, { ...passed, caller_credentials: 'x-api-key' })).toBe('fine');
});
