/** A wrong `_meta` is said once in every document, and by the path of the field. */
import { expect, it } from 'vitest';
import { formedBy } from '../test/helpers.ts';
import type { FaultInit } from './fault.ts';
import { badMeta } from './request-meta.ts';

const told = (dialect: string, meta: unknown) =>
  formedBy(dialect, badMeta(meta) as FaultInit, { ofRequest: true, method: '' }).error;

it.each([
  ['closient', { data: { detail: 'params._meta: must be an object' } }],
  ['qaqnuz', { message: 'params._meta: must be an object' }],
  ['platica', { message: 'params._meta: must be an object' }],
  ['erlmcp', { data: { details: 'Invalid parameter type: _meta must be an object' } }],
  ['onx', { data: { field: '_meta', reason: 'invalid_type' } }],
])('a `_meta` that is no object, in %s', (dialect, error) => {
  expect(told(dialect, 'x')).toMatchObject(error);
});

it.each([
  ['closient', { data: { detail: 'params._meta.progressToken: must be a string or a whole number' } }],
  ['erlmcp', { code: -32091, data: { progressToken: {} } }],
  ['onx', { data: { field: '_meta.progressToken', reason: 'invalid_type' } }],
])('a progress token that is none, in %s', (dialect, error) => {
  expect(told(dialect, { progressToken: {} })).toMatchObject(error);
});
