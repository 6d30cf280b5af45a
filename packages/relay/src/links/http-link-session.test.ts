/** What lasts over HTTP beyond one answer: sessions, slow readers, streams that are taken up again or stand. */
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { closingLinks, connect, event, OK, unasked, until, withIdOf } from '../../test/http-links.ts';
import { json, type RawRequest, STREAM_HEAD } from '../../test/raw-server.ts';
import { ask, message, request } from '../../test/tools.ts';
import { decode } from '../framing/json.ts';
import type { Sink } from './link.ts';

closingLinks();

it('says nothing after a request was cancelled, ends the connection and tells the server', async () => {
  let closed = false;
  const { link, server } = await connect((got, socket) => {
    if (got.body.includes('cancelled')) socket.write('HTTP/1.1 202 x\r\ncontent-length: 0\r\n\r\n');
    else {
      socket.write(STREAM_HEAD + event('{"jsonrpc":"2.0","method":"notifications/x"}'));
      socket.on('close', () => {
        closed = true;
      });
    }
  });
  const told: string[] = [];
  let seen: () => void = () => {};
  const started = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const cancel = link.request(request('x', {}, 'mine'), {
    answered: () => told.push('answered'),
    related: () => seen(),
    lost: () => told.push('lost'),
  });
  await started;
  cancel('too slow');
  await until(() => closed && server.requests.length === 2);
  expect(decode(Buffer.from(server.requests[1]?.body ?? ''))).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 1, reason: 'too slow' }, // the link's own id: the server has seen no other
  });
  expect([told, link.pending]).toEqual([[], 0]);
});

it('lets a slow reader hold back its own answer, and loses nothing', async () => {
  const note = event(
    `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"${'x'.repeat(1000)}"}}`,
  );
  let written = 0;
  const { link } = await connect((_got, socket) => {
    socket.write(STREAM_HEAD);
    let left = 20_000;
    const more = (): void => {
      while (left-- > 0) {
        written++;
        if (!socket.write(note)) {
          socket.once('drain', more);
          return;
        }
      }
      socket.end(event(OK));
    };
    more();
  });
  let got = 0;
  let release: () => void = () => {};
  const outcome = new Promise<unknown>((resolve) => {
    const sink: Sink = {
      related: () => got++,
      drained: () =>
        got > 10 && got < 5000
          ? new Promise<void>((drained) => {
              release = drained;
            })
          : undefined,
      answered: (bytes) => resolve(decode(bytes)),
      lost: resolve,
    };
    link.request(request('x'), sink);
  });
  await until(() => got > 10);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(written).toBeLessThan(20_000);
  const again = setInterval(() => release(), 1);
  expect(await outcome).toMatchObject({ result: { fine: true } });
  clearInterval(again);
  expect(got).toBe(20_000);
});

it('keeps the session and the revision that the server chose, and ends it', async () => {
  const opened = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}';
  const { link, server } = await connect((got, socket) => {
    if (got.body.includes('"initialize"')) socket.write(json(opened, 200, 'mcp-session-id: s-1\r\n'));
    else socket.write(json(OK));
  });
  await ask(link, request('initialize', {}));
  await ask(link, request('x'));
  await link.close();
  expect(
    server.requests.map(({ method, headers }) => [
      method,
      headers['mcp-session-id'],
      headers['mcp-protocol-version'],
    ]),
  ).toEqual([
    ['POST', undefined, undefined],
    ['POST', 's-1', '2025-06-18'],
    ['DELETE', 's-1', '2025-06-18'],
  ]);
});

it.each([
  ['plain', json('Not Found', 404)],
  [
    'JSON-RPC',
    json('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}', 404),
  ],
])('says that a session is unknown to the server, which said so in %s', async (_name, answer) => {
  const { link } = await connect((got, socket) => {
    socket.write(got.body.includes('"initialize"') ? json(OK, 200, 'mcp-session-id: s\r\n') : answer);
  });
  expect((await ask(link, request('x'))).lost?.kind).not.toBe('expired');
  await ask(link, request('initialize', {}));
  expect((await ask(link, request('x'))).lost).toMatchObject({
    kind: 'expired',
    subject: { type: 'session' },
    executed: 'no',
  });
});

it('bounds what is open, and what one caller can hold', async () => {
  const { link } = await connect(() => {}, { maxPending: 3, maxPendingPerCaller: 2 });
  const hold = (caller: string, id: number) => link.request({ ...request('x', {}, id), caller }, NOBODY);
  const held = [hold('me', 1), hold('me', 2)];
  const refused = async (caller: string) => (await ask(link, { ...request('x'), caller })).lost?.message;
  expect(await refused('me')).toBe('Too many calls of this caller wait for this server');
  held.push(hold('they', 3));
  expect(await refused('they')).toBe('Too many calls wait for this server');
  for (const cancel of held) cancel();
  expect(link.pending).toBe(0);
});

it('gives nobody an answer that was given before, though all count from 1', async () => {
  let first = '';
  const { link, server } = await connect(
    (got, socket) => {
      first ||= json(withIdOf(got, OK));
      if (got.body.includes('"first"')) socket.write(first);
      else if (got.body.includes('"second"')) socket.write(first + json(withIdOf(got, OK)));
      else socket.write(json(withIdOf(got, OK.replace('true', '3'))));
    },
    { shared: true },
  );
  expect((await ask(link, request('first'))).answer).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { fine: true },
  });
  expect((await ask(link, request('second'))).lost).toMatchObject({
    kind: 'invalid_output',
    executed: 'maybe',
    message: 'The server answered another request than the one it was asked',
  });
  // The answer that is still to come reaches nobody either.
  expect((await ask(link, request('third'))).answer).toEqual({ jsonrpc: '2.0', id: 1, result: { fine: 3 } });
  expect(server.connections).toBe(2);
});

it('gives the updates of a subscription the id that its caller gave it', async () => {
  const key = 'io.modelcontextprotocol/subscriptionId';
  const { link } = await connect((got, socket) => {
    const id = (decode(Buffer.from(got.body)) as { id: unknown }).id;
    const update = { jsonrpc: '2.0', method: 'notifications/x', params: { _meta: { [key]: id } } };
    const end = { jsonrpc: '2.0', id, result: { _meta: { [key]: id } } };
    socket.write(STREAM_HEAD + event(JSON.stringify(update)) + event(JSON.stringify(end)));
  });
  expect(await ask(link, request('subscriptions/listen', {}, 'mine'))).toMatchObject({
    related: [{ params: { _meta: { [key]: 'mine' } } }],
    answer: { id: 'mine', result: { _meta: { [key]: 'mine' } } },
  });
});

it('does not use a session id that cannot be sent back', async () => {
  const { link, server } = await connect((got, socket) => {
    socket.write(json(withIdOf(got, OK), 200, 'mcp-session-id: a b\u00e9\r\n'));
  });
  await ask(link, request('initialize', {}));
  expect((await ask(link, request('x'))).answer?.result).toEqual({ fine: true });
  expect(server.requests[1]?.headers['mcp-session-id']).toBeUndefined();
});

const POLL = `${STREAM_HEAD}id: e1\nretry: 100\ndata: \n\n`;
const EMPTY_HEAD = 'content-length: 0\r\nconnection: close\r\n\r\n';

/** A server whose answers have to be fetched; `gets` are its answers to those who come for them. */
function polling(...gets: string[]): (got: RawRequest, socket: Socket) => void {
  return (got, socket) => socket.end(got.method === 'GET' ? (gets.shift() ?? POLL) : POLL);
}

it.each([
  ['at once', [`${STREAM_HEAD}${event(OK)}`], ['e1']],
  ['after it was asked twice', [`${STREAM_HEAD}id: e2\ndata: \n\n`, STREAM_HEAD + event(OK)], ['e1', 'e2']],
  ['of a server that was away', ['', STREAM_HEAD + event(OK)], ['e1', 'e1']],
  ['of a busy server', [`HTTP/1.1 503 x\r\n${EMPTY_HEAD}`, STREAM_HEAD + event(OK)], ['e1', 'e1']],
])('fetches an answer that its stream did not wait for: %s', async (_how, gets, from) => {
  const { link, server } = await connect(polling(...gets), { headers: { 'X-Own': 'o' } });
  const { answer } = await ask(link, request('tools/call', { name: 'pay' }));
  expect(answer).toEqual({ jsonrpc: '2.0', id: 1, result: { fine: true } });
  const asked = server.requests.filter(({ method }) => method === 'GET');
  expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual(from);
  expect(asked[0]?.headers).toMatchObject({ accept: 'text/event-stream', 'x-own': 'o' });
  expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it.each([
  ['405', `HTTP/1.1 405 x\r\n${EMPTY_HEAD}`, 'HTTP 405 Not supported'],
  ['400', json('{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}', 400), 'x'],
  [
    '404',
    json('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}', 404),
    'Session not found',
  ],
])('does not take the refusal of a stream for the answer: %s', async (_status, refusal, words) => {
  const { link } = await connect(polling(refusal));
  expect((await ask(link, request('tools/call', { name: 'pay' }))).lost).toEqual({
    kind: 'disconnected',
    origin: 'upstream',
    executed: 'maybe',
    message: `The stream ended before the answer came, and the rest of it was refused: ${words}`,
  });
});

it.each([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
])('says why the rest of a stream is not for it, and not that nothing was done: %i', async (status, kind) => {
  const { link } = await connect(polling(`HTTP/1.1 ${status} x\r\n${EMPTY_HEAD}`));
  const { lost } = await ask(link, request('tools/call', { name: 'pay' }));
  expect(lost).toMatchObject({ kind, executed: 'maybe' });
});

it('brings what a stream says that was taken up, before the answer', async () => {
  const note = '{"jsonrpc":"2.0","method":"notifications/progress"}';
  const { link } = await connect(polling(STREAM_HEAD + event(note) + event(OK)));
  expect((await ask(link, request('x'))).related).toEqual([
    { jsonrpc: '2.0', method: 'notifications/progress' },
  ]);
});

it('asks no more for an answer that nobody wants', async () => {
  const { link, server } = await connect(polling());
  const cancel = link.request(request('x'), { answered: () => {}, related: () => {}, lost: () => {} });
  await until(() => server.requests.some(({ method }) => method === 'GET'));
  cancel();
  await until(() => server.requests.some(({ body }) => body.includes('notifications/cancelled')));
  const before = server.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 450));
  expect(server.requests.slice(before).filter(({ method }) => method === 'GET')).toEqual([]);
  expect(link.pending).toBe(0);
});

it('opens the standing stream again when it ends', async () => {
  let streams = 0;
  const { link, server } = await connect((got, socket) => {
    if (got.method === 'GET')
      socket.end(`${STREAM_HEAD}id: e${++streams}\n${event(`{"jsonrpc":"2.0","method":"n${streams}"}`)}`);
    else socket.write('HTTP/1.1 202 x\r\ncontent-length: 0\r\n\r\n');
  });
  link.send(message({ method: 'notifications/initialized' }));
  await until(() => unasked.length === 2);
  expect(unasked).toEqual([
    { jsonrpc: '2.0', method: 'n1' },
    { jsonrpc: '2.0', method: 'n2' },
  ]);
  await link.close();
  const opened = server.requests.filter(({ method }) => method === 'GET');
  expect(opened.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e1']);
});

it('leaves a server alone that has no standing stream', async () => {
  const { link, server } = await connect((got, socket) => {
    socket.write(got.method === 'GET' ? 'HTTP/1.1 405 x\r\ncontent-length: 0\r\n\r\n' : json(OK));
  });
  link.send(message({ method: 'notifications/initialized' }));
  await until(() => server.requests.length === 2);
  await ask(link, request('x'));
  expect(server.requests.map(({ method }) => method).sort()).toEqual(['GET', 'POST', 'POST']);
});

const NOBODY: Sink = { answered: () => {}, related: () => {}, lost: () => {} };
