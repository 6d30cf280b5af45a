/** What was changed by others in the meantime; and what only does not match, or has changed. */
import { expect, it } from 'vitest';
import { readProse } from './index.ts';
import { hasChangedMeanwhile } from './races.ts';

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
  'Row was updated or deleted by another transaction',
  "Record has changed since last read in table 'orders'",
  'The file src/index.ts changed on disk since it was last read',
  'File src/index.ts has changed since you read it',
  'The document "Q3. Plan; draft" was modified since you opened it',
  'src/index.ts has been modified since you read it',
  'The contents of `a.md` have changed since the file was read',
])('is in the way: %s', (text) => {
  expect(readProse(text)?.kind).toBe('conflict');
});

it.each([
  ['Password does not match', 'invalid_arguments'],
  ['Passwords do not match', 'invalid_arguments'],
  ['Signature does not match', 'unauthenticated'],
  ['Pattern does not match', 'invalid_arguments'],
  ['No rows match', 'not_found'],
  ['File was not changed', 'conflict'],
  ['Nothing changed', 'invalid_arguments'],
  ['The file was deleted', 'not_found'],
  ['Schema has changed, restart the server', undefined],
  ['Type does not match', 'invalid_arguments'],
  ['Email does not match the account', 'invalid_arguments'],
  ['SHA is required', 'invalid_arguments'],
  ['Invalid SHA', 'invalid_arguments'],
  ['No commit found for SHA abc', 'not_found'],
  ['stale element reference: element is not attached to the page document', 'conflict'],
  ['Stale file handle', 'conflict'],
  ['The session is stale', 'conflict'],
  ['row not found', 'not_found'],
  ['No row was updated', 'not_found'],
  ['Another transaction is in progress', undefined],
  ['Checksum of the upload does not match', 'invalid_arguments'],
  ['amount does not match the invoice', 'invalid_arguments'],
  ['currency does not match', 'invalid_arguments'],
  ['Could not find exact match for edit', 'unprocessable'],
  ['old_string does not match any text in the file', 'unprocessable'],
  ['Transaction was rejected by another party', undefined],
  ['Your API version is out of date', 'conflict'],
  ['The certificate is out of date', 'conflict'],
  ['Conflicting arguments: a and b', 'conflict'],
  ['File was modified by this call', 'conflict'],
  ['The price has changed', undefined],
  ['Your password was changed 3 days ago', 'conflict'],
  ['Order was updated', undefined],
  ['Version 3 not found', 'not_found'],
  ['Plugin version mismatch: needs 2.0', 'conflict'],
])('is something else: %s', (text, kind) => {
  expect([hasChangedMeanwhile(text), readProse(text)?.kind]).toEqual([false, kind]);
});

it.each([
  'ERROR: deadlock detected\nDETAIL: Process 12 waits for ShareLock on transaction 99',
  'ERROR 1213 (40001): Deadlock found when trying to get lock; try restarting transaction',
  'Transaction (Process ID 61) was deadlocked on lock resources with another process and has been chosen as the deadlock victim. Rerun the transaction.',
  'could not serialize access due to concurrent update',
  'restart transaction: read within uncertainty interval',
  "Another git process seems to be running in this repository, e.g. an editor opened by 'git commit'.",
  'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 812 (apt-get)',
  'The process cannot access the file because it is being used by another process.',
  "rm: cannot remove '/mnt/x': Device or resource busy",
  "EBUSY: resource busy or locked, unlink 'a.txt'",
  'Failed to acquire lock within 10s',
  'OperationAborted: A conflicting conditional operation is currently in progress against this resource. Try again.',
  'Build 12 is locked. Please try again later.',
])('is over soon: %s', (text) => {
  expect(readProse(text)).toMatchObject({ kind: 'conflict', retryable: true });
});

it.each([
  'Port 3000 is already in use by another process',
  'Conflict occurred while saving. Please try again.',
  'File is locked. Choose another file and try again.',
  'The object has been modified; please apply your changes to the latest version and try again',
  'Deadlock policy not found',
  'all goroutines are asleep - deadlock!',
  'Branch already exists',
])('is not over soon: %s', (text) => {
  expect(readProse(text)?.retryable ?? false).toBe(false);
});

it.each([
  ['Could not acquire connection from pool within 5000ms', 'overloaded'],
  ['No available workers', 'overloaded'],
  ['Printer is busy', 'overloaded'],
  ['The server is currently unable to handle the request', 'unavailable'],
  ['Deployment is in progress, please wait', 'not_ready'],
  ['The cluster is currently rebalancing', 'not_ready'],
  ['File size 24MB exceeds the limit of 10MB', 'too_large'],
  ['This API version was sunset. Please upgrade.', 'unsupported'],
  ['Found 3 matches of the string to replace, but replace_all is false', 'invalid_arguments'],
  ['"colour" is not allowed', 'invalid_arguments'],
  ['Gateway timeout setting must be between 1 and 300', 'invalid_arguments'],
  ['KafkaJSError: The group coordinator is not available', 'unavailable'],
  ['This server is not the leader for that topic-partition.', 'unavailable'],
])('is told by its form: %s', (text, kind) => {
  expect(readProse(text)?.kind).toBe(kind);
});
