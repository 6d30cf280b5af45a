/** Whose template a URI fits. */
import { expect, it } from 'vitest';
import { Templates } from './templates.ts';

it.each([
  ['file:///a/b', 'files'],
  ['file:///logs/today', 'logs'],
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
