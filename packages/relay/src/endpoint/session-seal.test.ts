import { expect, it } from 'vitest';
import type { Caller } from './call.ts';
import { Seals } from './session-seal.ts';

const ada: Caller = { id: 'ada', isKnown: true, seal: Buffer.from('key of ada') };
const bob: Caller = { id: 'bob', isKnown: true, seal: Buffer.from('key of bob') };
const files = new Seals('files', Buffer.from('a secret'));
const search = new Seals('search', Buffer.from('a secret'));
const another = new Seals('files', Buffer.from('another secret'));

it('gives the id back to the caller it was sealed for', () => {
  const sealed = files.session('5f1c.x', ada);
  expect(sealed).toMatch(/^5f1c\.x\.[\w-]{24}$/);
  expect(files.openSession(sealed, ada)).toBe('5f1c.x');
});

it('gives it to nobody else, and for no other server', () => {
  const sealed = files.session('5f1c', ada);
  expect(files.openSession(sealed, bob)).toBeUndefined();
  expect(search.openSession(sealed, ada)).toBeUndefined();
  expect(another.openSession(sealed, ada)).toBeUndefined();
});

it.each(['', '5f1c', '.', '5f1c.', `5f1c.${'A'.repeat(24)}`, `.${'A'.repeat(24)}`, 'é'.repeat(40)])(
  'takes %j for no session of anybody',
  (id) => {
    expect(files.openSession(id, ada)).toBeUndefined();
  },
);

it('leaves ids alone where callers are not told apart', () => {
  const anybody: Caller = { id: 'anybody', isKnown: false };
  expect(files.session('5f1c', anybody)).toBe('5f1c');
  expect(files.openSession('5f1c', anybody)).toBe('5f1c');
});

it.each(['e0', 'a.b', 'a b', 'grüße'])('gives the event %j back to the session it was sent in', (id) => {
  const sealed = files.event(id, ada, 's1');
  expect(sealed.slice(0, -24)).toBe(`${id}.`);
  expect(files.openEvent(sealed, ada, 's1')).toBe(id);
});

it('knows an event whose id came as UTF-8, and leaves it as it came', () => {
  const came = Buffer.from(files.event('grüße', ada, 's1')).toString('latin1');
  expect(files.openEvent(came, ada, 's1')).toBe(Buffer.from('grüße').toString('latin1'));
});

it('gives it to nobody else, in no other session, and for no other server', () => {
  const sealed = files.event('e0', ada, 's1');
  expect(files.openEvent(sealed, bob, 's1')).toBeUndefined();
  expect(files.openEvent(sealed, ada, 's2')).toBeUndefined();
  expect(files.openEvent(sealed, ada, undefined)).toBeUndefined();
  expect(search.openEvent(sealed, ada, 's1')).toBeUndefined();
  expect(another.openEvent(sealed, ada, 's1')).toBeUndefined();
});

it('takes no session for an event, and no event for a session', () => {
  expect(files.openEvent(files.session('x', ada), ada, undefined)).toBeUndefined();
  expect(files.openSession(files.event('x', ada, undefined), ada)).toBeUndefined();
});

it('leaves the ids of events alone where callers are not told apart', () => {
  const anybody: Caller = { id: 'anybody', isKnown: false };
  expect(files.event('e0', anybody, 's1')).toBe('e0');
  expect(files.openEvent('e0', anybody, 's1')).toBe('e0');
});
