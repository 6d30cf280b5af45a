import { expect, it } from 'vitest';
import { NamelessErrors } from './nameless.ts';

it('counts what the server may still answer though nobody does', () => {
  const errors = new NamelessErrors();
  expect(errors.isAboutNotification()).toBe(false);
  errors.notified(0);
  errors.notified(1);
  expect([1, 2, 3].map(() => errors.isAboutNotification())).toEqual([true, true, false]);
});

it('expects nothing more of what was said before a request that is answered', () => {
  const errors = new NamelessErrors();
  errors.notified(4);
  errors.answered(4); // asked before the notification: it may still be answered
  expect(errors.isAboutNotification()).toBe(true);
  errors.notified(4);
  errors.answered(5);
  expect(errors.isAboutNotification()).toBe(false);
});
