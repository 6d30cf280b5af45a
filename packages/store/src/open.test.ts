import { expect, it } from 'vitest';
import { openStore, storeFile } from './open.ts';

it.each([
  'postgres://ada:hunter2secret@db/x',
  'sqlite:./a.db?key=hunter2secret',
  'http://hunter2secret',
  'hunter2secret:6379',
  '"redis://:hunter2secret@localhost:6379/0"',
  ' redis://:hunter2secret@localhost:6379/0',
  'redis//:hunter2secret@localhost:6379/0',
  'redis ://:hunter2secret@localhost:6379/0',
  'redis;//:hunter2secret@localhost:6379/0',
  '://:hunter2secret@localhost:6379/0',
  '//:hunter2secret@localhost:6379/0',
  'r://:hunter2secret@localhost:6379/0',
  ':hunter2secret@localhost:6379',
  'hunter2secret@localhost',
  'r:hunter2secret@localhost',
  'file:redis://:hunter2secret@localhost:6379/0',
  'file:"redis://:hunter2secret@localhost:6379/0"',
])('refuses %s with what is possible, and without what is in it', async (url) => {
  const thrown = await openStore(url).catch((cause: unknown) => cause as Error);
  expect(thrown).toMatchObject({ name: 'StoreError', problem: 'unsupported' });
  expect(String(thrown)).toContain('possible are `memory:`, `redis://…`');
  expect(() => storeFile(url)).toThrow(thrown as Error);
  expect(String(thrown)).not.toContain('hunter2secret');
});

it('refuses what it cannot read', async () => {
  await expect(openStore('')).rejects.toThrow('Expected `url` to be one of');
  await expect(openStore({ url: 7 as never })).rejects.toThrow('Expected `url` to be one of');
  await expect(openStore({ url: 'memory:', maxFault: 1 } as never)).rejects.toThrow(
    'did you mean `maxFaults`?',
  );
  await expect(openStore({ url: 'memory:', maxFaults: 0 })).rejects.toThrow(
    '`maxFaults` to be a positive integer',
  );
  await expect(openStore('file://elsewhere/a.db')).rejects.toThrow('names a file of this machine');
});

it.each([
  ['memory:', undefined],
  ['redis://:secret@localhost', undefined],
  ['VALKEYS://localhost', undefined],
  ['mayday.db', 'mayday.db'],
  ['file:./state/mayday.db', './state/mayday.db'],
  ['file:///var/lib/may%20day.db', '/var/lib/may day.db'],
  ['/srv/shop@2/10:30/mayday.db', '/srv/shop@2/10:30/mayday.db'],
  ['C:\\state\\mayday.db', 'C:\\state\\mayday.db'],
])('knows the file behind %s', (url, file) => {
  expect(storeFile(url)).toBe(file);
});
