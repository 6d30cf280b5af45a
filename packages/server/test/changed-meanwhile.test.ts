/** What others have changed since it was read is a conflict, whether or not the sentence says of what the caller named. */
import { describe, expect, it } from 'vitest';
import { error, said } from './thrown.ts';

const LOOK = 'Look at the current state first; do not repeat the same call.';

/** Sentences with a place for a name, and what may stand there. */
const OF_FILES: readonly string[] = [
  'The file … changed on disk since it was last read',
  'The file … changed on disk since it was last read.',
  'File … has changed since you read it',
  'File … has been modified since read',
  'File … has been modified since it was last read',
  'File … was modified externally',
  '… has changed on disk since it was last read',
  '… was modified since you read it',
  '… has been modified on disk since it was opened',
  'The file … was changed by someone else',
  'The contents of … have changed since the file was read',
  'The file … on disk is newer than your copy',
  'Your copy of … is out of date',
  'SHA of … does not match',
];

const NAMES: readonly (readonly [name: string, args: object])[] = [
  ['', {}],
  ['src/index.ts', { path: 'src/index.ts' }],
  ['"src/index.ts"', { path: 'src/index.ts' }],
  ["'src/index.ts'", { path: 'src/index.ts', content: 'x' }],
  ['`README.md`', { file: 'README.md' }],
  ['notes/2026/plan for the year.txt', { path: 'notes/2026/plan for the year.txt' }],
  ['/home/ada/work/a.b/c.d/e.test.ts', { path: '/home/ada/work/a.b/c.d/e.test.ts' }],
  ['index.ts', { edits: [{ path: 'src/index.ts' }] }],
];

describe.each(OF_FILES)('%s', (form) => {
  const named = form.startsWith('…') || form.includes(' of …') ? NAMES.slice(1) : NAMES;
  it.each(named)('of %s', async (name, args) => {
    const sentence = form.replace(name === '' ? '… ' : '…', name);
    const [kind, text] = await said(error(sentence), args);
    expect([kind, text]).toEqual(['conflict', `${sentence.replace(/\.$/, '')}. ${LOOK}`]);
  });
});

it.each<[string, object]>([
  ['The document "Q3 plan" has changed since you opened it', { title: 'Q3 plan' }],
  ['Page "Home. Draft; v2" was edited by someone else', { page: 'Home. Draft; v2' }],
  ['Issue ABC-12 was changed by another user in the meantime', { issue: 'ABC-12' }],
  ['Note groceries: today was modified since you read it', { note: 'groceries: today' }],
  ['The record cus_8f2k4 has been changed by someone else', { id: 'cus_8f2k4' }],
  ['The document Q3. Plan; draft has changed since you opened it', { title: 'Q3. Plan; draft' }],
  ['Q3. Plan; draft has changed since you opened it', { title: 'Q3. Plan; draft' }],
  [
    'The page Home: a very long title that goes on and on and on has changed since you opened it',
    { title: 'Home: a very long title that goes on and on and on' },
  ],
  ['Disk notes has changed since you read it', { note: 'Disk notes' }],
  ['Sheet budget.2026 was changed after you read it', { sheet: 'budget.2026' }],
])('of other things: %s', async (sentence, args) => {
  expect(await said(error(sentence), args)).toEqual(['conflict', `${sentence}. ${LOOK}`]);
});

it.each<[string, object]>([
  ['The file /etc/shop/settings.yaml changed on disk since it was last read', { path: 'src/index.ts' }],
  ['The file /opt/app/cache.db was modified externally', {}],
  ['File config/settings.yaml has changed since it was loaded', {}],
  ['The file config/settings.yaml changed on disk since it was last read', { path: 'src/index.ts' }],
])('a file that nobody named is the operator’s: %s', async (sentence, args) => {
  const [kind, text] = await said(error(sentence), args);
  expect(['internal', 'misconfigured']).toContain(kind);
  expect(text).not.toMatch(/settings|cache/);
});
