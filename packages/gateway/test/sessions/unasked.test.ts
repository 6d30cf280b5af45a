/** What a server says that nobody asked it: its requests and notifications reach a caller, and nothing else does. */
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { startGateway } from '../../src/gateway.ts';
import {
  call,
  callTool,
  cleanUp,
  INITIALIZE,
  idIn,
  json,
  later,
  open,
  post,
  settingsOf,
  takeEvents,
  until,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const SECRET = 'password=hunter2secret';

/** None of these is a message that a caller waits for. */
const STRAY: readonly string[] = [
  ...[0, 70, 71, 7].map(
    (id) => `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"FORGED"}]}}`,
  ),
  `{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"${SECRET}"}}`,
  `{"jsonrpc":"2.0","id":7,"result":{"isError":true,"content":[{"type":"text","text":"${SECRET}"}]}}`,
  `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"${SECRET}"}}`,
  `[{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"${SECRET}"}}]`,
  `{"foo":"${SECRET}"}`,
  `"${SECRET}"`,
  `not JSON: ${SECRET}`,
  '7',
];
const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  serverInfo: { name: 's', version: '1' },
};
const NEWS = '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x:1"}}';

/** A server that writes all of it on its streams: `streams` are those that wait for it. */
async function talkative() {
  const streams: ServerResponse[] = [];
  const { url } = await upstream((said, response, request) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': open\n\n');
      streams.push(response);
    } else if (said.includes('"initialize"')) {
      const result = { protocolVersion: '2025-11-25', capabilities: {} };
      json(response, 200, { jsonrpc: '2.0', id: idIn(said), result }, { 'mcp-session-id': 's1' });
    } else response.writeHead(202).end();
  });
  const talk = (): void => {
    for (const stream of streams) for (const data of [...STRAY, NEWS]) stream.write(`data: ${data}\n\n`);
  };
  return { url, streams, talk };
}

it('a server cannot answer at the joined endpoint what another was asked', async () => {
  const { url, streams, talk } = await talkative();
  let answer = (): void => {};
  const slow = await upstream((said, response) => {
    if (said.includes('"initialize"')) json(response, 200, { jsonrpc: '2.0', id: idIn(said), result: {} });
    else if (said.includes('tools/call'))
      answer = () =>
        json(response, 200, { jsonrpc: '2.0', id: JSON.parse(said).id, result: { content: ['own'] } });
    else response.writeHead(202).end();
  });
  const gateway = await open({ upstreams: { h: { url }, s: { url: slow.url } } });
  const { headers } = await post(`${gateway.url}/mcp`, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await until(() => streams.length === 1);
  const paid = post(`${gateway.url}/mcp`, callTool('s_pay', {}, 7), session);
  const standing = await fetch(`${gateway.url}/mcp`, {
    headers: { ...session, accept: 'text/event-stream' },
  });
  talk();
  expect(await takeEvents(standing, 1)).toEqual([`id: s-1\nevent: message\ndata: ${NEWS}`]);
  await until(() => slow.seen.some(({ body }) => body.includes('tools/call')));
  answer();
  expect((await paid).message.result).toEqual({ content: ['own'] });
  const log = gateway.logs.join('\n');
  expect(log).toContain('answered a request that was never asked');
  expect(log).toContain('sent something that is not JSON-RPC (batch)');
  expect(log).not.toContain('hunter2');
});

it('a server tells at the joined endpoint of the progress of its own calls alone', async () => {
  const progress = (token: number): string =>
    `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1}}`;
  const { url } = await upstream((said, response) => {
    if (said.includes('"initialize"'))
      json(response, 200, { jsonrpc: '2.0', id: JSON.parse(said).id, result: {} });
    else if (said.includes('tools/call')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const token of [1, 7, 8]) response.write(`data: ${progress(token)}\n\n`);
      response.end(`data: {"jsonrpc":"2.0","id":${JSON.parse(said).id},"result":{"content":["own"]}}\n\n`);
    } else response.writeHead(202).end();
  });
  const gateway = await open({ upstreams: { h: { url }, s: { url } } });
  const params = { name: 'h_t', _meta: { progressToken: 7 } };
  const { text } = await post(`${gateway.url}/mcp`, call('tools/call', params, 7));
  expect(text.match(/^data: .*$/gm)).toEqual([`data: ${progress(7)}`, expect.stringContaining('own')]);
  expect(gateway.logs.join('\n')).toContain('told of progress that it was not asked for');
});

it('a standing stream of its own endpoint has no answers and nothing that is no message', async () => {
  const { url, streams, talk } = await talkative();
  const gateway = await open({ upstreams: { h: { url } } });
  const headers = { 'mcp-session-id': 's1', accept: 'text/event-stream' };
  const standing = await fetch(`${gateway.url}/h/mcp`, { headers });
  await until(() => streams.length === 1);
  talk();
  expect(await takeEvents(standing, 1)).toEqual([expect.stringContaining(`data: ${NEWS}`)]);
  expect(gateway.logs.join('\n')).toContain('answered a request that was never asked');
  expect(gateway.logs.join('\n')).toContain('sent something that is not JSON-RPC (not_a_message)');
});

it('a stream that is taken up again has its answers, and nothing that is no message', async () => {
  const { url, streams, talk } = await talkative();
  const gateway = await open({ upstreams: { h: { url } } });
  const headers = { 'mcp-session-id': 's1', accept: 'text/event-stream', 'last-event-id': 'e1' };
  const resumed = await fetch(`${gateway.url}/h/mcp`, { headers });
  await until(() => streams.length === 1);
  talk();
  const events = await takeEvents(resumed, 8);
  expect(events.slice(0, 4).map((event) => event.replace(/^:\n\n/, ''))).toEqual(
    STRAY.slice(0, 4).map((data) => expect.stringContaining(`data: ${data}`)),
  );
  expect(events.at(-1)).toContain(`data: ${NEWS}`);
  expect(events.join('\n')).not.toContain('hunter2');
});

it.each(['/h/mcp', '/mcp'])(
  'beside the answer to a call there is nothing that is no message, at %s',
  async (path) => {
    const { url } = await upstream((said, response) => {
      if (said.includes('"initialize"'))
        json(response, 200, { jsonrpc: '2.0', id: JSON.parse(said).id, result: {} });
      else if (said.includes('tools/call')) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const data of [...STRAY.slice(0, 3), ...STRAY.slice(7), NEWS])
          response.write(`data: ${data}\n\n`);
        response.end(`data: {"jsonrpc":"2.0","id":${JSON.parse(said).id},"result":{"content":["own"]}}\n\n`);
      } else response.writeHead(202).end();
    });
    const gateway = await open({ upstreams: { h: { url } } });
    const { text, message } = await post(
      `${gateway.url}${path}`,
      callTool(path === '/mcp' ? 'h_t' : 't', {}, 7),
    );
    expect(message.result).toEqual({ content: ['own'] });
    expect(text.match(/^data: .*$/gm)).toEqual([`data: ${NEWS}`, expect.stringContaining('own')]);
    const log = gateway.logs.join('\n');
    expect(log).toContain('answered another request than the one it was asked');
    expect(log).toContain('sent something that is not JSON-RPC (not_json)');
  },
);

it.each([
  ['/h/mcp', 'outside of sessions', false],
  ['/mcp', 'outside of sessions', false],
  ['/mcp', 'in sessions', true],
])(
  "an answer to another caller's call says nothing to who gets it, at %s %s",
  async (path, _where, inSessions) => {
    const waiting: (string | number)[] = [];
    const { url } = await upstream((said, response) => {
      const { id, method } = JSON.parse(said);
      if (method === 'initialize') {
        const result = { protocolVersion: '2025-11-25', capabilities: {} };
        json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': `s${waiting.length}` });
      } else if (method !== 'tools/call') response.writeHead(202).end();
      else {
        const of = waiting[0] ?? id; // whoever is second is given the answer of the first, who waits
        waiting.push(id);
        const result = { content: [{ type: 'text', text: 'balance of Ann: 4711' }] };
        if (waiting.length === 2) json(response, 200, { jsonrpc: '2.0', id: of, result });
      }
    });
    const gateway = await open({ upstreams: { h: { url, timeout_ms: 3000 } } });
    const sessionOf = async () =>
      inSessions
        ? {
            'mcp-session-id':
              (await post(`${gateway.url}${path}`, INITIALIZE)).headers.get('mcp-session-id') ?? '',
          }
        : {};
    const ann = await sessionOf();
    const bob = await sessionOf();
    const asked = callTool(path === '/mcp' ? 'h_balance' : 'balance', {}, 7);
    const first = post(`${gateway.url}${path}`, asked, ann);
    await until(() => waiting.length === 1);
    const { text } = await post(`${gateway.url}${path}`, asked, bob);
    expect(text).not.toContain('4711');
    expect(text).toContain('invalid_output');
    await first;
  },
);

it.each([400, 401, 404, 413, 429, 500])(
  'an HTTP %i with the answer to another call refuses nothing, and says nothing of it',
  async (status) => {
    let made = 0;
    const { url } = await upstream((said, response) => {
      const { id, method } = JSON.parse(said);
      if (method !== 'tools/call') return void response.writeHead(202).end();
      made += 1;
      const error = { code: -32602, message: 'amount of Ann: 4711 is too small' };
      json(response, status, { jsonrpc: '2.0', id: id + 9000, error });
    });
    const gateway = await open({ upstreams: { h: { url } } });
    const { text } = await post(`${gateway.url}/h/mcp`, callTool('pay', {}, 7));
    expect(text).not.toContain('4711');
    expect(text).toContain('"executed":"maybe"');
    expect(made).toBe(1);
  },
);

it('an error of the SDK for Python is that of the call it is told for', async () => {
  const { url } = await upstream((_said, response) => {
    const error = { code: -32600, message: 'Bad Request: Missing session ID' };
    json(response, 400, { jsonrpc: '2.0', id: 'server-error', error });
  });
  const gateway = await open({ upstreams: { h: { url } } });
  for (const [path, tool] of [
    ['/h/mcp', 'pay'],
    ['/mcp', 'h_pay'],
  ] as const) {
    const { text } = await post(`${gateway.url}${path}`, callTool(tool, {}, 7));
    expect(text).toContain('Missing session ID');
  }
});

it.each([
  [
    'throws',
    () => {
      throw new Error('full');
    },
  ],
  ['rejects', () => Promise.reject(new Error('full'))],
])('a log that %s ends nothing', async (_how, onLog) => {
  const { url } = await upstream((said, response) =>
    json(response, 200, {
      jsonrpc: '2.0',
      id: JSON.parse(said).id,
      error: { code: -32602, message: 'no such order' },
    }),
  );
  const gateway = await startGateway(settingsOf({ upstreams: { h: { url } } }), { onLog });
  later(() => gateway.close(0));
  expect((await fetch(`${gateway.url}/nowhere`, { method: 'POST' })).status).toBe(404);
  const { text } = await post(`${gateway.url}/h/mcp`, callTool('pay', {}, 7));
  expect(text).toContain('no such order');
});

const ANN = { content: [{ type: 'text', text: 'balance of Ann: 4711' }] };
const REFUSED = { code: -32602, message: 'amount of Ann: 4711 is too small' };

describe.each([
  ['/h/mcp', 'pay'],
  ['/mcp', 'h_pay'],
])('behind a 429, at %s', (path, tool) => {
  it.each([
    ['a result for another', false, (id: number) => [{ id: id + 9000, result: ANN }]],
    ['an event for another', true, (id: number) => [{ id: id + 9000, error: REFUSED }]],
    ['an event with a result for another', true, (id: number) => [{ id: id + 9000, result: ANN }]],
    [
      'a batch',
      false,
      (id: number) => [
        { id, error: REFUSED },
        { id, result: ANN },
      ],
    ],
    ['what is under no id', false, () => [{ id: {}, error: REFUSED }]],
  ])('%s refuses nothing, and is told to nobody', async (_what, isStream, answersTo) => {
    let made = 0;
    const { url } = await upstream((said, response) => {
      const { id, method } = JSON.parse(said);
      if (method === 'initialize') return void json(response, 200, { jsonrpc: '2.0', id, result: {} });
      if (method !== 'tools/call') return void response.writeHead(202).end();
      made += 1;
      const messages = answersTo(id).map((message) => ({ jsonrpc: '2.0', ...message }));
      const body = JSON.stringify(messages.length === 1 ? messages[0] : messages);
      response
        .writeHead(429, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
        .end(isStream ? `data: ${body}\n\n` : body);
    });
    const gateway = await open({ upstreams: { h: { url } } });
    const { text } = await post(`${gateway.url}${path}`, callTool(tool, {}, 7));
    expect(text).not.toContain('4711');
    expect(text).toContain('"executed":"maybe"');
    expect(made).toBe(1);
  });
});

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN_HEADERS = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'h_t',
};

it.each([
  ['in a call', {}, {}, false],
  ['in a call of 2026-07-28', { _meta: MODERN }, MODERN_HEADERS, false],
  ['beside a call', {}, {}, true],
])(
  'a server that asks %s without a session is told that nobody can be asked',
  async (_where, params, headers, isBeside) => {
    let standing: ServerResponse | undefined;
    let asking: { readonly id: unknown; readonly response: ServerResponse } | undefined;
    const answers: unknown[] = [];
    const { url } = await upstream((said, response, request) => {
      if (request.method === 'GET') {
        standing = response.writeHead(200, { 'content-type': 'text/event-stream' });
        return void response.write(': open\n\n');
      }
      const message = JSON.parse(said);
      const { id, method } = message;
      if (method === 'initialize')
        return json(response, 200, { jsonrpc: '2.0', id, result: INITIALIZED }, { 'mcp-session-id': 's1' });
      if (method === undefined || id === undefined) {
        response.writeHead(202).end();
        if (method === undefined) answers.push(message);
        const result = { content: [{ type: 'text', text: 'went on' }] };
        if (answers.length === 2)
          asking?.response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: asking.id, result })}\n\n`);
        return;
      }
      asking = { id, response: response.writeHead(200, { 'content-type': 'text/event-stream' }) };
      const stream = (isBeside ? standing : undefined) ?? response;
      stream.write('data: {"jsonrpc":"2.0","id":"p","method":"ping"}\n\n');
      stream.write('data: {"jsonrpc":"2.0","id":"q","method":"roots/list"}\n\n');
    });
    const gateway = await open({ upstreams: { h: { url, timeout_ms: 3000 } } });
    const asked = call('tools/call', { name: 'h_t', arguments: {}, ...params }, 7);
    const { text } = await post(`${gateway.url}/mcp`, asked, headers);
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: 'p', result: {} },
      {
        jsonrpc: '2.0',
        id: 'q',
        error: { code: -32601, message: 'Nobody here can answer requests of the server' },
      },
    ]);
    expect(text).toContain('went on');
    expect(text).not.toContain('roots/list');
  },
);
