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

describe('in words alone', () => {
  it.each([
    'WriteConflict error: this operation conflicted with another operation. Please retry your operation or multi-document transaction.',
    'Row was updated or deleted by another transaction (or unsaved-value mapping was incorrect)',
    'Row was updated or deleted by another transaction',
    'Transaction was aborted due to conflict with another transaction; please retry',
    'restart transaction: TransactionRetryWithProtoRefreshError: WriteTooOldError',
    'Too much contention on these documents. Please try again.',
    'The transaction was aborted, please retry',
    "Record has changed since last read in table 'orders'",
    'Snapshot isolation transaction aborted due to update conflict.',
    'could not obtain lock on row in relation "orders"',
    'Transaction failed due to a write conflict or a deadlock. Please retry your transaction',
    'Batch update returned unexpected row count from update [0]; actual row count: 0; expected: 1',
    'Attempted to update a stale object: Order.',
    'Attempting to update a stale model instance: Order',
    'The database operation was expected to affect 1 row(s), but actually affected 0 row(s); data may have been modified or deleted since entities were loaded.',
    'The optimistic lock on entity Order failed',
    'Optimistic lock failed',
    'Transaction aborted due to concurrent modification',
    'ConcurrentModificationException: concurrent modification',
    'Write conflict during plan execution and yielding is disabled. Please retry your operation or multi-document transaction.',
    'Transaction conflict, please retry',
    'Concurrent update detected, retry the transaction',
  ])('passes by repeating, unless the caller named the version: %s', async (text) => {
    const [kind, words] = await said(error(text), { id: '7' });
    expect([kind, words.startsWith('Overloaded.')]).toEqual(['overloaded', true]);
    expect((await said(error(text), { id: '7', version: 3 }))[0]).toBe('conflict');
  });

  it.each([
    'SHA does not match',
    'sha does not match the current blob',
    'notes.md does not match 3f2a9c1d0b7e8f6a5c4d3e2f1a0b9c8d7e6f5a4b',
    'The file changed on disk since it was last read',
    'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.',
    'File has been unexpectedly modified. Read it again before attempting to write it.',
    'The file was modified externally',
    'File content has changed since it was last read',
    'The document has changed since you opened it',
    'Resource version mismatch',
    'the object has been modified; please apply your changes to the latest version and try again',
    'Revision 3 is outdated, the latest is 5',
    'Hash mismatch: the file has changed',
    'etag does not match',
    'ETag mismatch',
    'Page was edited by someone else',
    'The record you are trying to update has been changed by someone else',
    'Your copy is out of date',
    'Updates were rejected because the remote contains work that you do not have locally',
    'Base revision does not match',
    'The issue was changed by another user in the meantime',
    'The row has been changed by another user',
    'Entity has been modified by another user',
    'Document was modified since it was read',
    'The record was modified by another user',
    'Update is not a fast forward',
    'Edit conflict',
    'Version conflict: expected 3, got 5',
    'The file on disk is newer than your copy',
    'Content hash does not match: the page was changed in the meantime',
    'The spreadsheet was changed after you read it',
    'Blob sha mismatch',
  ])('is for the caller to look at again: %s', async (text) => {
    const [kind, words] = await said(error(text), { id: '7' });
    expect([kind, words.includes('Look at the current state first')]).toEqual(['conflict', true]);
  });

  it.each([
    ['Password does not match', 'unprocessable'],
    ['Passwords do not match', 'unprocessable'],
    ['Signature does not match', 'unauthenticated'],
    ['Pattern does not match', 'internal'],
    ['No rows match', 'not_found'],
    ['File was not changed', 'conflict'],
    ['Nothing changed', 'invalid_arguments'],
    ['The file was deleted', 'not_found'],
    ['Schema has changed, restart the server', 'internal'],
    ['Type does not match', 'internal'],
    ['Email does not match the account', 'unprocessable'],
    ['SHA is required', 'invalid_arguments'],
    ['Invalid SHA', 'unprocessable'],
    ['No commit found for SHA abc', 'not_found'],
    ['stale element reference: element is not attached to the page document', 'conflict'],
    ['Stale file handle', 'internal'],
    ['The session is stale', 'conflict'],
    ['row not found', 'not_found'],
    ['No row was updated', 'not_found'],
    ['Another transaction is in progress', 'internal'],
    ['Checksum of the upload does not match', 'internal'],
    ['amount does not match the invoice', 'unprocessable'],
    ['currency does not match', 'unprocessable'],
    ['Could not find exact match for edit', 'unprocessable'],
    ['old_string does not match any text in the file', 'unprocessable'],
    ['Transaction was rejected by another party', 'internal'],
    ['Your API version is out of date', 'conflict'],
    ['The certificate is out of date', 'conflict'],
    ['Conflicting arguments: a and b', 'conflict'],
    ['File was modified by this call', 'conflict'],
    ['The price has changed', 'unprocessable'],
    ['Your password was changed 3 days ago', 'conflict'],
    ['Order was updated', 'unprocessable'],
    ['Version 3 not found', 'not_found'],
    ['Plugin version mismatch: needs 2.0', 'conflict'],
  ])('is something else: %s', async (text, kind) => {
    expect((await said(error(text), { id: 7 }))[0]).toBe(kind);
  });
});
