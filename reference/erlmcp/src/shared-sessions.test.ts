import { post, rpcResponse, tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it, vi } from 'vitest';
import { httpServer } from '../test/app.ts';

let last = 0;

function rpc(method: string, params?: object, id: number | undefined = ++last): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

function said(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

type Headers = { [name: string]: string };

/** A session that was opened at a server, and is asked at any. */
async function open(url: string, capabilities: object = {}) {
  const clientInfo = { name: 'by-hand', version: '1' };
  const hello = await post(
    url,
    rpc('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo }),
  );
  const headers: Headers = { 'mcp-session-id': hello.headers.get('mcp-session-id') ?? '' };
  await post(url, said('notifications/initialized'), headers);
  const at = async (where: string, method: string, params?: object) =>
    rpcResponse(await post(where, rpc(method, params), headers));
  return { headers, at };
}

/** What a stream of the server's has said so far. */
async function listenAt(url: string, headers: Headers) {
  const response = await fetch(new URL('/mcp', url), {
    headers: { ...headers, accept: 'text/event-stream' },
  });
  const heard = { text: '', isOver: false };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) heard.text += decoder.decode(chunk as Uint8Array);
    heard.isOver = true;
  })().catch(() => {});
  return heard;
}

/** Two servers on one data folder. */
async function pair() {
  const folder = tempFolder();
  return { folder, first: await httpServer({}, folder), second: await httpServer({}, folder) };
}

describe('a session over HTTP', () => {
  it('is served by every process on its folder, with what it signed in with and subscribed to', async () => {
    const { first, second } = await pair();
    first.store.users.add('ada', 'admin', 'correct horse');
    const { at } = await open(first.url);
    expect((await at(second.url, 'tools/list')).result.tools.length).toBeGreaterThan(3);
    const credentials = { user: 'ada', password: 'correct horse' };
    const { token } = (await at(second.url, 'auth/login', credentials)).result;
    await at(second.url, 'auth/authenticate', { token });
    expect((await at(first.url, 'resources/read', { uri: 'audit://logins' })).result).toBeDefined();
    await at(first.url, 'resources/subscribe', { uri: 'config://server' });
    expect((await at(second.url, 'resources/subscribe', { uri: 'config://server' })).error?.data).toEqual({
      uri: 'config://server',
      reason: 'already_subscribed',
    });
    expect((await at(second.url, 'initialize', {})).error).toMatchObject({ code: -32600 });
  });

  it('is there again after a restart, and so are its tasks and the cursors of its lists', async () => {
    const folder = tempFolder();
    const first = await httpServer({ pageSize: 2 }, folder);
    const { at, headers } = await open(first.url);
    await at(first.url, 'resources/subscribe', { uri: 'config://server' });
    const add = { name: 'calculate', arguments: { a: 20, b: 22 }, task: {} };
    const { taskId } = (await at(first.url, 'tools/call', add)).result.task;
    await at(first.url, 'tasks/result', { taskId });
    const { nextCursor } = (await at(first.url, 'tools/list')).result;
    await first.stop();

    const second = await httpServer({ pageSize: 2 }, folder);
    expect((await at(second.url, 'tasks/result', { taskId })).result).toMatchObject({
      content: [{ text: '42' }],
    });
    expect((await at(second.url, 'tools/list', { cursor: nextCursor })).result.tools).toHaveLength(2);
    const heard = await listenAt(second.url, headers);
    await at(second.url, 'tools/call', { name: 'announce', arguments: { uri: 'config://server' } });
    await vi.waitUntil(() => heard.text.includes('notifications/resources/updated'));
    const version = { ...headers, 'mcp-protocol-version': '2025-06-18' };
    expect((await rpcResponse(await post(second.url, rpc('ping'), version))).error).toMatchObject({
      code: -32062,
    });
  });

  it('ends everywhere when it is ended, with its streams and what runs in it', async () => {
    const { first, second } = await pair();
    const { at, headers } = await open(first.url);
    const wait = { name: 'wait', arguments: { ms: 600_000 } };
    const running = at(first.url, 'tools/call', wait);
    const heard = await listenAt(first.url, headers);
    const ended = await fetch(new URL('/mcp', second.url), { method: 'DELETE', headers });
    expect(ended.status).toBe(204);
    expect((await running).error).toMatchObject({ code: -32033, data: { reason: 'session_closed' } });
    await vi.waitUntil(() => heard.isOver);
    for (const { url } of [first, second])
      expect((await at(url, 'ping')).error).toMatchObject({
        code: -32008,
        data: { reason: 'session_not_found' },
      });
  });

  it('hears of changes that another process makes, on the one stream that it has', async () => {
    const { first, second } = await pair();
    const { at, headers } = await open(first.url);
    await at(second.url, 'tools/call', { name: 'save_note', arguments: { name: 'n', text: 'a' } });
    await at(second.url, 'resources/subscribe', { uri: 'note://n' });
    const before = await listenAt(second.url, headers);
    const heard = await listenAt(first.url, headers);
    await vi.waitUntil(() => before.isOver);
    await at(second.url, 'tools/call', { name: 'save_note', arguments: { name: 'n', text: 'b' } });
    await vi.waitUntil(() => heard.text.includes('notifications/resources/updated'));
    await at(second.url, 'tools/call', { name: 'delete_note', arguments: { name: 'n' } });
    await vi.waitUntil(() => heard.text.includes('notifications/resources/list_changed'));
    expect(before.text).toBe('');
    expect(heard.text.match(/resources\/updated/g)).toHaveLength(1);
    const announced = await at(second.url, 'tools/call', {
      name: 'announce',
      arguments: { uri: 'note://n' },
    });
    expect(announced.result.content).toEqual([{ type: 'text', text: 'Told 1' }]);
  });

  it('takes a call back, and answers a question, at another process than asked', async () => {
    const { first, second } = await pair();
    const { at, headers } = await open(first.url, { elicitation: { url: {} } });
    const running = post(
      first.url,
      rpc('tools/call', { name: 'wait', arguments: { ms: 600_000 } }, 700),
      headers,
    );
    await post(second.url, said('notifications/cancelled', { requestId: 700 }), headers);
    expect((await rpcResponse(await running)).error).toMatchObject({ code: -32033 });

    const heard = await listenAt(second.url, headers);
    const link = { name: 'link_account', arguments: {}, task: {} };
    const { taskId } = (await at(first.url, 'tools/call', link)).result.task;
    await vi.waitUntil(() => heard.text.includes('elicitation/create'));
    const { id } = JSON.parse(/^data: (.*elicitation\/create.*)$/m.exec(heard.text)?.[1] ?? '{}');
    const answer = { jsonrpc: '2.0', id, result: { action: 'accept' } };
    await post(second.url, JSON.stringify(answer), headers);
    expect((await at(second.url, 'tasks/result', { taskId })).result).toMatchObject({
      content: [{ text: 'Linked' }],
    });
  });

  it('keeps no more of what a client says of itself than is asked for', async () => {
    const { url, store } = await httpServer();
    const { headers } = await open(url, { sampling: { x: 'y' }, experimental: { long: 'x'.repeat(10_000) } });
    const facts = store.sessions.facts(headers['mcp-session-id'] ?? '');
    expect(facts.get('clientCapabilities')).toEqual({ sampling: {} });
  });

  it('is not made by a greeting that is refused', async () => {
    const { first, second } = await pair();
    const refused = await post(
      first.url,
      rpc('initialize', { protocolVersion: '2025-11-25', capabilities: {} }),
    );
    expect(refused.headers.get('mcp-session-id')).toBeNull();
    expect((await rpcResponse(refused)).error).toMatchObject({ code: -32602 });
    expect(second.store.sessions.count()).toBe(0);
  });
});
