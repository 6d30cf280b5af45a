import { read } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { BUSY } from '../../test/declared.ts';
import { mendFetch } from './mend-fetch.ts';
import { takeRefusal } from './refusals.ts';
import { errorMessageIn, refusalIn } from './reply.ts';

const URL_OF_SERVER = 'http://127.0.0.1/mcp';
const LOG = 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"booked"}}\n\n';

/** A server that says this on its standing stream before it answers the call; what the SDK sees of both. */
async function told(events: readonly string[], answer: Response) {
  let say: ReadableStreamDefaultController<Uint8Array> | undefined;
  const standing = new ReadableStream<Uint8Array>({
    start(controller) {
      say = controller;
    },
  });
  const mended = mendFetch(async (_, init) => {
    if (init?.method !== 'POST')
      return new Response(standing, { headers: { 'content-type': 'text/event-stream' } });
    for (const event of events) say?.enqueue(new TextEncoder().encode(event));
    await new Promise((resolve) => setTimeout(resolve, 20));
    say?.close();
    return answer;
  });
  const stream = (await mended(URL_OF_SERVER, { headers: { accept: 'text/event-stream' } })).text();
  const headers = { accept: 'application/json, text/event-stream' };
  const body = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"pay"}}';
  const response = await mended(URL_OF_SERVER, { method: 'POST', headers, body });
  const reading = read(JSON.parse(await response.text()) as unknown, { now: 0 });
  return { stream: await stream, fault: reading.failure ? reading.fault : undefined };
}

const refused = () => new Response('', { status: 429, headers: { 'retry-after': '0' } });
const json = (message: object) =>
  new Response(JSON.stringify({ jsonrpc: '2.0', id: 7, ...message }), {
    headers: { 'content-type': 'application/json' },
  });

it('an answer in an event of another name reaches the SDK, which takes it from a `message` only', async () => {
  const answer = '{"jsonrpc":"2.0","id":7,"result":{"content":[]}}';
  const { stream } = await told([`id: 5\nevent: result\ndata: ${answer}\n\n`], refused());
  expect(stream).toBe(`id: 5\ndata: ${answer}\n\n`);
  for (const name of ['ping', 'endpoint', 'message\nevent: ping']) {
    const renamed = await told([`event: ${name}\ndata: ${answer}\n\n`], refused());
    expect(renamed.stream).toBe(`data: ${answer}\n\n`);
  }
  const beat = 'event: ping\ndata: {"at":7}\n\n';
  expect((await told([beat], refused())).stream).toBe(beat);
});

it.each([
  ['a 429', refused],
  ['a JSON-RPC error', () => json({ error: { code: -32602, message: 'Invalid params' } })],
  [
    'a declared fault',
    () => json({ result: { isError: true, content: [], _meta: { 'dev.mayday/fault': BUSY } } }),
  ],
])('%s after a log on the standing stream proves nothing', async (_, answer) => {
  expect(await told([], answer())).toMatchObject({ stream: '', fault: { executed: 'no' } });
  expect(await told([LOG], answer())).toMatchObject({ stream: LOG, fault: { executed: 'maybe' } });
});

it.each([
  ['in pieces', [LOG.slice(0, 30), LOG.slice(30, -1), LOG.slice(-1)], 'maybe'],
  ['an event of another name', ['event: receipt\ndata: pay_991\n\n'], 'maybe'],
  ['half an event', [LOG.slice(0, -1)], 'maybe'],
  ['the name of an event alone', ['event: message\n'], 'maybe'],
  ['half the name of an event', ['event: mess'], 'maybe'],
  ['the id and the name of an event', ['id: 7\nevent: message\n'], 'maybe'],
  ['the id of an event alone', ['id: 7\n'], 'maybe'],
  ['half an answer in a heartbeat', ['event: ping\ndata: {"jsonrpc":"2.0","id":7,"resu'], 'maybe'],
  ['an answer in a list, in a heartbeat', ['event: ping\ndata: [{"id":7,"result":{}}]\n\n'], 'maybe'],
  ['the name of a heartbeat, and of a message', ['event: ping\nevent: message\n'], 'maybe'],
  ['a heartbeat', ['event: message\nevent: ping\ndata: {"at":7}\n\n'], 'no'],
  ['the name of a heartbeat', ['event: ping\n'], 'no'],
  [
    'an error under no id',
    ['data: {"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}\n\n'],
    'maybe',
  ],
  ['half a comment', [': boo'], 'no'],
  ['a comment', [': alive\n\n'], 'no'],
  ['a comment that tells of work', [': booked\n\n'], 'maybe'],
  ['a comment that names a thing', [': order 991\n\n'], 'maybe'],
  ['an id that names a thing', ['id: order-991\ndata:\n\n'], 'maybe'],
  ['the name of an event, and nothing else', ['event: booked\n\n'], 'maybe'],
  ['a name of its own, and nothing else', ['event: gebucht\ndata:\n\n'], 'maybe'],
  ['a heartbeat and nothing else', ['event: heartbeat\n\n'], 'no'],
  ['the name of a message and nothing else', ['event: message\n\n'], 'no'],
  ['nothing but an id', ['id: 7\ndata: \n\n'], 'no'],
  ['a ping', ['data: {"jsonrpc":"2.0","id":"p","method":"ping"}\n\n'], 'no'],
])('passes everything on as it came: %s', async (_, events, executed) => {
  expect(await told(events, refused())).toMatchObject({ stream: events.join(''), fault: { executed } });
});

describe('the stream of 2024-11-05 ends behind a refusal', () => {
  const ended = async (end: (say: ReadableStreamDefaultController<Uint8Array>) => void, isOurs: boolean) => {
    let say!: ReadableStreamDefaultController<Uint8Array>;
    const standing = new ReadableStream<Uint8Array>({
      start(controller) {
        say = controller;
      },
    });
    const mended = mendFetch(async (_, init) =>
      init?.method === 'POST'
        ? refused()
        : new Response(standing, { headers: { 'content-type': 'text/event-stream' } }),
    );
    const leaving = new AbortController();
    const stream = await mended(URL_OF_SERVER, { signal: leaving.signal });
    const said = stream.text().catch(() => '');
    say.enqueue(new TextEncoder().encode('event: endpoint\ndata: /messages?sessionId=s1\n\n'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const body = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"pay"}}';
    const response = await mended(URL_OF_SERVER, { method: 'POST', body });
    if (isOurs) leaving.abort();
    end(say);
    await said;
    return takeRefusal(refusalIn(errorMessageIn(await response.text())))?.isTakenBack;
  };

  it('it may have ended of the work', async () => {
    expect(await ended((say) => say.close(), false)).toBe(true);
    expect(await ended((say) => say.error(new TypeError('terminated')), false)).toBe(true);
  });

  it('where it is we who end it, that says nothing', async () => {
    expect(await ended((say) => say.error(new DOMException('', 'AbortError')), true)).toBe(false);
  });
});
