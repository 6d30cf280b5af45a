import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createNames } from './tool-names.ts';

it('keeps a name that every client accepts', () => {
  expect(createNames().take('repos/list-for_org', 'GET /x')).toBe('repos_list-for_org');
});

it('tells apart what would be called the same', () => {
  const names = createNames();
  const long = 'codeScanning-'.repeat(6);
  const given = [`${long}one`, `${long}two`, 'a/b', 'a_b', 'a b', '', '///'].map((wanted, i) =>
    names.take(wanted, `GET /${i}`),
  );
  expect(new Set(given).size).toBe(7);
  expect(given.slice(2, 4)).toEqual(['a_b', expect.stringMatching(/^a_b_[0-9a-f]{8}$/)]);
});

it('gives the same long operation the same name, whatever comes before it', () => {
  const wanted = 'x'.repeat(100);
  const late = createNames();
  late.take('y'.repeat(100), 'GET /y');
  expect(late.take(wanted, 'GET /x')).toBe(createNames().take(wanted, 'GET /x'));
});

it('gives everything a name of its own, of at most 64 letters, digits, _ and -', () => {
  const wishes = fc.array(
    fc.string({ unit: fc.constantFrom('a', 'B', '/', '_', '-', 'é', ' ', '\ud800'), maxLength: 80 }),
  );
  fc.assert(
    fc.property(wishes, (wanted) => {
      const names = createNames();
      const given = wanted.map((name, i) => names.take(name, String(i)));
      return (
        new Set(given).size === given.length && given.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))
      );
    }),
  );
});
