import { request } from 'node:http';
import { post, rpcResponse } from '@mayday/reference-shared/testing';
import { describe, expect, it, vi } from 'vitest';
import { httpServer } from '../test/app.ts';

const HELLO = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'by-hand', version: '1' },
};

let last = 0;

function rpc(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: ++last, method, params });
}

/** A session by hand: its header, and requests that carry it. */
async function session(url: string) {
  const hello = await post(url, rpc('initialize', HELLO));
  const headers = { 'mcp-session-id': hello.headers.get('mcp-session-id') ?? '' };
  await post(url, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), headers);
  const call = async (method: string, params?: object, more: { [name: string]: string } = {}) =>
    rpcResponse(await post(url, rpc(method, params), { ...headers, ...more }));
  return { headers, call };
}

describe('over HTTP', () => {
  it('says what is wrong with a request, with a status that fits, and goes on serving', async () => {
    const { url } = await httpServer({ maxMessageBytes: 2000 });
    const { headers, call } = await session(url);
    const said = async (response: Response) => [response.status, (await rpcResponse(response)).error];
    expect(await said(await post(url, '{"a":', headers))).toMatchObject([400, { code: -32700 }]);
    expect(await said(await post(url, Buffer.from([0xff]) as never, headers))).toMatchObject([
      400,
      { code: -32700, data: 'Invalid UTF-8 at byte 0' },
    ]);
    expect(await said(await post(url, '{}', headers))).toMatchObject([400, { code: -32600 }]);
    expect(await said(await post(url, '<a/>', { 'content-type': 'application/xml' }))).toMatchObject([
      415,
      { code: -32013, data: { content_type: 'application/xml' } },
    ]);
    expect(await said(await post(url, ' '.repeat(2001), headers))).toMatchObject([413, { code: -32012 }]);
    const large = rpc('ping', { x: 'x'.repeat(2000) });
    expect(await said(await post(url, large, headers))).toMatchObject([200, { code: -32012 }]);
    expect(await said(await post(url, rpc('ping'), { 'mcp-session-id': 'nope' }))).toMatchObject([
      404,
      { code: -32008, data: { reason: 'session_not_found' } },
    ]);
    expect((await rpcResponse(await post(url, rpc('tools/list')))).error).toMatchObject({ code: -32005 });
    expect((await fetch(new URL('/mcp', url), { method: 'PUT' })).status).toBe(405);
    expect((await call('ping')).result).toEqual({});
  });

  it('ER-57 refuses a request whose header names another version than was agreed on', async () => {
    const { url } = await httpServer();
    const { call } = await session(url);
    expect((await call('ping', {}, { 'mcp-protocol-version': '2025-11-25' })).result).toEqual({});
    expect((await call('ping', {}, { 'mcp-protocol-version': '2025-06-18' })).error).toMatchObject({
      code: -32062,
      data: { clientVersion: '2025-06-18', serverVersion: '2025-11-25' },
    });
  });

  it('ER-51 takes a bearer token, and nothing that looks like one', async () => {
    const { url, store } = await httpServer();
    store.users.add('ada', 'admin', 'correct horse');
    const { call } = await session(url);
    const { token } = (await call('auth/login', { user: 'ada', password: 'correct horse' })).result;
    const read = (authorization: string) =>
      call('resources/read', { uri: 'audit://logins' }, { authorization });
    expect((await read(`Bearer ${token}`)).result.contents[0].text).toContain('ada');
    for (const header of ['Bearer made-up', 'Basic YTpi', 'Bearer', `${token}`])
      expect((await read(header)).error).toMatchObject({ code: -32051, data: { reason: 'invalid_token' } });
  });

  it('ER-51 ER-88 a bearer speaks for its request alone, and reads the errors of its session', async () => {
    const { url, store } = await httpServer();
    store.users.add('bob', 'member', 'correct horse');
    const [own, other] = [await session(url), await session(url)];
    const { token } = (await own.call('auth/login', { user: 'bob', password: 'correct horse' })).result;
    const bearer = { authorization: `Bearer ${token}` };
    const imported = { name: 'import_note', arguments: { name: 'n', path: 'p' } };
    expect((await own.call('tools/call', imported, bearer)).error).toMatchObject({ code: -32031 });
    expect((await own.call('tools/call', imported)).error).toMatchObject({ code: -32052 });
    await other.call('tools/call', { name: 'tool_of_another' });
    const uri = `log://${new Date().toISOString().slice(0, 10)}`;
    const { text } = (await own.call('resources/read', { uri }, bearer)).result.contents[0];
    expect([text.includes('page_not_found'), text.includes('tool_of_another')]).toEqual([true, false]);
  });

  it('ER-52 a guest changes and deletes its own notes, those of others only a member does', async () => {
    const { url, store } = await httpServer();
    store.users.add('bob', 'member', 'correct horse');
    const [guest, other] = [await session(url), await session(url)];
    const { token } = (await other.call('auth/login', { user: 'bob', password: 'correct horse' })).result;
    const bob = { authorization: `Bearer ${token}` };
    const save = { name: 'save_note', arguments: { name: 'n', text: 'x' } };
    const remove = { name: 'delete_note', arguments: { name: 'n' } };
    const refused = (name: string) => ({
      error: { code: -32052, data: { operation: `tools/call:${name}`, required_role: 'member' } },
    });
    const done = { result: { content: [{ type: 'text' }] } };
    for (const call of [save, save, remove, save])
      expect(await guest.call('tools/call', call)).toMatchObject(done);
    expect(await other.call('tools/call', save)).toMatchObject(refused('save_note'));
    expect(await other.call('tools/call', save, bob)).toMatchObject(done);
    expect(await guest.call('tools/call', save)).toMatchObject(refused('save_note'));
    expect(await guest.call('tools/call', remove)).toMatchObject(refused('delete_note'));
    expect(await other.call('tools/call', remove, bob)).toMatchObject(done);
    const define = { name: 'define_tool', arguments: { name: 'greet', description: '', text: 'Hi' } };
    expect(await guest.call('tools/call', define)).toMatchObject(refused('define_tool'));
    expect(await other.call('tools/call', define, bob)).toMatchObject(done);
  });

  it('streams what the server says unasked, and ends a session when told to', async () => {
    const { url } = await httpServer();
    const { headers, call } = await session(url);
    const stream = await fetch(new URL('/mcp', url), {
      headers: { ...headers, accept: 'text/event-stream' },
    });
    await call('resources/subscribe', { uri: 'config://server' });
    await call('tools/call', { name: 'announce', arguments: { uri: 'config://server' } });
    const { value } = (await stream.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain('notifications/resources/updated');
    const ended = await fetch(new URL('/mcp', url), { method: 'DELETE', headers });
    expect(ended.status).toBe(204);
    expect((await call('ping')).error).toMatchObject({ code: -32008 });
  });

  it('ER-46 a session that ends takes its calls with it, and does not come back with their answers', async () => {
    const { url } = await httpServer();
    const { headers, call } = await session(url);
    const running = call('tools/call', {
      name: 'wait',
      arguments: { ms: 600_000 },
      _meta: { progressToken: 1 },
    });
    await vi.waitUntil(async () => {
      const { result } = await call('experimental/progress/get', { progressToken: 1 });
      return result !== undefined;
    });
    await fetch(new URL('/mcp', url), { method: 'DELETE', headers });
    expect((await running).error).toMatchObject({ code: -32033, data: { reason: 'session_closed' } });
    const gone = await fetch(new URL('/mcp', url), { headers });
    expect([gone.status, (await rpcResponse(gone)).error?.data]).toEqual([
      404,
      { reason: 'session_not_found' },
    ]);
    expect((await call('ping')).error).toMatchObject({ code: -32008 });
  });

  it('serves its own machine only, whatever name a page of the web gives it', async () => {
    const { url } = await httpServer();
    const status = await new Promise((resolve) => {
      const sent = request(new URL('/mcp', url), { headers: { host: 'evil.example' } }, (answer) => {
        resolve(answer.statusCode);
        answer.resume();
      });
      sent.end();
    });
    expect(status).toBe(403);
  });
});
