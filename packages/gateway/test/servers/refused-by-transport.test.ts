/** How the transports of the SDKs refuse what a gateway has sent, at each of its endpoints: it is nobody's fault who called. */
import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  open,
  type Posted,
  post,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const RESULTS: { readonly [method: string]: object } = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 's', version: '1' },
  },
  'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
};

/** What the id of the refusal is: none, one that stands for none, or that of whatever was asked. */
type Under = null | '' | 'server-error' | 'its id';

interface Refused {
  readonly status: number;
  readonly message: string;
  readonly under: Under;
}

/** A gateway before a server that refuses every call so. */
async function before({ status, message, under }: Refused): Promise<string> {
  const { url } = await upstream((body, response) => {
    const { id, method = '' } = JSON.parse(body || '{}') as { id?: number; method?: string };
    const result = RESULTS[method];
    const named = under === 'its id' ? id : under;
    if (id === undefined) response.writeHead(body === '' ? 405 : 202).end();
    else if (result !== undefined) json(response, 200, { jsonrpc: '2.0', id, result });
    else json(response, status, { jsonrpc: '2.0', error: { code: -32000, message }, id: named });
  });
  return (await open({ upstreams: { a: { url } } })).url;
}

/** What a caller is told in a session at this endpoint. */
async function told(endpoint: string, tool: string, headers: { [name: string]: string } = {}) {
  const { headers: opened } = await post(endpoint, INITIALIZE);
  const session = opened.get('mcp-session-id');
  return post(endpoint, callTool(tool), { ...headers, ...(session ? { 'mcp-session-id': session } : {}) });
}

const NOT_ACCEPTABLE = 'Not Acceptable: Client must accept both application/json and text/event-stream';
const NO_JSON = 'Unsupported Media Type: Content-Type must be application/json';

describe.each([
  [403, 'Invalid Host header: gateway.example', 'misconfigured'],
  [403, 'Invalid Host: gateway.example', 'misconfigured'],
  [421, 'Invalid Host header', 'misconfigured'],
  [403, 'Invalid Origin header: http://pages.example', 'misconfigured'],
  [406, NOT_ACCEPTABLE, 'internal'],
  [415, NO_JSON, 'internal'],
  [400, 'Invalid Content-Type header', 'internal'],
])('HTTP %i "%s"', (status, message, kind) => {
  it.each([null, '', 'server-error', 'its id'] as const)('under the id %j is the server’s', async (under) => {
    const url = await before({ status, message, under });
    for (const posted of [await told(`${url}/a/mcp`, 'pay'), await told(`${url}/mcp`, 'a_pay')]) {
      expect(posted.status).toBe(200);
      expect(faultIn(posted)).toMatchObject({ kind, message, origin: 'server', executed: 'no' });
    }
  });
});

it.each(['its id', null] as const)(
  'what is wrong with the caller’s own origin stays so, at the endpoint of the server alone (%j)',
  async (under) => {
    const refused: Refused = { status: 403, message: 'Invalid Origin header: http://127.0.0.1', under };
    const url = await before(refused);
    const origin = { origin: 'http://127.0.0.1' };
    expect(faultIn(await told(`${url}/a/mcp`, 'pay', origin))).toMatchObject({ kind: 'forbidden' });
    expect(faultIn(await told(`${url}/mcp`, 'a_pay', origin))).toMatchObject({ kind: 'misconfigured' });
  },
);

it.each(['mayday', 'onx', 'closient'])(
  'types that a caller has sent to /mcp are no server’s concern (%s)',
  async (dialect) => {
    const url = await before({ status: 406, message: NOT_ACCEPTABLE, under: null });
    const right = await told(`${url}/mcp`, 'a_pay', { 'mayday-dialect': dialect });
    const half = await told(`${url}/mcp`, 'a_pay', { 'mayday-dialect': dialect, accept: 'application/json' });
    expect(half.status).toBe(200);
    const without = ({ message }: Posted): string =>
      JSON.stringify(message).replaceAll(/"(?:correlation_id|timestamp)":"[^"]*"/g, '');
    expect(without(half)).toBe(without(right));
  },
);

/** Answers none who does not name both types, as the SDKs do, and opens a stream to those alone who name that. */
async function insisting(): Promise<string> {
  const { url } = await upstream((body, response, request) => {
    const { accept = '' } = request.headers;
    const isGet = request.method === 'GET';
    const isRight = accept.includes('text/event-stream') && (isGet || accept.includes('application/json'));
    const { id } = JSON.parse(body || '{}') as { id?: number };
    const error = { code: -32000, message: NOT_ACCEPTABLE };
    if (!isRight) json(response, 406, { jsonrpc: '2.0', error, id: null });
    else if (isGet) response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': here\n\n');
    else json(response, 200, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'paid' }] } });
  });
  return url;
}

/** What a client gets that says nothing but this; `fetch` would add a header of its own. */
function plainly(url: string, method: string, accept?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...(accept === undefined ? {} : { accept }) };
    const outgoing = request(url, { method, headers }, (incoming) => {
      let said = `${incoming.statusCode} `;
      incoming.setEncoding('utf8').on('data', (piece: string) => {
        said += piece;
      });
      incoming.on('end', () => resolve(said));
    });
    outgoing.on('error', reject).end(method === 'POST' ? JSON.stringify(callTool('pay')) : undefined);
  });
}

it.each([undefined, '*/*', '', 'text/*, application/*;q=0.5'])(
  'who accepts anything (%j) is answered by a server that insists on both types',
  async (accept) => {
    const url = await insisting();
    const gateway = await open({ upstreams: { a: { url } } });
    expect(await plainly(`${gateway.url}/a/mcp`, 'POST', accept)).toContain('"text":"paid"');
    expect(await plainly(`${gateway.url}/a/mcp`, 'GET', accept)).toMatch(/^200 /);
  },
);

it('who accepts no streams is told so as a mistake of its own', async () => {
  const url = await insisting();
  const gateway = await open({ upstreams: { a: { url } } });
  const said = await plainly(`${gateway.url}/a/mcp`, 'POST', 'application/json');
  expect(said).toContain('"kind":"unsupported_media"');
  expect(said).toContain('must accept both application/json and text/event-stream');
});

it.each([
  [403, 'You may not pay; invalid host'],
  [403, 'Invalid host for this order: shop.example'],
  [400, 'Not Acceptable: the amount'],
])('words of a server of its own are told of the call: HTTP %i "%s"', async (status, message) => {
  const url = await before({ status, message, under: 'its id' });
  for (const posted of [await told(`${url}/a/mcp`, 'pay'), await told(`${url}/mcp`, 'a_pay')])
    expect(faultIn(posted)).not.toMatchObject({ origin: 'server' });
});

it('a server that refuses to be opened so is told as its operator’s at /mcp', async () => {
  const message = 'Invalid Host header: gateway.example';
  const { url } = await upstream((_body, response) =>
    json(response, 403, { jsonrpc: '2.0', error: { code: -32000, message }, id: null }),
  );
  const gateway = await open({ upstreams: { a: { url } } });
  const asked: Posted[] = [
    await post(`${gateway.url}/mcp`, callTool('a_pay')),
    await post(`${gateway.url}/mcp`, call('tools/list')),
  ];
  expect(asked.map((posted) => faultIn(posted))).toMatchObject([
    { kind: 'misconfigured', executed: 'no' },
    { kind: 'misconfigured', executed: 'no' },
  ]);
});
