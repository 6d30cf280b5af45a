/** Whose template a URI fits. */
import { expect, it } from 'vitest';
import { overlap, Templates } from './templates.ts';

it.each([
  ['file:///a/b', 'files'],
  ['file:///logs/today', 'files'],
  ['file:///logs/{day}', 'logs'],
  ['db://orders/rows/7', 'db'],
  ['db://orders/7', undefined],
  ['fixed://one', 'fixed'],
  ['fixed://one/more', undefined],
  ['x', undefined],
])('%s belongs to %s', (uri, owner) => {
  const templates = new Templates();
  templates.set('file:///{+path}', 'files');
  templates.set('file:///logs/{day}', 'logs');
  templates.set('db://{table}/rows/{row}{?columns}', 'db');
  templates.set('fixed://one', 'fixed');
  const all = new Set(['files', 'logs', 'db', 'fixed']);
  expect(templates.ownerOf(uri, all)).toBe(owner);
});

it('leaves out what a server had that is gone', () => {
  const templates = new Templates();
  templates.set('file:///{+path}', 'files');
  templates.set('file:///logs/{day}', 'logs');
  expect(templates.ownerOf('file:///logs/today', new Set(['files']))).toBe('files');
});

it.each([
  [['one', 'two'], 'one'],
  [['two', 'one'], 'two'],
])('a template that several have is the first’s in the file: of %j %s’s', (file, first) => {
  const templates = new Templates();
  for (const owner of ['one', 'two', 'one', 'two']) templates.set('res://t/{id}', owner);
  for (const uri of ['res://t/5', 'res://t/{id}']) expect(templates.ownerOf(uri, new Set(file))).toBe(first);
});

it.each([
  ['res://t/{id}', 'res://t/{id}', true],
  ['file:///{+path}', 'file:///logs/{day}', true],
  ['file:///logs/{day}', 'file:///{+path}', true],
  ['file:///{+path}', 'db://{table}', false],
])('%s and %s overlap: %s', (one, other, is) => {
  expect(overlap(one, other)).toBe(is);
});
