import { tempFolder } from '@mayday/reference-shared/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from './store/index.ts';
import { manageUsers } from './users-command.ts';

it('makes up a password that works until the account is suspended', () => {
  const { users, close } = openStore(tempFolder());
  onTestFinished(close);
  const password = manageUsers(users, ['add-user', 'ada', 'admin']);
  expect(users.verify('ada', password)).toEqual({ name: 'ada', role: 'admin', suspended: false });
  expect(users.verify('ada', `${password}x`)).toBeUndefined();
  expect(manageUsers(users, ['suspend-user', 'ada'])).toBe('Suspended ada');
  expect(users.verify('ada', password)?.suspended).toBe(true);
  // Neither the suspension ends nor the password or role changes by adding somebody again.
  expect(() => manageUsers(users, ['add-user', 'ada', 'member'])).toThrow('There is a user ada already');
  expect(users.verify('ada', password)).toEqual({ name: 'ada', role: 'admin', suspended: true });
  for (const words of [['suspend-user', 'bob'], ['add-user', 'a b'], ['add-user', 'bob', 'guest'], ['serve']])
    expect(() => manageUsers(users, words)).toThrow(TypeError);
});
