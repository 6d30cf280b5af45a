import { tempFolder } from '@mayday/reference-shared/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from './store/index.ts';
import { manageUsers } from './users-command.ts';

const NOW = 1_750_000_000_000;

it('makes up a password that works until the account is suspended', () => {
  const { users, close } = openStore(tempFolder());
  onTestFinished(close);
  const password = manageUsers(users, ['add-user', 'ada', 'admin'], NOW);
  expect(users.verify('ada', password)).toEqual({ name: 'ada', role: 'admin', suspended: false });
  expect(users.verify('ada', `${password}x`)).toBeUndefined();
  expect(manageUsers(users, ['suspend-user', 'ada'], NOW)).toBe('Suspended ada');
  expect(users.verify('ada', password)?.suspended).toBe(true);
  // Neither the suspension ends nor the password or role changes by adding somebody again.
  expect(() => manageUsers(users, ['add-user', 'ada', 'member'], NOW)).toThrow('There is a user ada already');
  expect(users.verify('ada', password)).toEqual({ name: 'ada', role: 'admin', suspended: true });
  expect(manageUsers(users, ['list-users'], NOW)).toBe('{"name":"ada","role":"admin","suspended":true}');
  expect(manageUsers(users, ['readmit-user', 'ada'], NOW)).toBe('Readmitted ada');
  expect(users.verify('ada', password)?.suspended).toBe(false);
  for (const words of [
    ['readmit-user', 'bob'],
    ['suspend-user', 'bob'],
    ['end-tokens', 'bob'],
    ['reset-password', 'bob'],
    ['add-user', 'a b'],
    ['add-user', 'bob', 'guest'],
    ['serve'],
  ])
    expect(() => manageUsers(users, words, NOW)).toThrow(TypeError);
});

it('ends tokens, alone or with the password', () => {
  const { users, close } = openStore(tempFolder());
  onTestFinished(close);
  const first = manageUsers(users, ['add-user', 'ada'], NOW);
  const issue = (): string => users.issue(users.verify('ada', first) as never, NOW - 1000, 60_000).token;
  const [token, later] = [issue(), issue()];
  expect(manageUsers(users, ['end-tokens', 'ada'], NOW)).toBe('Ended the tokens of ada');
  expect([users.find(token)?.expiresAt, users.find(later)?.expiresAt]).toEqual([NOW, NOW]);
  const last = issue();
  const second = manageUsers(users, ['reset-password', 'ada'], NOW);
  expect(users.find(last)?.expiresAt).toBe(NOW);
  expect([users.verify('ada', first), users.verify('ada', second)?.name]).toEqual([undefined, 'ada']);
});
