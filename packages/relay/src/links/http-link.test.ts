import { expect, it } from 'vitest';
import { closingLinks, connect, event, notes, OK } from '../../test/http-links.ts';
import { json, STREAM_HEAD } from '../../test/raw-server.ts';
import { ask, message, request } from '../../test/tools.ts';
import type { HttpHead, Outgoing } from './link.ts';

closingLinks();

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
    'gateway',
  ],
  [
    'an answer to another',
    json('{"id":2,"result":{}}'),
    'The server answered another request than the one it was asked',
  ],
  [
    'a stream with an answer to another',
    // The connection has to end with it: nothing else says that the stream does.
    `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${event('{"jsonrpc":"2.0","id":2,"result":{}}').length}\r\n\r\n${event('{"jsonrpc":"2.0","id":2,"result":{}}')}`,
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
])('says that %s is no answer', async (_name, answer, said, origin = 'upstream') => {
  const { link } = await connect(answer);
  const { lost } = await ask(link, request('x'));
  expect(lost).toEqual({ kind: 'invalid_output', origin, executed: 'maybe', message: said });
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
    origin: 'gateway',
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
    origin: 'gateway',
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

it('says that an answer is compressed, which it did not ask for', async () => {
  const { link } = await connect(json('\u001f\u0008x', 200, 'content-encoding: gzip\r\n'));
  expect((await ask(link, request('x'))).lost).toMatchObject({
    kind: 'invalid_output',
    executed: 'maybe',
    message:
      'The server answered a request with HTTP 200 and something that is not a JSON-RPC response: it is compressed (gzip), which it was not asked for',
  });
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
