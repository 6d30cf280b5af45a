import type { Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { json, type RawRequest, type RawServer, rawServer, STREAM_HEAD } from '../../test/raw-server.ts';
import { ask, message, request } from '../../test/tools.ts';
import { decode } from '../framing/json.ts';
import { HttpLink, type HttpLinkOptions } from './http-link.ts';
import type { HttpHead, Outgoing, Sink } from './link.ts';

const links: HttpLink[] = [];
const servers: RawServer[] = [];
const notes: string[] = [];
const unasked: unknown[] = [];

async function connect(
  answer: string | ((request: RawRequest, socket: Socket) => void),
  options: Partial<HttpLinkOptions> = {},
): Promise<{ link: HttpLink; server: RawServer }> {
  const server = await rawServer(
    typeof answer === 'string' ? (_request, socket) => socket.end(answer) : answer,
  );
  servers.push(server);
  const link = new HttpLink({
    url: server.url,
    onMessage: (bytes) => unasked.push(decode(bytes)),
    onNote: (note) => notes.push(note),
    ...options,
  });
  links.push(link);
  return { link, server };
}

afterEach(async () => {
  await Promise.all(links.splice(0).map((link) => link.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
  notes.length = 0;
  unasked.length = 0;
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const OK = '{"jsonrpc":"2.0","id":1,"result":{"fine":true}}';
/** The answer with the id that was asked. */
const withIdOf = ({ body }: RawRequest, answer: string): string =>
  answer.replace(/"id":\d+/, /"id":\d+/.exec(body)?.[0] ?? '');
const event = (text: string): string => `data: ${text}\n\n`;

it.each([
  ['JSON', json(OK)],
  ['201 with an answer', json(OK, 201)],
  ['JSON behind a byte order mark', json(`\ufeff${OK}`)],
  ['a stream', STREAM_HEAD + event(OK)],
  ['a stream behind a byte order mark', `${STREAM_HEAD}\ufeff${event(OK)}`],
  ['a stream with lone returns', `${STREAM_HEAD}data: ${OK}\r\r`],
  [
    'an answer over several lines',
    `${STREAM_HEAD}data: {"jsonrpc":"2.0","id":1,\ndata: "result":{"fine":true}}\n\n`,
  ],
  ['an id as text', json('{"jsonrpc":"2.0","id":"1","result":{"fine":true}}')],
])('takes %s', async (_name, answer) => {
  const { link } = await connect(answer);
  expect((await ask(link, request('x'))).answer).toEqual({ jsonrpc: '2.0', id: 1, result: { fine: true } });
});

it.each([
  ['an error without an id', json('{"jsonrpc":"2.0","error":{"code":7}}', 400)],
  ['an error with the id null', json('{"jsonrpc":"2.0","id":null,"error":{"code":7}}', 500)],
  ['201 with an error', json('{"jsonrpc":"2.0","id":1,"error":{"code":7}}', 201)],
])('takes %s', async (_name, answer) => {
  const { link } = await connect(answer);
  expect((await ask(link, request('x'))).answer).toEqual({ jsonrpc: '2.0', id: 1, error: { code: 7 } });
});

it.each([
  [
    '202',
    'HTTP/1.1 202 x\r\ncontent-length: 0\r\n\r\n',
    'The server answered a request with HTTP 202 without an answer',
  ],
  ['204', 'HTTP/1.1 204 x\r\n\r\n', 'The server answered a request with HTTP 204 without an answer'],
  [
    '205',
    'HTTP/1.1 205 x\r\ncontent-length: 0\r\n\r\n',
    'The server answered a request with HTTP 205 without an answer',
  ],
  ['an empty body', json(''), 'The server answered a request with HTTP 200 without an answer'],
  [
    'no JSON',
    json('{bad}'),
    'The server answered a request with HTTP 200 and something that is not a JSON-RPC response',
  ],
  [
    'a request',
    json('{"id":1,"method":"x"}'),
    'The server answered a request with HTTP 200 and something that is not a JSON-RPC response',
  ],
  [
    'deep JSON',
    json(`{"id":1,"result":${'['.repeat(5000)}${']'.repeat(5000)}}`),
    "The server's answer is nested deeper than the gateway's limit of 1000 levels",
  ],
  [
    'an answer to another',
    json('{"id":2,"result":{}}'),
    'The server answered another request than the one it was asked',
  ],
  [
    'a result without an id',
    json('{"jsonrpc":"2.0","result":{}}'),
    'The server answered another request than the one it was asked',
  ],
  [
    'a result with the id null',
    json('{"jsonrpc":"2.0","id":null,"result":{}}'),
    'The server answered another request than the one it was asked',
  ],
])('says that %s is no answer', async (_name, answer, said) => {
  const { link } = await connect(answer);
  const { lost } = await ask(link, request('x'));
  expect(lost).toEqual({ kind: 'invalid_output', origin: 'upstream', executed: 'maybe', message: said });
});

it.each([
  ['a body', json('x'.repeat(2000))],
  ['an event that does not end', `${STREAM_HEAD}data: ${'x'.repeat(2000)}`],
  ['an event', `${STREAM_HEAD}data: ${'x'.repeat(2000)}\n\n`],
])('gives up %s beyond the limit', async (_name, answer) => {
  const { link } = await connect(answer, { maxMessageBytes: 1000 });
  const { lost } = await ask(link, request('x'));
  expect(lost).toMatchObject({
    kind: 'invalid_output',
    message: "The server's answer is larger than the gateway's limit of 1000 bytes",
  });
});

it.each([
  ['a body', json],
  ['an event', (text: string) => STREAM_HEAD + event(text)],
])('says of %s that is nested too deep that it is', async (_name, answer) => {
  const deep = '['.repeat(1000) + ']'.repeat(1000);
  const { link } = await connect(answer(`{"jsonrpc":"2.0","id":1,"result":{"deep":${deep}}}`));
  expect((await ask(link, request('x'))).lost).toMatchObject({
    kind: 'invalid_output',
    executed: 'maybe',
    message: "The server's answer is nested deeper than the gateway's limit of 1000 levels",
  });
});

it.each([
  ['a stream that ends', STREAM_HEAD + event('{"jsonrpc":"2.0","method":"notifications/x"}')],
  ['a stream that is cut in an event', `${STREAM_HEAD}data: {"id":1,"res`],
  [
    'a body that is cut',
    'HTTP/1.1 200 x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"id":1',
  ],
  ['a head that is cut', 'HTTP/1.1 200 x\r\ncontent-ty'],
  ['silence', ''],
])('calls %s a lost connection', async (_name, answer) => {
  const { link } = await connect(answer);
  expect((await ask(link, request('x'))).lost).toMatchObject({ kind: 'disconnected', executed: 'maybe' });
});

it('knows that nothing was sent where nobody listens', async () => {
  const { link, server } = await connect(OK);
  await server.close();
  expect((await ask(link, request('x'))).lost).toMatchObject({ kind: 'unavailable', executed: 'no' });
});

it('tells the head that a failing answer came under', async () => {
  const said = '{"jsonrpc":"2.0","id":1,"error":{"code":-32010}}';
  const { link } = await connect(json(said, 429, 'retry-after: 7\r\n'));
  const head = await new Promise<HttpHead | undefined>((resolve) => {
    const lost = (): void => resolve(undefined);
    link.request(request('x'), { answered: (_bytes, got) => resolve(got), related: () => {}, lost });
  });
  expect([head?.status, head?.headers['retry-after']]).toEqual([429, '7']);
});

it('reads what HTTP says', async () => {
  const { link } = await connect(json('{"error":"slow down"}', 429, 'retry-after: 7\r\n'));
  expect((await ask(link, request('x'))).lost).toMatchObject({
    kind: 'rate_limited',
    retry: { afterMs: 7000 },
  });
});

it('survives hostile events, and hears the answer behind them', async () => {
  const events = [
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":NaN}}',
    '{bad}',
    '['.repeat(5000),
    'null',
    '{"id":{"toString":1},"result":{}}',
    '{"id":99,"result":{"secret":true}}',
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"seen"}}',
    OK,
    OK,
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"too late"}}',
  ];
  const { link } = await connect(STREAM_HEAD + events.map(event).join(''));
  const { related, answer } = await ask(link, request('x'));
  expect([related, answer?.result]).toEqual([
    [{ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'seen' } }],
    { fine: true },
  ]);
});

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

it('says that an answer is compressed, which it did not ask for', async () => {
  const { link } = await connect(json('\u001f\u0008x', 200, 'content-encoding: gzip\r\n'));
  expect((await ask(link, request('x'))).lost).toMatchObject({
    kind: 'invalid_output',
    executed: 'maybe',
    message:
      'The server answered a request with HTTP 200 and something that is not a JSON-RPC response: it is compressed (gzip), which it was not asked for',
  });
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

it('says in the headers what 2026-07-28 wants there, and brings along what belongs to the message', async () => {
  const { link, server } = await connect(json(OK), { headers: { 'X-Own': 'o' } });
  const sent: Outgoing = {
    ...request('tools/call', {
      name: 'ünï',
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
    }),
    revision: '2026-07-28',
    headers: { traceparent: 't', 'mcp-param-a': 'p', authorization: 'secret', cookie: 'secret' },
  };
  await ask(link, sent);
  const headers = server.requests[0]?.headers;
  expect(headers).toMatchObject({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': '=?base64?w7xuw68=?=',
    traceparent: 't',
    'mcp-param-a': 'p',
    'x-own': 'o',
    accept: 'application/json, text/event-stream',
  });
  expect([headers?.['authorization'], headers?.['cookie']]).toEqual([undefined, undefined]);
});

it('passes the caller’s authorization on where it is told to', async () => {
  const { link, server } = await connect(json(OK), { passAuthorization: true });
  await ask(link, { ...request('x'), headers: { authorization: 'Bearer t' } });
  expect(server.requests[0]?.headers['authorization']).toBe('Bearer t');
});

it('is opened and cancelled by nobody where many share it', async () => {
  const { link, server } = await connect(json(OK), { shared: true });
  expect((await ask(link, request('initialize', {}))).lost).toMatchObject({
    kind: 'unsupported',
    executed: 'no',
  });
  for (const method of ['notifications/initialized', 'notifications/cancelled'])
    link.send(message({ method }));
  link.send(message({ id: 1, result: {} }));
  await ask(link, request('x'));
  expect(server.requests.length).toBe(1);
});

it('tells those who wait when the client cancels or the link is closed', async () => {
  const { link } = await connect((got, socket) => {
    if (got.body.includes('cancelled')) socket.write('HTTP/1.1 202 x\r\ncontent-length: 0\r\n\r\n');
  });
  const [one, two] = ['one', 'two'].map((id) => ask(link, request('deaf', {}, id)));
  link.send(message({ method: 'notifications/cancelled', params: { requestId: 'one' } }));
  expect((await one)?.lost).toMatchObject({ kind: 'cancelled', origin: 'caller' });
  await link.close();
  expect((await two)?.lost).toMatchObject({ kind: 'disconnected', origin: 'gateway' });
  expect((await ask(link, request('x'))).lost).toMatchObject({ kind: 'unavailable', executed: 'no' });
});

it('is not ended by a sink that throws', async () => {
  const { link } = await connect(STREAM_HEAD + event('{"jsonrpc":"2.0","method":"n"}') + event(OK));
  const told = await new Promise((resolve) => {
    const fail = (): never => {
      throw new TypeError('secret');
    };
    link.request(request('x'), { answered: fail, related: fail, lost: resolve });
  });
  expect(told).toMatchObject({ kind: 'invalid_output' });
  expect(notes).toEqual([
    'a message could not be handled (TypeError)',
    'an answer could not be handled (TypeError)',
  ]);
});

it('refuses a header that cannot be sent, before anything is', async () => {
  const { link, server } = await connect(json(OK));
  const { lost } = await ask(link, { ...request('x'), headers: { 'mcp-param-a': 'x\r\ny: z' } });
  expect(lost).toMatchObject({ kind: 'invalid_request', executed: 'no' });
  expect(server.requests.length).toBe(0);
});

const NOBODY: Sink = { answered: () => {}, related: () => {}, lost: () => {} };
