import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createConversation, createSessions, type OtherProcesses, type Send } from '../rpc.ts';

/** Processes that tell each other at once. */
function neighbourhood() {
  const followers: { by: object; hear(news: object): void }[] = [];
  return (): OtherProcesses => {
    const by = {};
    return {
      tell(news) {
        for (const other of followers) if (other.by !== by) other.hear(JSON.parse(JSON.stringify(news)));
      },
      follow: (hear) => void followers.push({ by, hear }),
    };
  };
}

/** What all processes know: which sessions there are, and where each is listened to. */
function memory() {
  const [ids, streams] = [new Set<string>(), new Map<string, object>()];
  return {
    ids,
    streams,
    kept: { has: (id: string) => ids.has(id), end: (id: string) => void ids.delete(id) },
  };
}

async function process(shared: ReturnType<typeof memory>, others: OtherProcesses) {
  const opened: string[] = [];
  const notified: string[] = [];
  const sends = new Map<string, Send>();
  const own = {};
  const { listener } = createSessions({
    maxBodyBytes: 1000,
    refuse: ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32008, message: 'No' } }),
    kept: shared.kept,
    others,
    open(id, send) {
      opened.push(id);
      sends.set(id, send);
      const conversation = createConversation({
        send,
        answer({ method, controller: { signal } }) {
          shared.ids.add(id);
          if (method !== 'hang') return { method };
          return new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          });
        },
        refuse: ({ thrown, id: to }) => ({
          jsonrpc: '2.0',
          id: to,
          error: { code: -1, message: (thrown as Error).message },
        }),
        notified: (method) => notified.push(method),
      });
      return {
        ...conversation,
        isOpen: () => true,
        listens(is) {
          if (is) shared.streams.set(id, own);
          else if (shared.streams.get(id) === own) shared.streams.delete(id);
        },
        isListenedHere: () => shared.streams.get(id) === own,
      };
    },
  });
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const post = (body: object, id?: string) =>
    fetch(url, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...(id === undefined ? {} : { 'mcp-session-id': id }) },
    });
  async function listen(id: string) {
    const { body } = await fetch(url, { headers: { 'mcp-session-id': id } });
    const heard = { text: '', isOver: false };
    void (async () => {
      for await (const chunk of body ?? []) heard.text += new TextDecoder().decode(chunk as Uint8Array);
      heard.isOver = true;
    })().catch(() => {});
    return heard;
  }
  return { url, post, listen, opened, notified, sends };
}

const request = (id: number, method: string) => ({ jsonrpc: '2.0', id, method });

async function two() {
  const [shared, join] = [memory(), neighbourhood()];
  const [first, second] = [await process(shared, join()), await process(shared, join())];
  const hello = await first.post(request(1, 'hello'));
  const id = hello.headers.get('mcp-session-id') ?? '';
  return { shared, first, second, id };
}

describe('sessions of several processes', () => {
  it('are opened once in each that is asked, and by nobody who makes up an id', async () => {
    const { first, second, id } = await two();
    for (const n of [2, 3]) {
      const answer = await second.post(request(n, 'echo'), id);
      expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, id]);
      expect(await answer.json()).toMatchObject({ result: { method: 'echo' } });
    }
    expect([first.opened, second.opened]).toEqual([[id], [id]]);
    expect((await second.post(request(4, 'echo'), 'made-up')).status).toBe(404);
    expect(second.opened).toEqual([id]);
  });

  it('end in all of them, and with what they hold where nobody was told', async () => {
    const { shared, first, second, id } = await two();
    const hanging = first.post(request(7, 'hang'), id);
    const heard = await first.listen(id);
    const { status } = await fetch(second.url, { method: 'DELETE', headers: { 'mcp-session-id': id } });
    expect([status, shared.ids.has(id)]).toEqual([204, false]);
    expect(await (await hanging).json()).toMatchObject({ error: { message: 'session_closed' } });
    await vi.waitUntil(() => heard.isOver);
    expect((await first.post(request(8, 'echo'), id)).status).toBe(404);

    const hello = await first.post(request(1, 'hello'));
    const other = hello.headers.get('mcp-session-id') ?? '';
    const silent = first.post(request(9, 'hang'), other);
    await vi.waitUntil(async () => (await first.post(request(10, 'echo'), other)).status === 200);
    shared.ids.delete(other);
    expect((await first.post(request(11, 'echo'), other)).status).toBe(404);
    expect(await (await silent).json()).toMatchObject({ error: { message: 'session_closed' } });
  });

  it('pass on what is about another message, and nothing else', async () => {
    const { first, second, id } = await two();
    await second.post(request(2, 'echo'), id);
    const hanging = first.post(request(7, 'hang'), id);
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    const batch = [{ jsonrpc: '2.0', method: 'noted' }, request(3, 'echo'), { nonsense: true }, cancelled];
    expect(await (await second.post(batch, id)).json()).toHaveLength(2);
    expect(await (await hanging).json()).toMatchObject({ error: { message: 'user_requested' } });
    expect([first.notified, second.notified]).toEqual([[], ['noted']]);
  });

  it('are listened to by whoever takes a stream, and by nobody else', async () => {
    const { first, id } = await two();
    for (const accept of ['application/json', 'text/html', 'text/plain;q=0.5'])
      expect((await fetch(first.url, { headers: { 'mcp-session-id': id, accept } })).status).toBe(406);
    for (const accept of ['text/event-stream', 'application/json, Text/Event-Stream', '*/*', 'text/*']) {
      const stream = await fetch(first.url, { headers: { 'mcp-session-id': id, accept } });
      expect([accept, stream.status]).toEqual([accept, 200]);
      await stream.body?.cancel();
    }
  });

  it('are listened to at one place, where questions of all of them arrive', async () => {
    const { first, second, id } = await two();
    const before = await first.listen(id);
    const heard = await second.listen(id);
    await vi.waitUntil(() => before.isOver);
    const say = (message: object) => first.sends.get(id)?.({ jsonrpc: '2.0', ...message });
    expect(say({ method: 'news' })).toBe(false);
    expect(say({ id: 'q', method: 'ask' })).toBe(false);
    await vi.waitUntil(() => heard.text.includes('"ask"'));
    expect([heard.text.includes('news'), before.text]).toEqual([false, '']);
  });
});

describe('more sessions than are held', () => {
  /** A server whose sessions are worth what they say of themselves; over a socket, so many take seconds. */
  function server(kept?: { has(id: string): boolean; end(id: string): void }) {
    const closed: string[] = [];
    const { listener } = createSessions({
      maxBodyBytes: 1000,
      kept,
      refuse: () => ({ error: 'gone' }),
      open(id, send) {
        let worth = 0;
        const { receive } = createConversation({
          send,
          answer({ method }) {
            if (method === 'hang') return new Promise(() => {});
            if (method === 'matter') worth = 1;
            return {};
          },
          refuse: () => undefined,
          notified: () => {},
        });
        return { receive, close: () => void closed.push(id), isOpen: () => true, worth: () => worth };
      },
    });
    async function post(method: string, session?: string) {
      const request = Object.assign(
        Readable.from([Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method }))]),
        {
          method: 'POST',
          url: '/mcp',
          headers: {
            host: '127.0.0.1',
            'content-type': 'application/json',
            ...(session === undefined ? {} : { 'mcp-session-id': session }),
          },
        },
      );
      const said: { status?: number; id?: string } = {};
      const response = Object.assign(new EventEmitter(), {
        writeHead(status: number, headers: Record<string, string> = {}) {
          Object.assign(said, { status, id: headers['mcp-session-id'] });
          return response;
        },
        write: () => true,
        end: () => response,
        setHeader: () => response,
      });
      await listener(request as never, response as never);
      return said;
    }
    return { post, closed };
  }

  it('end the one that matters least and was not used for longest, and none with a call under way', async () => {
    const { post, closed } = server();
    const ids: string[] = [];
    for (let n = 0; n < 1000; n += 1) ids.push((await post('hello')).id ?? '');
    const [matters, busy, used, idle, idler] = ids as [string, string, string, string, string];
    await post('matter', matters);
    void post('hang', busy);
    await post('hello', used);
    await post('hello');
    await post('hello');
    expect(closed).toEqual([idle, idler]);
    expect([(await post('hello', idle)).status, (await post('hello', used)).status]).toEqual([404, 200]);
  });

  it('are let go where they are kept elsewhere, and are there again with the next request', async () => {
    const ended: string[] = [];
    const { post, closed } = server({ has: () => true, end: (id) => void ended.push(id) });
    const ids: string[] = [];
    for (let n = 0; n < 1001; n += 1) ids.push((await post('hello')).id ?? '');
    expect([closed, ended]).toEqual([[ids[0]], []]);
    expect((await post('hello', ids[0])).status).toBe(200);
  });
});
