/** The state of things that callers deal with is told; that of a server's own parts is not. */
import { describe, expect, it } from 'vitest';
import { FOR_CALLERS, FOR_OPERATORS } from './state-of-things.fixture.ts';
import { error, said } from './thrown.ts';

describe.each(Object.entries(FOR_CALLERS))('reaches the caller: %s', (_, rows) => {
  it.each(rows)('%s', async (text, args) => {
    const [kind, words] = await said(new Error(text), args);
    expect(kind).not.toBe('internal');
    expect(words.startsWith(text.trim())).toBe(true);
    expect(words).not.toContain('Reference: ');
  });
});

it.each(FOR_OPERATORS)('stays with the operator: %s', async (text, args) => {
  const [, words] = await said(new Error(text), args);
  expect(words).not.toContain(text);
  expect(words).toContain('Reference: ');
});

it.each([
  ['You can add at most 3 tags', 'invalid_arguments'],
  ['You may add at most 3 tags', 'invalid_arguments'],
  ['You can invite up to 5 people at once', 'unprocessable'],
  ['You can add up to 20 recipients', 'unprocessable'],
  ['You can attach at most 10 files', 'unprocessable'],
  ['Only drafts can be deleted', 'conflict'],
  ['Only empty folders may be removed', 'conflict'],
  ['Only open tickets can be assigned', 'unprocessable'],
])('is of this call alone: %s', async (text, kind) => {
  const [told, words] = await said(new Error(text), { id: 7 });
  expect([told, words.slice(0, text.length)]).toEqual([kind, text]);
});

it('a limit on what somebody has is a quota', async () => {
  for (const text of ['You can have up to 3 projects on the free plan', 'You can only create 5 boards'])
    expect((await said(new Error(text)))[0]).toBe('quota_exhausted');
});

it('is the same where nobody has named it: what is away, and what did not parse', async () => {
  for (const [text, args] of [
    ['Entity light.x is unavailable', { entity: 'light.y' }],
    ['Unexpected operator * (char 4)', { expression: '2 + 3' }],
    ['Unexpected end of expression (char 60)', { expression: '2 + (3' }],
    ["Expected property name or '}' in JSON at position 1", { json: '{}' }],
  ] as const)
    expect((await said(new Error(text), args))[1]).toContain('Reference: ');
});

it('that nothing was changed is told in the words of whoever threw it', async () => {
  const told = error('(HTTP code 304) container already stopped - ', { statusCode: 304 });
  expect((await said(told, { container: 'web' }))[0]).toBe('conflict');
  expect((await said(error('Nothing', { statusCode: 304 })))[0]).toBe('upstream_failed');
});
