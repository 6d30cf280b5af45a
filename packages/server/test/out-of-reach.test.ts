/** An address that could not be reached is told where the caller has named it; any other is a part of the server. */
import { describe, expect, it } from 'vitest';
import { error, said } from './thrown.ts';

const refused = (members: object): Error =>
  Object.assign(new TypeError('fetch failed'), { cause: error('', { code: 'ECONNREFUSED', ...members }) });

const CALLED: readonly (readonly [thrown: Error, sent: object, kind: string, words: string])[] = [
  [
    error('net::ERR_NAME_NOT_RESOLVED at http://nope.invalid'),
    { url: 'http://nope.invalid' },
    'not_found',
    'at http://nope.invalid',
  ],
  [
    error(
      'page.goto: net::ERR_NAME_NOT_RESOLVED at http://nope.invalid/\nCall log:\n  - navigating to "http://nope.invalid/"',
    ),
    { url: 'http://NOPE.invalid' },
    'not_found',
    'at http://nope.invalid/',
  ],
  [
    error('page.goto: NS_ERROR_UNKNOWN_HOST at http://nope.invalid/'),
    { url: 'http://nope.invalid' },
    'not_found',
    'UNKNOWN_HOST',
  ],
  [
    error('page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:3999/'),
    { url: 'http://localhost:3999' },
    'unavailable',
    'localhost:3999',
  ],
  [
    error('net::ERR_CONNECTION_TIMED_OUT at https://slow.example/'),
    { url: 'https://slow.example/' },
    'timeout',
    'slow.example',
  ],
  [
    error('net::ERR_CONNECTION_RESET at https://a.example/'),
    { url: 'https://a.example' },
    'disconnected',
    'a.example',
  ],
  [
    error('net::ERR_CERT_AUTHORITY_INVALID at https://self.example/'),
    { url: 'https://self.example/' },
    'unprocessable',
    'self.example',
  ],
  [
    error('Failed to fetch https://a.example/x: fetch failed'),
    { url: 'https://a.example/x' },
    'unavailable',
    'Failed to fetch https://a.example/x',
  ],
  [
    error('getaddrinfo ENOTFOUND nope.example'),
    { host: 'nope.example' },
    'not_found',
    'ENOTFOUND nope.example',
  ],
  [
    error('Could not resolve: getaddrinfo EAI_AGAIN nope.example.'),
    { url: 'https://nope.example/a' },
    'unavailable',
    'nope.example',
  ],
  [
    error('connect ECONNREFUSED 192.0.2.7:8080'),
    { host: '192.0.2.7', port: 8080 },
    'unavailable',
    'ECONNREFUSED',
  ],
  [
    refused({ address: '127.0.0.1', port: 59999 }),
    { url: 'http://127.0.0.1:59999/' },
    'unavailable',
    'Cannot reach 127.0.0.1:59999',
  ],
  [
    refused({ errors: [error('', { address: '::1', port: 59999 })] }),
    { url: 'http://localhost:59999/' },
    'unavailable',
    'Cannot reach [::1]:59999',
  ],
];

describe('what the caller has named', () => {
  it.each(CALLED)('%s', async (thrown, sent, kind, words) => {
    const [heard, text] = await said(thrown, sent);
    expect(heard).toBe(kind);
    expect(text).toContain(words);
    expect(text).not.toContain('Reference: ');
    // Of a name that there is none of, no other try knows more.
    expect(/try again later/.test(text)).toBe(!['not_found', 'unprocessable'].includes(kind));
  });
});

it.each(CALLED.map(([thrown]) => thrown))(
  'what nobody has named stays with the operator: %s',
  async (thrown) => {
    for (const sent of [{}, { id: 'o1', note: 'see https://other.example/' }]) {
      const [, text] = await said(thrown, sent);
      expect(text).toContain('Reference: ');
      expect(text).not.toMatch(/example|invalid|\d{4}\b.*:|192/);
    }
  },
);

it('a host that is a part of another name was not named', async () => {
  for (const sent of [{ host: 'db.example' }, { q: 'which db is it' }])
    expect((await said(error('getaddrinfo ENOTFOUND db'), sent))[1]).toContain('Reference: ');
  expect((await said(error('getaddrinfo ENOTFOUND db'), { host: 'db' }))[0]).toBe('not_found');
});
