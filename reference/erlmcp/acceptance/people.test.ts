import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Endpoint, post } from '../../acceptance/http.ts';
import { SLOW } from '../../acceptance/program.ts';
import {
  command,
  freshFolder,
  type HttpReference,
  serveHttp,
  serveStdio,
} from '../../acceptance/reference.ts';
import { type Channel, callTool, type Wire } from '../../acceptance/wire.ts';
import { addUser, suspendUser } from './world.ts';

const folder = freshFolder();
let server: HttpReference;
let passwords: Record<string, string>;
beforeAll(async () => {
  const [ada, bob, eve] = await Promise.all([
    addUser(folder.path, 'ada', 'admin'),
    addUser(folder.path, 'bob', 'member'),
    addUser(folder.path, 'eve', 'member'),
  ]);
  passwords = { ada, bob, eve };
  server = await serveHttp('erlmcp', folder.path, ['--rate-limit', '100000']);
}, SLOW);
afterAll(async () => {
  await server.stop();
  folder.remove();
});

async function session(headers: Record<string, string> = {}): Promise<Endpoint> {
  const endpoint = new Endpoint(server.mcp, headers);
  await endpoint.initialize();
  return endpoint;
}

async function login(channel: Channel, user: string): Promise<Wire> {
  const { result } = await channel.request('auth/login', { user, password: passwords[user] });
  return result?.token;
}

describe('who may', () => {
  it('ER-52: a role that is missing is -32052 with the operation', async () => {
    const guest = await session();
    expect((await callTool(guest, 'delete_tool', { name: 'x' })).error).toEqual({
      code: -32052,
      message: 'Authorization failed',
      data: { operation: 'tools/call:delete_tool', required_role: 'admin' },
    });
    const bob = await session({ authorization: `Bearer ${await login(guest, 'bob')}` });
    expect((await callTool(bob, 'delete_tool', { name: 'x' })).error?.code).toBe(-32052);
    const ada = await session({ authorization: `Bearer ${await login(guest, 'ada')}` });
    expect((await callTool(ada, 'delete_tool', { name: 'x' })).error?.code).not.toBe(-32052);
  });

  it('ER-42: a resource for administrators is -32025 for everybody else', async () => {
    const guest = await session();
    const ada = await session({ authorization: `Bearer ${await login(guest, 'ada')}` });
    expect((await guest.request('resources/read', { uri: 'audit://logins' })).error).toEqual({
      code: -32025,
      message: 'Resource access denied',
      data: { uri: 'audit://logins', required_permission: 'read:audit' },
    });
    expect((await ada.request('resources/read', { uri: 'audit://logins' })).error).toBeUndefined();
  });

  it('ER-53: a wrong password and an unknown name are one -32053', async () => {
    const guest = await session();
    const wrong = await guest.request('auth/login', { user: 'ada', password: 'wrong' });
    const unknown = await guest.request('auth/login', { user: 'nobody', password: 'wrong' });
    expect([wrong.error?.code, wrong.error?.message]).toEqual([-32053, 'Invalid credentials']);
    expect(unknown.error).toEqual(wrong.error);
  });

  it('ER-51: a token that nobody has is -32051', async () => {
    const { error } = await (await session()).request('auth/authenticate', { token: 'erl_nobody' });
    expect(error).toEqual({
      code: -32051,
      message: 'Authentication failed',
      data: { reason: 'invalid_token' },
    });
  });

  it('ER-55: whoever is suspended is refused from then on, in an open session and at the door', async () => {
    const guest = await session();
    const token = await login(guest, 'eve');
    const eve = await session();
    expect((await eve.request('auth/authenticate', { token })).error).toBeUndefined();
    await suspendUser(folder.path, 'eve');
    const open = await eve.request('tools/list', {});
    expect([open.error?.code, open.error?.message]).toEqual([-32056, 'Access denied']);
    const again = await guest.request('auth/login', { user: 'eve', password: passwords['eve'] });
    expect([again.error?.code, again.error?.message]).toEqual([-32056, 'Access denied']);
    const added = await command('erlmcp', ['add-user', 'eve', 'admin', '--data', folder.path]);
    expect([added.status, added.errors]).toEqual([2, 'There is a user eve already\n']);
    expect((await eve.request('auth/authenticate', { token })).error?.code).toBe(-32056);
  });

  it('ER-54: a token that an operator has ended is -32054 from then on, in an open session and at the door', async () => {
    const guest = await session();
    const token = await login(guest, 'ada');
    const ada = await session();
    expect((await ada.request('auth/authenticate', { token })).error).toBeUndefined();
    await command('erlmcp', ['end-tokens', 'ada', '--data', folder.path]);
    const open = await ada.request('tools/list', {});
    expect([open.error?.code, open.error?.message]).toEqual([-32054, 'Token expired']);
    expect((await guest.request('auth/authenticate', { token })).error?.code).toBe(-32054);
    const fresh = await login(guest, 'ada');
    expect((await ada.request('auth/authenticate', { token: fresh })).error).toBeUndefined();
  });

  it('ER-51 ER-52: a bearer counts for the request that carries it, not for its session', async () => {
    const guest = await session();
    const token = await login(guest, 'ada');
    const once = await session({ authorization: `Bearer ${token}` });
    const { authorization: _gone, ...without } = once.headers;
    const later = new Endpoint(server.mcp, without);
    expect((await callTool(later, 'delete_tool', { name: 'x' })).error?.code).toBe(-32052);
  });
});

describe('a token that expires', () => {
  it(
    'ER-54: is -32054 with its time, and one can sign in again on the same connection',
    async () => {
      const pipe = serveStdio('erlmcp', folder.path, ['--token-ttl-ms', '700']);
      await pipe.initialize();
      const token = await login(pipe, 'bob');
      const first = await pipe.request('auth/authenticate', { token });
      await pause(900);
      const expired = await pipe.request('tools/list', {});
      const fresh = await login(pipe, 'bob');
      const second = await pipe.request('auth/authenticate', { token: fresh });
      const after = await pipe.request('tools/list', {});
      await pipe.close();
      expect(first.error).toBeUndefined();
      expect(expired.error).toEqual({
        code: -32054,
        message: 'Token expired',
        data: { expired_at: expect.any(Number) },
      });
      expect(Math.abs(expired.error.data.expired_at - Date.now() / 1000)).toBeLessThan(60);
      expect([second.error, after.error]).toEqual([undefined, undefined]);
    },
    SLOW,
  );
});

describe('what guests see', () => {
  const today = (): string => `log://${new Date().toISOString().slice(0, 10)}`;

  it('ER-88 ER-78: is their own errors, not those of others', async () => {
    const [one, two] = await Promise.all([session(), session()]);
    await callTool(one, 'tool_of_one', {});
    await callTool(two, 'tool_of_two', {});
    const text = JSON.stringify((await one.request('resources/read', { uri: today() })).result ?? {});
    expect([text.includes('tool_of_one'), text.includes('tool_of_two')]).toEqual([true, false]);
  });
});

describe('from outside', () => {
  it.each([{ origin: 'http://evil.example' }, { host: 'evil.example' }])(
    'ER-55 ER-1: %j is refused, in the document’s words',
    async (headers) => {
      const answer = await post(
        server.mcp,
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        headers as Record<string, string>,
      );
      expect(answer.status).toBe(403);
      expect(answer.messages[0]?.error).toMatchObject({ code: -32056, message: 'Access denied' });
    },
  );
});
