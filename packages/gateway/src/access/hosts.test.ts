/** A pattern that names a host is about that host, whatever is written around it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { fitsUnderAny, namesRead } from '../limits/scope.ts';
import { createRules, type Verdict } from './rules.ts';

type Rule = Parameters<typeof createRules>[0]['access']['rules'][number];

const ANN = { id: 'ann', name: 'ann', isKnown: true, scopes: [] };

function verdictOf(uri: string, rules: readonly Rule[], otherwise: 'allow' | 'deny' = 'allow'): string {
  const all = createRules(
    {
      access: { rules, default: otherwise, refusals: 'explicit' },
      oauth: { scopes: [] },
    } as unknown as Parameters<typeof createRules>[0],
    () => false,
  );
  return said(all?.verdict(ANN as never, 'web', { type: 'resource', name: uri }));
}

function said(verdict: Verdict | undefined): string {
  if (verdict === undefined) return 'no rules';
  if (verdict.isAllowed) return verdict.consent === undefined ? 'allowed' : 'consent';
  return verdict.missing.length > 0 ? 'scopes' : 'denied';
}

const counts = (pattern: string, uri: string): boolean =>
  fitsUnderAny([`web/${pattern}`])({ names: namesRead('web', uri) });

it.each([
  // The host as its scheme keeps it, and in small letters.
  ['demo://Payroll/*', 'demo://u@Payroll/a', true],
  ['demo://Payroll/*', 'demo://u:p@Payroll/a', true],
  ['demo://Payroll/*', 'demo://Payroll:80/a', true],
  ['demo://Payroll/*', 'demo://payroll/a', true],
  ['demo://payroll/*', 'demo://u@PAYROLL:1/a', true],
  ['demo://Payroll/*', 'demo://Pay/roll/a', false],
  // A port is that port, with whichever user.
  ['http://localhost:8080/*', 'http://x@localhost:8080/a', true],
  ['http://localhost:8080/*', 'http://x:y@localhost:8080/a', true],
  ['https://[::1]:8443/*', 'https://x@[::1]:8443/a', true],
  ['*://payroll:8080/*', 'demo://x@payroll:8080/a', true],
  ['http://localhost:8080/*', 'http://localhost:7070/a', false],
  ['http://localhost:8080/*', 'http://localhost/a', false],
  ['http://localhost:80/*', 'http://localhost/a', true],
  ['http://localhost:80/*', 'http://u@localhost/a', true],
  ['https://localhost:443/*', 'https://localhost:8443/a', false],
  ['http://localhost:*/*', 'http://localhost/a', true],
  // A user is that user, with whichever password and port.
  ['db://root@main/*', 'db://root@main:5432/a', true],
  ['db://root@main/*', 'db://root:x@main/a', true],
  ['db://root@main/*', 'db://guest@main/a', false],
  ['db://root@main/*', 'db://main:5432/a', false],
  // The dot at the end of a host.
  ['https://secret.example/*', 'https://secret.example./a', true],
  ['https://secret.example/*', 'https://u@SECRET.example.:8443/a', true],
  ['demo://secret.example/*', 'demo://secret.example./a', true],
  ['https://secret.example./*', 'https://secret.example/a', true],
  // Nothing behind the host.
  ['demo://payroll/*', 'demo://payroll', true],
  ['demo://payroll/*', 'demo://payroll?x', true],
  ['demo://payroll/*', 'demo://payrolls', false],
  // A file, whatever host stands before its path.
  ['file:///etc/*', 'file:///etc/passwd', true],
  ['file:///etc/*', 'file://x/etc/passwd', true],
  ['file:///etc/*', 'FILE://LOCALHOST/etc/passwd', true],
  ['file:///*', 'file://u@x:1/etc/passwd', true],
  ['file:///etc/*', 'file://etc/passwd', false],
])('%s is about %s: %s', (pattern, uri, isAbout) => {
  const patterns = [`web/${pattern}`];
  expect({
    deny: verdictOf(uri, [{ deny: patterns } as never]),
    approve: verdictOf(uri, [{ approve: patterns } as never]),
    scopes: verdictOf(uri, [{ allow: patterns, scopes: ['s'] } as never]),
    limit: counts(pattern, uri),
  }).toEqual({
    deny: isAbout ? 'denied' : 'allowed',
    approve: isAbout ? 'consent' : 'allowed',
    scopes: isAbout ? 'scopes' : 'allowed',
    limit: isAbout,
  });
});

it.each([
  ['https://*.corp.example/*', 'https://a.corp.example/x', true],
  ['https://*.corp.example/*', 'https://a.b.corp.example/x/y?z#w', true],
  ['https://*.corp.example/*', 'https://evil.test/a.corp.example/x', false],
  ['https://*.corp.example/*', 'https://evil.test/?a.corp.example/x', false],
  ['https://*.corp.example/*', 'https://evil.test/#a.corp.example/x', false],
  ['https://*.corp.example/*', 'https://evil.test\\a.corp.example/x', false],
  ['https://*.corp.example/*', 'https://evil.test/.corp.example/x', false],
  ['https://*.corp.example/*', 'https://u@a.corp.example/x', false],
  ['https://*.corp.example/*', 'https://a.corp.example:8443/x', false],
  ['https://*.corp.example/*', 'https://a.corp.example@evil.test/x', false],
  ['https://*.corp.example/open/*', 'https://a.corp.example/?.corp.example/open/x', false],
  ['*https://*.corp.example/*', 'https://evil.test/a.corp.example/x', false],
  ['*://*.corp.example/*', 'https://evil.test/a.corp.example/x', false],
  ['https://corp.example*', 'https://corp.example/x', true],
  ['https://corp.example*', 'https://corp.example@evil.test/x', false],
  ['https://corp.example:8443/*', 'https://corp.example:8443/x', true],
  ['https://corp.example:443/*', 'https://corp.example/x', true],
  ['https://corp.example/*', 'https://corp.example:8443/x', false],
  ['https://corp.example:*/*', 'https://corp.example:8443/x', true],
  ['https://corp.example:*/*', 'https://corp.example:8443@evil.test/x', false],
  ['https://*/*', 'https://u@evil.test:1/x', true],
  ['https://*', 'https://evil.test/x', true],
  ['*', 'https://u@evil.test:1/x', true],
  ['db://root@main/*', 'db://root@main/x', true],
  ['db://root@main/*', 'db://main/x', false],
  ['notes://*/open/*', 'notes://My%20Team/open/x', true],
])('with default: deny, %s lets %s pass: %s', (pattern, uri, isAllowed) => {
  expect(verdictOf(uri, [{ allow: [`web/${pattern}`] } as never], 'deny')).toBe(
    isAllowed ? 'allowed' : 'denied',
  );
  expect(verdictOf(uri, [{ approve: [`web/${pattern}`] } as never], 'deny')).toBe(
    isAllowed ? 'consent' : 'denied',
  );
});

it('lets one port of a denied host pass, and no other', () => {
  const rules = [{ allow: ['web/http://h:8080/*'] }, { deny: ['web/http://h/*'] }] as never[];
  expect(
    ['http://h:8080/a', 'http://h:7070/a', 'http://u@h:8080/a', 'http://h/a'].map((uri) =>
      verdictOf(uri, rules),
    ),
  ).toEqual(['allowed', 'denied', 'denied', 'denied']);
});

const SCHEMES = ['http', 'https', 'ws', 'demo', 'github'] as const;
const HOSTS = ['corp.example', 'Payroll', 'a-b.corp.example', '10.0.0.1', '[::1]', 'localhost'] as const;
const scheme = fc.constantFrom(...SCHEMES);
const host = fc.constantFrom(...HOSTS);
const plain = (name: string): string => name.toLowerCase().replace(/\.+$/, '');

const PIECES = [
  'corp.example',
  'Payroll',
  'evil.test',
  'a.',
  '.corp.example',
  'localhost',
  '10.0.0.1',
  '[::1]',
  '/',
  '//',
  '?',
  '#',
  '\\',
  '@',
  ':',
  ':80',
  ':8443',
  '.',
  '..',
  '%2e',
  '%2F',
  '%40',
  '\t',
  ' ',
  'x',
] as const;

it('never lets another host pass', () => {
  const some = fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 4 });
  const wild = fc.constantFrom('', '*.', 'a*.');
  fc.assert(
    fc.property(scheme, wild, host, some, some, (by, before, name, first, last) => {
      const uri = `${by}://${first}${before.replace('*', 'a')}${name}${last}/x`;
      fc.pre(URL.canParse(uri) || by.startsWith('http'));
      const verdict = verdictOf(uri, [{ allow: [`web/${by}://${before}${name}/*`] } as never], 'deny');
      const found = URL.canParse(uri) ? plain(new URL(uri).hostname) : undefined;
      const isThat = before === '' ? found === plain(name) : found?.endsWith(`.${plain(name)}`) === true;
      expect(isThat || verdict === 'denied', `${before}${name}: ${uri}`).toBe(true);
    }),
    { numRuns: runs(3000) },
  );
});

it('denies a host however it is written', () => {
  const user = fc.constantFrom('', 'u@', 'u:p@', 'a@b@', ':@', 'corp.example@');
  const port = fc.constantFrom('', ':', ':80', ':443', ':8443');
  const dot = fc.constantFrom('', '.');
  const letters = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
  );
  const rest = fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 4 });
  fc.assert(
    fc.property(scheme, user, host, dot, port, rest, letters, (by, who, name, end, at, after, inLetters) => {
      const uri = `${by}://${who}${inLetters(name)}${end}${at}${after === '' ? '' : `/${after}`}`;
      fc.pre(URL.canParse(uri) && plain(new URL(uri).hostname) === plain(name));
      expect(verdictOf(uri, [{ deny: [`web/${by}://${name}/*`] } as never]), uri).toBe('denied');
      expect(counts(`${by}://${name}/*`, uri), uri).toBe(true);
    }),
    { numRuns: runs(3000) },
  );
});
