import { isRepeatable } from '@mayday/core/plan';
import { expect, it } from 'vitest';
import { createAnnotationBook, factsIn } from './annotations.ts';

it('does not believe a tool that calls itself read-only and destructive', () => {
  const facts = factsIn({ readOnlyHint: true, destructiveHint: true }, undefined);
  expect(facts).toMatchObject({ destructive: true });
  expect(isRepeatable(facts)).toBe(false);
  expect(isRepeatable(factsIn({ readOnlyHint: true }, undefined))).toBe(true);
});

const WRITE = { name: 'pay' };
const READ = { name: 'pay', annotations: { readOnlyHint: true, idempotentHint: true } };
const KEYED = { name: 'pay', _meta: { 'dev.mayday/idempotency-key': true } };
const DESTROYS = { name: 'pay', annotations: { idempotentHint: true, destructiveHint: true } };

/** What is known of `pay` after these pages of one listing. */
function known(...pages: readonly (readonly object[])[]) {
  const book = createAnnotationBook();
  for (const [page, tools] of pages.entries())
    book.learn({ method: 'tools/list', params: page === 0 ? {} : { cursor: `${page}` } }, { tools }, 0);
  return book.of('pay');
}

it.each([
  ['in one page', (one: object, other: object) => known([one, other])],
  ['in two', (one: object, other: object) => known([one], [other])],
])('believes of a tool that is listed twice what both entries say, %s', (_where, listed) => {
  for (const [one, other] of [
    [WRITE, READ],
    [DESTROYS, READ],
    [KEYED, READ],
  ] as const)
    for (const facts of [listed(one, other), listed(other, one)]) expect(isRepeatable(facts)).toBe(false);
  for (const facts of [listed(KEYED, WRITE), listed(WRITE, KEYED)]) expect(facts.takesKey).toBe(false);
  expect(listed(KEYED, KEYED).takesKey).toBe(true);
  expect(isRepeatable(listed(READ, READ))).toBe(true);
});

it('believes a new listing, whatever the last one said', () => {
  const book = createAnnotationBook();
  book.learn({ method: 'tools/list' }, { tools: [WRITE] }, 0);
  book.learn({ method: 'tools/list' }, { tools: [READ] }, 0);
  expect(isRepeatable(book.of('pay'))).toBe(true);
});

it.each([
  ['the same', { tools: [READ] }, 0, true],
  ['otherwise', { tools: [WRITE] }, 1, false],
  ['not at all', { tools: [{ name: 'look' }] }, 1, false],
  ['not on this page', { tools: [{ name: 'look' }], nextCursor: '2' }, 0, true],
])('notices that a tool is listed %s', (_how, result, changes, isRead) => {
  const book = createAnnotationBook();
  book.learn({ method: 'tools/list' }, { tools: [READ] }, 0);
  book.learn({ method: 'tools/list' }, result, 0);
  expect(book.changes).toBe(changes);
  expect(isRepeatable(book.of('pay'))).toBe(isRead);
});
