import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalUri, formsOf, meantBy, readingsOf } from './uri-readings.ts';

it.each([
  ['demo://r/a', ['demo://r/a'], []],
  ['https://example.com/a?b=c#d', ['https://example.com/a?b=c#d'], []],
  ['DEMO://r/a', ['DEMO://r/a', 'demo://r/a'], []],
  ['demo://r/x/../a', ['demo://r/x/../a', 'demo://r/a'], []],
  ['demo://r/x/%2E%2e/a', ['demo://r/x/%2E%2e/a', 'demo://r/a'], []],
  ['demo://r/x/..%2fa', ['demo://r/x/..%2fa'], ['demo://r/a']],
  ['demo://r/x/..\\a', ['demo://r/x/..\\a'], ['demo://r/a']],
  ['demo://r/%ff%2e%2e%2f..%2fa', ['demo://r/%ff%2e%2e%2f..%2fa'], ['demo://r/a']],
  ['demo://r/x%3F%2F..%2Fa?b=c%2Fd', ['demo://r/x%3F%2F..%2Fa?b=c%2Fd'], ['demo://r/a?b=c/d']],
  ['demo://r/%73ecret%2a', ['demo://r/%73ecret%2a'], ['demo://r/secret%2A']],
  ['file:////secret.txt', ['file:////secret.txt'], ['file:///secret.txt']],
  ['file:/secret.txt', ['file:/secret.txt', 'file:///secret.txt'], []],
  ['file://LOCALHOST/a', ['file://LOCALHOST/a', 'file:///a'], []],
  ['https://Example.com:443', ['https://Example.com:443', 'https://example.com/'], []],
  ['memo:a/../b', ['memo:a/../b'], ['memo:b']],
  ['a/../b/', ['a/../b/'], ['b/']],
  ['demo://r/a/..', ['demo://r/a/..', 'demo://r/'], []],
  ['docs://pub/../secret', ['docs://pub/../secret', 'docs://pub/secret'], ['docs://secret']],
  ['docs://%50ub/x', ['docs://%50ub/x'], ['docs://pub/x', 'docs://Pub/x']],
  ['demo://u:p@r:80/a', ['demo://u:p@r:80/a'], []],
  ['', [''], []],
])('%j is read as %j and %j', (uri, written, paths) => {
  expect(readingsOf(uri)).toEqual({ written, paths });
});

it.each([
  ['demo:r/a', ['demo:r/a']],
  ['demo://u@r/a', ['demo://u@r/a', 'demo://r/a']],
  [
    'demo://u:p@r:80/a',
    ['demo://u:p@r:80/a', 'demo://u:p@r/a', 'demo://u@r:80/a', 'demo://u@r/a', 'demo://r:80/a', 'demo://r/a'],
  ],
  ['demo://x@y@r/a', ['demo://x@y@r/a', 'demo://r/a']],
  ['demo://[::1]:80/a', ['demo://[::1]:80/a', 'demo://[::1]/a']],
  ['https://h.example/a', ['https://h.example/a', 'https://h.example:443/a']],
  ['demo://Owner./a@b:1', ['demo://Owner./a@b:1', 'demo://Owner/a@b:1', 'demo://owner/a@b:1']],
  ['demo://r?a', ['demo://r?a', 'demo://r/?a']],
])('%j could mean %j', (reading, meant) => {
  expect(meantBy(reading)).toEqual(meant);
});

it('reads what is hidden in what is no letter', () => {
  const { written, paths } = readingsOf(' de\tmo://r/x/../a');
  expect([written, paths[0]]).toEqual([[' de\tmo://r/x/../a', 'demo://r/a'], ' de\tmo:/r/a']);
});

it('reads anything', () => {
  const parts = fc.constantFrom('a', '/', '.', '..', '%2e', '%2F', '%', ':', '?', '#', '\\', '*', '\ud800');
  fc.assert(
    fc.property(fc.string({ unit: parts, maxLength: 12 }), (uri) => {
      expect(readingsOf(uri).written[0]).toBe(uri);
      expect(typeof canonicalUri(uri)).toBe('string');
    }),
  );
});

it.each([
  ['bank/pay', ['bank/pay']],
  ['*', ['*']],
  ['web/https://Example.com', ['web/https://Example.com', 'web/https://example.com/']],
  ['files/FILE:///My Docs/*', ['files/FILE:///My Docs/*', 'files/file:///My%20Docs/*']],
  // Whoever writes dots means them.
  ['files/file:///*/../*', ['files/file:///*/../*']],
  ['files/file:///%2e%2E/*', ['files/file:///%2e%2E/*']],
])('the pattern %s is written as %j', (pattern, forms) => {
  expect(formsOf(pattern).written).toEqual(forms);
});

it.each([' DEMO://r/x/..//a', 'demo://r/%61', 'demo://r./a', 'demo://r/a'])(
  '%j is the same as others',
  (uri) => {
    expect(canonicalUri(uri)).toBe('demo://r/a');
  },
);
