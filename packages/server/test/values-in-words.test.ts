/** A value that is proven to be among the arguments makes a sentence the caller's, unless it speaks of the server. */
import { expect, it } from 'vitest';
import { INTERNAL, said } from './thrown.ts';

it.each<[string, object]>([
  ['Label "bug" not defined in this repository', { label: 'bug' }],
  ['Timezone "Mars" unknown', { tz: 'Mars' }],
  ['Version 3 is older than the current version 5', { version: 3 }],
  ['Table 4 is reserved from 18:00', { table: 4 }],
])('is the caller’s: %s', async (words, args) => {
  const [, told] = await said(new Error(words), args);
  expect(told.startsWith(words)).toBe(true);
  expect(told).not.toContain('Reference');
});

it.each<[string, object]>([
  ['Label "bug" not defined in this repository', { label: 'other' }],
  ['Cache shard "bug" lost its lease', { label: 'bug' }],
  ['Job "import" crashed', { job: 'import' }],
  ['Version 3 broke in the migration step', { version: 3 }],
  ['"bug"', { label: 'bug' }],
])('is the operator’s: %s', async (words, args) => {
  expect(await said(new Error(words), args)).toEqual(['internal', INTERNAL]);
});

it('names the argument that is no time, and not one whose name has a word for it inside', async () => {
  const reason = new RangeError('Invalid time value');
  for (const due of ['due', 'dueDate', 'due_at'])
    expect((await said(reason, { path: '/notes/a.txt', [due]: 'tomorrow' }))[1]).toContain(`${due}=tomorrow`);
  expect(await said(reason, { path: '/notes/a.txt' })).toEqual(['internal', INTERNAL]);
});
