/** What stands around an answer: it makes a refusal no proof, and what may be for somebody else is told to nobody. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, INITIALIZE, json, open, type Posted, post, upstream } from '../tools.ts';

type Say = (id: number, response: ServerResponse) => void;

const EVENTS = { 'content-type': 'text/event-stream' };
const event = (message: unknown): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

const DECLARED = {
  kind: 'rate_limited',
  reaction: 'retryable',
  retryable: true,
  retry: { when: 'backoff' },
  executed: 'no',
  origin: 'server',
  message: 'Too many requests',
};
const LIMIT = { code: -32000, message: 'Too many requests' };
const DECLARED_ERROR = { ...LIMIT, data: DECLARED };
const REFUSED = { code: -32602, message: 'amount is required' };
const ANN = { content: [{ type: 'text', text: 'balance of Ann: 4711' }] };
const anns = (id: number): object => ({ jsonrpc: '2.0', id: id + 9000, result: ANN });

let url = '';
let logs: readonly string[] = [];
let say: Say = () => undefined;
let made = 0;

beforeAll(async () => {
  const server = await upstream((body, response, request) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const answer = (result: unknown): void => json(response, 200, { jsonrpc: '2.0', id, result });
    if (method === 'initialize') {
      const serverInfo = { name: 'till', version: '1' };
      answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
    } else if (method === 'tools/list') answer({ tools: [{ name: 'pay', inputSchema: { type: 'object' } }] });
    else if (method !== 'tools/call') response.writeHead(202).end();
    else {
      made += 1;
      if (made === 1) say(id, response);
      else answer({ content: [{ type: 'text', text: 'again' }] });
    }
  });
  const gateway = await open({ upstreams: { a: { url: server.url, breaker: false } } });
  url = gateway.url;
  logs = gateway.logs;
});
afterAll(cleanUp);

async function pay(path: string, tool: string, by: Say): Promise<Posted> {
  made = 0;
  say = by;
  return post(`${url}${path}`, callTool(tool, {}, 7));
}

/** What a stream says around its refusal, which is the first argument. */
const STREAMS: readonly (readonly [string, (own: string, id: number) => string])[] = [
  ['the same again', (own) => own + own],
  ['the answer to another before it', (own, id) => event(anns(id)) + own],
  ['the answer to another behind it', (own, id) => own + event(anns(id))],
  ['other words before it', (own) => `data: paid 991\n\n${own}`],
  ['other words behind it', (own) => `${own}data: paid 991\n\n`],
  ['another event behind it', (own) => `${own}event: paid\ndata: 991\n\n`],
  ['a field that nobody knows before it', (own) => `orderId: 991\n\n${own}`],
  ['a field that nobody knows behind it', (own) => `${own}orderId: 991\n\n`],
  ['a field that nobody knows behind it, cut off', (own) => `${own}orderId: 991`],
  ['a field that nobody knows in it', (own) => `orderId: 991\n${own}`],
  ['a word alone', (own) => `${own}paid\n\n`],
  ['an event that is cut off', (own) => `${own}event: message\ndata: {"paid":`],
];

/** Where a stream may hold an answer that no reader of events looks for. */
const HIDDEN: readonly (readonly [string, (own: string, theirs: string) => string])[] = [
  ['a line behind it', (own, theirs) => `${own}${theirs}\n\n`],
  ['a line before it', (own, theirs) => `${theirs}\n\n${own}`],
  ['a field in capitals', (own, theirs) => `${own}Data: ${theirs}\n\n`],
  ['a field behind a space', (own, theirs) => `${own} data: ${theirs}\n\n`],
  ['a comment', (own, theirs) => `: ${theirs}\n\n${own}`],
  ['the id of an event', (own, theirs) => `id: ${theirs}\n${own}`],
  ['the name of an event', (own, theirs) => `event: ${theirs}\n${own}`],
  ['a sign of life', (own, theirs) => `event: ping\ndata: ${theirs}\n\n${own}`],
  ['a line behind words', (_own, theirs) => `data: Too many requests\n\n${theirs}\n\n`],
  ['the end of an answer', (own, theirs) => `${own}${theirs.slice(theirs.indexOf('"result"'))}\n\n`],
];

/** What a message says beside its refusal. */
const MEMBERS: readonly (readonly [string, (own: string) => string])[] = [
  ['a member that nobody knows', (own) => own.replace(/\}$/, ',"orderId":991}')],
  ['a member that nobody knows, with nothing in it', (own) => own.replace(/\}$/, ',"orderId":null}')],
  ['an error before it', (own) => own.replace('"error":', '"error":{"code":1,"message":"paid 991"},$&')],
  ['a number before its own', (own) => own.replace('"code":', '"code":200,$&')],
];

const REFUSALS = [
  [200, 'declared', DECLARED_ERROR],
  [200, 'refused', REFUSED],
  [429, 'limit', LIMIT],
  [429, 'declared', DECLARED_ERROR],
] as const;

describe.each([
  ['/a/mcp', 'pay'],
  ['/mcp', 'a_pay'],
])('at %s', (path, tool) => {
  describe.each(REFUSALS)('in a stream under %i (%s)', (status, _name, error) => {
    it.each(STREAMS)('%s', async (_what, around) => {
      const posted = await pay(path, tool, (id, response) => {
        response.writeHead(status, EVENTS).end(around(event({ jsonrpc: '2.0', id, error }), id));
      });
      expect(faultIn(posted)).toMatchObject({ executed: 'maybe' });
      expect(posted.text).not.toContain('4711');
      expect(made).toBe(1);
    });

    it('signs of life around it tell nothing', async () => {
      await pay(path, tool, (id, response) => {
        const own = event({ jsonrpc: '2.0', id, error });
        response.writeHead(status, EVENTS).end(`: hi\n\nevent: ping\ndata: 1\n\n${own}: bye\n\nretry: 9\n\n`);
      });
      expect(made).toBe(error === REFUSED ? 1 : 2);
    });
  });

  describe.each([200, 429, 503])('in its message, under %i', (status) => {
    it.each(MEMBERS)('%s', async (_what, within) => {
      for (const [type, begin] of [
        ['application/json', ''],
        ['text/event-stream', 'data: '],
      ] as const) {
        const posted = await pay(path, tool, (id, response) => {
          const said = within(JSON.stringify({ jsonrpc: '2.0', id, error: DECLARED_ERROR }));
          response.writeHead(status, { 'content-type': type }).end(`${begin}${said}\n\n`);
        });
        expect(faultIn(posted)).toMatchObject({ executed: 'maybe' });
        expect(made).toBe(1);
      }
    });
  });

  it.each([DECLARED_ERROR, REFUSED])(
    'an error with a result in the same message refuses nothing',
    async (error) => {
      const posted = await pay(path, tool, (id, response) =>
        json(response, 200, { jsonrpc: '2.0', id, error, result: { content: [] } }),
      );
      expect(faultIn(posted)).toMatchObject({ executed: 'maybe' });
      expect(made).toBe(1);
    },
  );

  const own = (id: number): object => ({ jsonrpc: '2.0', id, result: { content: [] } });
  const FOREIGN: readonly (readonly [string, (id: number) => string])[] = [
    ['a batch of one', (id) => JSON.stringify([anns(id)])],
    ['a batch of two', (id) => JSON.stringify([own(id), anns(id)])],
    ['two documents', (id) => `${JSON.stringify(own(id))}\n${JSON.stringify(anns(id))}`],
    ['half of an answer', (id) => JSON.stringify(anns(id)).slice(0, -3)],
    ['a comma behind', (id) => `${JSON.stringify(anns(id))},`],
    ['an answer inside of an object', (id) => JSON.stringify({ response: anns(id) })],
    ['a batch inside of an object', (id) => JSON.stringify({ responses: [anns(id)] })],
    ['an answer as text', (id) => JSON.stringify(JSON.stringify(anns(id)))],
    ['two ids', (id) => JSON.stringify(anns(id)).replace('"id"', `"id":${id},"id"`)],
    [
      'two ids, the last of them its own',
      (id) => JSON.stringify(anns(id)).replace(/"id":\d+/, `$&,"id":${id}`),
    ],
    ['no version', (id) => JSON.stringify({ ...anns(id), jsonrpc: undefined })],
  ];

  describe.each([200, 400, 429, 500])('under %i', (status) => {
    it.each(FOREIGN)('%s is told to nobody', async (_what, body) => {
      for (const isStream of [false, true]) {
        const posted = await pay(path, tool, (id, response) => {
          const said = body(id);
          if (isStream)
            response.writeHead(status, EVENTS).end(`data: ${said.replaceAll('\n', '\ndata: ')}\n\n`);
          else response.writeHead(status, { 'content-type': 'application/json' }).end(said);
        });
        expect(posted.text).not.toContain('4711');
        expect(faultIn(posted)).toMatchObject({ executed: 'maybe' });
        expect(made).toBe(1);
      }
    });

    it.each(HIDDEN)('%s is told to nobody', async (_what, around) => {
      for (const type of ['text/event-stream', 'application/json']) {
        const posted = await pay(path, tool, (id, response) => {
          const said = around(event({ jsonrpc: '2.0', id, error: REFUSED }), JSON.stringify(anns(id)));
          response.writeHead(status, { 'content-type': type }).end(said);
        });
        expect(posted.text).not.toContain('4711');
        expect(made).toBe(1);
      }
    });

    it.each([
      ['a page', '<html><body>Down for maintenance</body></html>', 'text/html'],
      ['a sentence', 'Down for maintenance', 'text/plain'],
      ['a sentence with a number', 'Till "id": 7 says: Down for maintenance', 'text/plain'],
      ['a plain problem', '{"detail":"Down for maintenance"}', 'application/json'],
    ])('%s is told', async (_what, body, type) => {
      const posted = await pay(path, tool, (_id, response) => {
        response.writeHead(status, { 'content-type': type }).end(body);
      });
      expect(posted.text).toContain('Down for maintenance');
    });
  });
});

it('in a session, what may be for somebody else is told to nobody', async () => {
  const { headers } = await post(`${url}/mcp`, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  made = 0;
  say = (id, response) => json(response, 200, [anns(id)]);
  const posted = await post(`${url}/mcp`, callTool('a_pay', {}, 7), session);
  expect(posted.text).not.toContain('4711');
  expect(faultIn(posted)).toMatchObject({ kind: 'invalid_output', executed: 'maybe' });
});

it('the log says so, once for many, and not what it was', () => {
  const log = logs.join('\n');
  expect(log).toContain('answered another request than the one it was asked');
  expect(log).toContain('sent something that is not JSON-RPC');
  expect(log).not.toContain('Ann: 4711');
});
