import { expect, it } from 'vitest';
import type { Caller } from './call.ts';
import { openEvent, openSession, sealEvent, sealSession } from './session-seal.ts';

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

const IN_S1 = { upstream: 'files', session: 's1' };

it.each(['e0', 'a.b', 'a b', 'grüße'])('gives the event %j back to the session it was sent in', (id) => {
  const sealed = sealEvent(id, ada, IN_S1);
  expect(sealed.slice(0, -24)).toBe(`${id}.`);
  expect(openEvent(sealed, ada, IN_S1)).toBe(id);
});

it('knows an event whose id came as UTF-8, and leaves it as it came', () => {
  const came = Buffer.from(sealEvent('grüße', ada, IN_S1)).toString('latin1');
  expect(openEvent(came, ada, IN_S1)).toBe(Buffer.from('grüße').toString('latin1'));
});

it('gives it to nobody else, in no other session, and for no other server', () => {
  const sealed = sealEvent('e0', ada, IN_S1);
  expect(openEvent(sealed, bob, IN_S1)).toBeUndefined();
  expect(openEvent(sealed, ada, { ...IN_S1, session: 's2' })).toBeUndefined();
  expect(openEvent(sealed, ada, { ...IN_S1, session: undefined })).toBeUndefined();
  expect(openEvent(sealed, ada, { ...IN_S1, upstream: 'search' })).toBeUndefined();
});

it('takes no session for an event, and no event for a session', () => {
  expect(openEvent(sealSession('x', ada, 'files'), ada, { ...IN_S1, session: undefined })).toBeUndefined();
  expect(openSession(sealEvent('x', ada, { ...IN_S1, session: undefined }), ada, 'files')).toBeUndefined();
});

it('leaves the ids of events alone where callers are not told apart', () => {
  const anybody: Caller = { id: 'anybody', isKnown: false };
  expect(sealEvent('e0', anybody, IN_S1)).toBe('e0');
  expect(openEvent('e0', anybody, IN_S1)).toBe('e0');
});
