import { expect, it } from 'vitest';
import type { Caller } from './call.ts';
import { openSession, sealSession } from './session-seal.ts';

const ada: Caller = { id: 'ada', isKnown: true, seal: Buffer.from('key of ada') };
const bob: Caller = { id: 'bob', isKnown: true, seal: Buffer.from('key of bob') };

it('gives the id back to the caller it was sealed for', () => {
  const sealed = sealSession('5f1c.x', ada, 'files');
  expect(sealed).toMatch(/^5f1c\.x\.[\w-]{24}$/);
  expect(openSession(sealed, ada, 'files')).toBe('5f1c.x');
});

it('gives it to nobody else, and for no other server', () => {
  const sealed = sealSession('5f1c', ada, 'files');
  expect(openSession(sealed, bob, 'files')).toBeUndefined();
  expect(openSession(sealed, ada, 'search')).toBeUndefined();
});

it.each(['', '5f1c', '.', '5f1c.', `5f1c.${'A'.repeat(24)}`, `.${'A'.repeat(24)}`, 'é'.repeat(40)])(
  'takes %j for no session of anybody',
  (id) => {
    expect(openSession(id, ada, 'files')).toBeUndefined();
  },
);

it('leaves ids alone where callers are not told apart', () => {
  const anybody: Caller = { id: 'anybody', isKnown: false };
  expect(sealSession('5f1c', anybody, 'files')).toBe('5f1c');
  expect(openSession('5f1c', anybody, 'files')).toBe('5f1c');
});
