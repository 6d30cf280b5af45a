import { expect, it } from 'vitest';
import { openStore } from './open.ts';

it.each(['postgres://ada:hunter2secret@db/x', 'sqlite:./a.db?key=hunter2secret', 'http://hunter2secret'])(
  'refuses %s with what is possible, and without what is in it',
  async (url) => {
    const thrown = await openStore(url).catch((cause: unknown) => cause as Error);
    expect(thrown).toMatchObject({ name: 'StoreError', problem: 'unsupported' });
    expect(String(thrown)).toContain('possible are `memory:`, `file:./mayday.db` or a path, `redis://…`');
    expect(String(thrown)).not.toContain('hunter2secret');
  },
);

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
