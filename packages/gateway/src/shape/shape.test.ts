import { expect, it } from 'vitest';
import { createShape } from './shape.ts';
import { isToolName, otherName } from './tool-name.ts';

const NOTHING = { allow: undefined, deny: [], rename: {}, descriptions: {} };

it('shows everything where nothing is said', () => {
  const shape = createShape(NOTHING);
  expect([shape.isPlain, shape.shown('a.b'), shape.own('a.b')]).toEqual([true, 'a.b', 'a.b']);
});

it('shows what is allowed and not denied', () => {
  const shape = createShape({ ...NOTHING, allow: ['read_*', 'stat'], deny: ['*_secret'] });
  const names = ['read_file', 'stat', 'read_secret', 'write_file', 'Stat'];
  expect(names.map(shape.shown)).toEqual(['read_file', 'stat', undefined, undefined, undefined]);
  expect(names.map(shape.own)).toEqual(['read_file', 'stat', undefined, undefined, undefined]);
});

it('knows a tool by its new name alone', () => {
  const shape = createShape({ ...NOTHING, rename: { read_text_file: 'read' } });
  expect([shape.shown('read_text_file'), shape.own('read')]).toEqual(['read', 'read_text_file']);
  expect(shape.own('read_text_file')).toBeUndefined();
});

it('gives a tool whose name another was given one of its own, always the same', () => {
  const shape = createShape({ ...NOTHING, rename: { read_text_file: 'read' } });
  expect([shape.shown('read'), shape.own('read_3316348d')]).toEqual(['read_3316348d', 'read']);
});

it('takes names that were swapped, and names of tools that are not shown', () => {
  const swapped = createShape({ ...NOTHING, rename: { a: 'b', b: 'a' } });
  expect([swapped.shown('a'), swapped.shown('b'), swapped.own('a')]).toEqual(['b', 'a', 'b']);
  const hidden = createShape({ ...NOTHING, deny: ['a'], rename: { a: 'b' } });
  expect([hidden.shown('a'), hidden.shown('b'), hidden.own('b')]).toEqual([undefined, 'b', 'b']);
});

it('makes other names that every client takes', () => {
  expect(otherName('x'.repeat(100))).toMatch(/^x{55}_[0-9a-f]{8}$/);
  expect(['a', 'A-1_b', 'x'.repeat(64)].map(isToolName)).toEqual([true, true, true]);
  expect(['', 'a.b', 'a b', 'ä', 'x'.repeat(65)].map(isToolName)).toEqual(Array(5).fill(false));
});
