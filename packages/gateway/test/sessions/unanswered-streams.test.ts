/** Streams of a server over HTTP that end without the answer: whoever waits for it is told soon, and never that nothing happened. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const NOTE = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hi' } })}\n\n`;
const ANOTHERS = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 'another', result: { content: [] } })}\n\n`;
const HALF = 'data: {"jsonrpc":"2.0","id":';
const STREAM = { 'content-type': 'text/event-stream' };

type Rest = 'none' | 'gone' | 'empty' | 'the answer';
const STATUS = { none: 405, gone: 404, empty: 200, 'the answer': 200 } as const;

/** A server whose calls are answered with such a stream, and the rest of it so. */
async function ending(stream: string, rest: Rest) {
  let asked: unknown;
  const counted = { calls: 0, taken: 0 };
  const { url } = await upstream((body, response, request) => {
    if (request.method === 'GET') {
      if (request.headers['last-event-id'] === undefined) return response.writeHead(405).end();
      counted.taken += 1;
      const answer = { jsonrpc: '2.0', id: asked, result: { content: [{ type: 'text', text: 'done' }] } };
      const said = rest === 'the answer' ? `data: ${JSON.stringify(answer)}\n\n` : '';
      return response.writeHead(STATUS[rest], STREAM).end(said);
    }
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} } };
    if (method === 'initialize')
      return json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': 's1' });
    if (method !== 'tools/call')
      return id === undefined
        ? response.writeHead(202).end()
        : json(response, 200, { jsonrpc: '2.0', id, result: { tools: [] } });
    counted.calls += 1;
    asked = id;
    return response.writeHead(200, STREAM).end(stream);
  });
  const gateway = await open({ upstreams: { u: { url, timeout_ms: 30_000 } } });
  const opened = async (path: string) => {
    const { headers } = await post(`${gateway.url}${path}`, INITIALIZE);
    return { 'mcp-session-id': headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' };
  };
  const resume = async (session: { readonly [name: string]: string }, event: string) => {
    const headers = { accept: 'text/event-stream', ...session, 'last-event-id': event };
    const response = await fetch(`${gateway.url}/u/mcp`, { headers });
    return { status: response.status, text: await response.text() };
  };
  return { gateway, counted, opened, resume };
}

const lost = (kind: string) => ({ kind, executed: 'maybe', origin: 'upstream' });

describe.each([
  ['nothing', '', 'disconnected'],
  ['a comment', ': here\n\n', 'disconnected'],
  ['a pause', 'retry: 200\n\n', 'disconnected'],
  ['a message', NOTE, 'disconnected'],
  ['half an event', HALF, 'disconnected'],
  ['an answer to another request', ANOTHERS, 'invalid_output'],
  ['an answer to another request and half an event', ANOTHERS + HALF, 'disconnected'],
])('one that holds %s', (_what, stream, kind) => {
  it.each([
    ['/u/mcp', 't'],
    ['/mcp', 'u_t'],
  ])('at %s', async (path, tool) => {
    const { gateway, counted, opened } = await ending(stream, 'none');
    const answer = await post(`${gateway.url}${path}`, callTool(tool), await opened(path));
    expect(faultIn(answer)).toMatchObject(lost(kind));
    expect(counted).toEqual({ calls: 1, taken: 0 });
  });
});

describe.each([
  ['an id', 'retry: 100\nid: 7\n\n', 'disconnected'],
  ['an id and empty data', 'retry: 100\nid: 7\ndata:\n\n', 'disconnected'],
  ['a message with an id', `retry: 100\nid: 7\n${NOTE}`, 'disconnected'],
  ['an answer to another request with an id', `retry: 100\nid: 7\n${ANOTHERS}`, 'invalid_output'],
  ['half an event behind an id', `retry: 100\nid: 7\n\n${HALF}`, 'disconnected'],
])('one that holds %s', (_what, stream, kind) => {
  it.each(['none', 'gone'] as const)(
    'is asked for, where many servers are one: the rest is %s',
    async (rest) => {
      const { gateway, counted, opened } = await ending(stream, rest);
      const answer = await post(`${gateway.url}/mcp`, callTool('u_t'), await opened('/mcp'));
      expect(faultIn(answer)).toMatchObject({
        executed: 'maybe',
        kind: expect.stringMatching(`^(?:disconnected|${kind})$`),
      });
      expect(counted).toEqual({ calls: 1, taken: 1 });
    },
  );

  it.each(['none', 'gone'] as const)(
    'tells its caller where it is taken up, who is answered there: the rest is %s',
    async (rest) => {
      const { gateway, counted, opened, resume } = await ending(stream, rest);
      const session = await opened('/u/mcp');
      const { text } = await post(`${gateway.url}/u/mcp`, callTool('t', {}, 'mine'), session);
      expect(text).toMatch(/^id: 7$/m);
      expect(text).not.toMatch(/another|"id":/);
      const taken = await resume(session, '7');
      expect(taken.status).toBe(200);
      const answer = JSON.parse(/^data: (.*)$/m.exec(taken.text)?.[1] ?? '{}');
      expect(answer.id).toBe('mine');
      expect(answer.result).toMatchObject({
        isError: true,
        _meta: { 'dev.mayday/fault': lost('disconnected') },
      });
      // It was told: whoever asks again is told what the server says.
      expect((await resume(session, '7')).status).toBe(rest === 'none' ? 405 : 404);
      expect(counted).toEqual({ calls: 1, taken: 2 });
    },
  );

  it('goes on where its server has the rest', async () => {
    const { gateway, opened, resume } = await ending(stream, 'the answer');
    const session = await opened('/u/mcp');
    await post(`${gateway.url}/u/mcp`, callTool('t'), session);
    expect((await resume(session, '7')).text).toContain('"done"');
    const joined = await post(`${gateway.url}/mcp`, callTool('u_t'), await opened('/mcp'));
    expect(joined.text).toContain('"done"');
  });
});

it('is waited for as long as its caller comes for it, and nothing else is answered', async () => {
  const { gateway, opened, resume } = await ending('id: 7\n\n', 'empty');
  const session = await opened('/u/mcp');
  await post(`${gateway.url}/u/mcp`, call('tools/call', { name: 't' }, 9), session);
  for (let i = 0; i < 3; i += 1) expect(await resume(session, '7')).toEqual({ status: 200, text: '' });
  expect((await resume(session, '8')).text).toBe('');
});

it('is fetched for a caller that takes no streams', async () => {
  const { gateway, counted, opened } = await ending('retry: 100\nid: 7\n\n', 'the answer');
  const headers = { ...(await opened('/u/mcp')), accept: 'application/json' };
  expect((await post(`${gateway.url}/u/mcp`, callTool('t'), headers)).text).toContain('"done"');
  expect(counted).toEqual({ calls: 1, taken: 1 });
});
