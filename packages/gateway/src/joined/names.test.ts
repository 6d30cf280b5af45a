import { expect, it } from 'vitest';
import { createNames } from './names.ts';

it('takes names apart at the longest upstream', () => {
  const names = createNames(['a', 'a_b'], '_');
  expect(names.split('a_b_c')).toEqual({ upstream: 'a_b', name: 'c' });
  expect(names.split('a_c')).toEqual({ upstream: 'a', name: 'c' });
  expect(names.split('b_c')).toBeUndefined();
});

it('keeps joined names at 64 characters, unique, and finds their owners', () => {
  const names = createNames(['files', 'search'], '_');
  const long = 'x'.repeat(80);
  const joined = [
    names.join('files', `${long}1`),
    names.join('files', `${long}2`),
    names.join('search', `${long}1`),
  ];
  expect(joined.map((name) => name.length)).toEqual([64, 64, 64]);
  expect(new Set(joined).size).toBe(3);
  expect(names.split(joined[1] ?? '')).toEqual({ upstream: 'files', name: `${long}2` });
  expect(names.split(joined[2] ?? '')).toEqual({ upstream: 'search', name: `${long}1` });
});

it('leaves names alone without a separator, and prefixes the second of the same name', () => {
  const names = createNames(['files', 'search'], '');
  expect(names.join('files', 'read')).toBe('read');
  expect(names.join('search', 'read')).toBe('search_read');
  expect(names.join('files', 'read')).toBe('read');
  expect(names.split('read')).toEqual({ upstream: 'files', name: 'read' });
  expect(names.split('search_read')).toEqual({ upstream: 'search', name: 'read' });
  expect(names.split('write')).toBeUndefined();
});

it('gives everything to the only upstream there is', () => {
  expect(createNames(['files'], '').split('anything')).toEqual({ upstream: 'files', name: 'anything' });
});

it('gives names of tools that no client takes others, the same each time', () => {
  const joined = () => {
    const names = createNames(['files'], '_', { areSafe: true });
    return ['a.b', 'a_b', 'ä', ''].map((name) => names.join('files', name));
  };
  expect(joined()).toEqual(['files_a_b_52cba90c', 'files_a_b', 'files___3485b118', 'files_']);
  expect(joined()).toEqual(joined());
});

it('leaves the characters of a separator that was chosen', () => {
  const names = createNames(['files'], '.', { areSafe: true });
  expect(names.join('files', 'a.b')).toBe('files.a.b');
  expect(names.join('files', 'a/b')).toMatch(/^files\.a_b_[0-9a-f]{8}$/);
});

it('keeps apart what would be the same after the prefix', () => {
  const names = createNames(['a', 'a-b'], '-');
  expect([names.join('a-b', 'c'), names.join('a', 'b-c')]).toEqual(['a-b-c', 'a-b-c_b88f83c8']);
  expect(names.split('a-b-c_b88f83c8')).toEqual({ upstream: 'a', name: 'b-c' });
});

it('gives a tool another name whose own was made for one of the same upstream', () => {
  const names = createNames(['files'], '_', { areSafe: true });
  expect(names.join('files', 'a.b')).toBe('files_a_b_52cba90c');
  const other = names.join('files', 'a_b_52cba90c');
  expect(other).toMatch(/^files_a_b_52cba90c_[0-9a-f]{8}$/);
  expect(names.split('files_a_b_52cba90c')).toEqual({ upstream: 'files', name: 'a.b' });
  expect(names.split(other)).toEqual({ upstream: 'files', name: 'a_b_52cba90c' });
});

it('knows which names only a list can explain', () => {
  const names = createNames(['files'], '_', { areSafe: true });
  const other = createNames(['files'], '_', { areSafe: true }).join('files', 'a.b');
  expect([names.isToBeListed(other), names.isToBeListed('files_a_b')]).toEqual([true, false]);
  names.join('files', 'a.b');
  expect(names.isToBeListed(other)).toBe(false);
  expect(names.split(other)).toEqual({ upstream: 'files', name: 'a.b' });
});

it('has every name listed that says nothing about its owner, unless there is only one', () => {
  const names = createNames(['files', 'search'], '');
  expect(names.isToBeListed('read')).toBe(true);
  names.join('files', 'read');
  expect(names.isToBeListed('read')).toBe(false);
  expect(createNames(['files'], '').isToBeListed('read')).toBe(false);
});

it('asks once for a name that only looks as if it had been made', () => {
  const names = createNames(['files'], '_', { areSafe: true });
  expect(names.isToBeListed('files_x_0123abcd')).toBe(true);
  names.join('files', 'x_0123abcd');
  expect(names.isToBeListed('files_x_0123abcd')).toBe(false);
});

it('goes on with what was learned before, until the owner lists something else', () => {
  const before = createNames(['files', 'search', 'gone'], '');
  before.join('files', 'read');
  before.join('gone', 'leave');
  const between = createNames(['files', 'search'], '', { learned: before.learned() });
  const names = createNames(['files', 'search'], '', { learned: between.learned() });
  expect(names.join('search', 'read')).toBe('search_read');
  expect(names.split('read')).toEqual({ upstream: 'files', name: 'read' });
  expect(names.isToBeListed('read')).toBe(false);
  expect([names.split('leave'), names.isToBeListed('leave')]).toEqual([undefined, true]);
  names.join('files', 'write');
  expect(names.split('read')).toBeUndefined();
  expect(names.join('search', 'read')).toBe('read');
});
