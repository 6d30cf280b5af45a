import { post, rpcResponse, start, tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { httpServer } from '../test/app.ts';

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'n', version: '1' } };
const REFUSED = -32010;

/** Sends a request, and gives 0 or the code of its error, and the session. */
async function ask(
  url: string,
  method: string,
  params: object = {},
  headers: { [name: string]: string } = {},
) {
  const response = await post(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers);
  const { error, result } = await rpcResponse(response);
  return { code: error?.code ?? 0, result, session: response.headers.get('mcp-session-id') ?? '' };
}

/** The codes of so many requests, one after the other. */
async function codes(times: number, send: () => Promise<{ readonly code: number }>): Promise<number[]> {
  const seen: number[] = [];
  for (let time = 0; time < times; time++) seen.push((await send()).code);
  return seen;
}

describe('ER-33 the rate limit over HTTP', () => {
  it('is one for all sessions of guests: a new one does not reset it', async () => {
    const { url } = await httpServer({ rateLimit: 5 });
    const { session } = await ask(url, 'initialize', HELLO);
    const again = () => ask(url, 'ping', {}, { 'mcp-session-id': session });
    expect(await codes(2, again)).toEqual([0, 0]);
    expect(await codes(3, () => ask(url, 'initialize', HELLO))).toEqual([0, 0, REFUSED]);
    expect(await codes(1, again)).toEqual([REFUSED]);
  });

  it.each([
    ['initialize', HELLO],
    ['ping', {}],
  ])('counts %s without a session', async (method, params) => {
    const { url } = await httpServer({ rateLimit: 3 });
    expect(await codes(5, () => ask(url, method, params))).toEqual([0, 0, 0, REFUSED, REFUSED]);
  });

  it('is one for all sessions of a user, whom guests do not hinder; a token that nobody has is a guest', async () => {
    const { url, store } = await httpServer({ rateLimit: 4 });
    store.users.add('ada', 'admin', 'correct horse');
    const user = store.users.verify('ada', 'correct horse');
    const { token } = store.users.issue(user as NonNullable<typeof user>, Date.now(), 60_000);
    const ada = { authorization: `Bearer ${token}` };
    const { session } = await ask(url, 'initialize', HELLO);
    const inSession = { ...ada, 'mcp-session-id': session };
    expect(await codes(2, () => ask(url, 'ping', {}, inSession))).toEqual([0, 0]);
    const guess = { authorization: 'Bearer made-up' };
    expect(await codes(4, () => ask(url, 'ping', {}, guess))).toEqual([-32051, -32051, -32051, REFUSED]);
    expect(await codes(3, () => ask(url, 'initialize', HELLO, ada))).toEqual([0, 0, REFUSED]);
    expect(await codes(1, () => ask(url, 'ping', {}, inSession))).toEqual([REFUSED]);
  });

  it('is shared by the processes on a folder, and survives kill -9', async () => {
    const flags = ['--data', tempFolder(), '--rate-limit', '4'];
    const [first, second] = await Promise.all([start('erlmcp', flags), start('erlmcp', flags)]);
    expect(await codes(2, () => ask(first.url, 'ping'))).toEqual([0, 0]);
    expect(await codes(3, () => ask(second.url, 'ping'))).toEqual([0, 0, REFUSED]);
    await Promise.all([first.kill(), second.kill()]);
    const third = await start('erlmcp', flags);
    expect(await codes(2, () => ask(third.url, 'initialize', HELLO))).toEqual([REFUSED, REFUSED]);
  });
});
