/** Mappers say that a record has changed since it was read. Whoever made the handler read it can have it read again. */
import { describe, expect, it } from 'vitest';
import { error, ID, said } from './thrown.ts';

const LOST: readonly (readonly [string, string])[] = [
  ['VersionError', 'No matching document found for id "7" version 3 modifiedPaths "qty"'],
  ['SequelizeOptimisticLockError', 'Attempting to update a stale model instance: Order'],
  [
    'OptimisticLockVersionMismatchError',
    'The optimistic lock on entity Order failed, version 1 was expected, but is actually 2.',
  ],
  ['OptimisticLockError', 'The optimistic lock on entity Order failed'],
];

describe.each(LOST)('%s', (name, message) => {
  it('passes by repeating', async () => {
    const [kind, words] = await said(error(message, { name }), { id: '7' });
    expect([kind, words.endsWith(`Reference: ${ID}.`)]).toEqual(['overloaded', true]);
    expect(words).not.toMatch(/Order|document/);
  });

  it('does not, where the caller named the version', async () => {
    const [kind] = await said(error(message, { name }), { id: '7', version: 3 });
    expect(kind).toBe('conflict');
  });
});

it('is no error over the version of something else', async () => {
  const [kind] = await said(error('Version 3 not found', { name: 'VersionError' }), { v: 3 });
  expect(kind).toBe('not_found');
});
