/** Promises that a handler starts and forgets do not end a guarded process, and somebody hears of them. */
import { describe, expect, it } from 'vitest';
import { type Ended, twoRequests } from './two-requests.ts';

const run = (how: string): Promise<Ended> => twoRequests({ file: './stray-server.ts', how, tool: 'forgets' });

describe('a rejection that nobody handles', () => {
  it('ends a plain process', async () => {
    const { code, out } = await run('plain');
    expect(code).toBe(1);
    expect(out).not.toContain('"id":2');
  });

  it('does not end a guarded one, and is reported with the call that it came from', async () => {
    const { code, out, err } = await run('reported');
    expect(out).toContain('"id":2');
    expect(JSON.parse(err)).toEqual({
      kind: 'internal',
      name: 'forgets',
      cause: 'Error: the mail was not sent',
    });
    expect(code).toBe(0);
  });

  it('is a warning where nobody else wants to know', async () => {
    const { code, err } = await run('guarded');
    expect(err).toContain('a rejection that nobody handled in tools/call forgets');
    expect(err).toContain('the mail was not sent');
    expect(code).toBe(0);
  });

  it('is warned of without what the caller sent as a credential', async () => {
    const args = { token: 'plainOddSecret99' };
    const { err } = await twoRequests({ file: './stray-server.ts', how: 'guarded', tool: 'quotes', args });
    expect(err).toContain('in tools/call quotes: Error: no access with [');
    expect(err).not.toContain('plainOddSecret99');
  });

  it('ends the process when it does not come from a handler, as without the guard', async () => {
    const { code, err } = await run('outside');
    expect(code).toBe(1);
    expect(err).toContain('not of a handler');
  });

  it('can be left to Node', async () => {
    expect((await run('left')).code).toBe(1);
  });
});
