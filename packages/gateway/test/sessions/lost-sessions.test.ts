/** An HTTP server that has forgotten its sessions, behind an endpoint of its own: the client must hear so to open a new one. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  call,
  callTool,
  cleanUp,
  INITIALIZE,
  idIn,
  JSON_TYPES,
  json,
  open,
  post,
  STDIO_SERVER,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const IN_SESSION = { 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-11-25' };
const NOT_FOUND = '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}';

/** A server that answers in no session but `s2`. */
async function forgetful(status: number, body: string, type?: string) {
  const server = await upstream((said, response, request) => {
    if (said.includes('"initialize"')) {
      json(response, 200, { jsonrpc: '2.0', id: idIn(said), result: {} }, { 'mcp-session-id': 's2' });
    } else if (request.headers['mcp-session-id'] === 's2') {
      json(response, 200, { jsonrpc: '2.0', id: idIn(said), result: { content: [] } });
    } else {
      response.writeHead(status, type === undefined ? {} : { 'content-type': type });
      response.end(body);
    }
  });
  const gateway = await open({ upstreams: { a: { url: server.url } } });
  return { url: `${gateway.url}/a/mcp`, gateway, seen: server.seen };
}

it.each([
  ['as the SDKs do', 404, NOT_FOUND, 'application/json'],
  ['under the id of the call', 404, NOT_FOUND.replace('null', '1'), 'application/json'],
  ['as the SDK for Python does', 404, NOT_FOUND.replace('null', '"server-error"'), 'application/json'],
  ['in plain words', 404, 'Session not found', 'text/plain'],
  ['without a word', 404, '', undefined],
  ['with 400', 400, 'Bad Request: No valid session ID provided', 'text/plain'],
])('tells the client that its session is gone: %s', async (_how, status, body, type) => {
  const { url, seen } = await forgetful(status, body, type);
  for (const message of [callTool('pay'), call('tools/list')]) {
    const told = await post(url, message, IN_SESSION);
    expect([told.status, told.message.id, told.message.error?.data]).toEqual([
      404,
      1,
      expect.objectContaining({ kind: 'expired', executed: 'no', subject: { type: 'session' } }),
    ]);
  }
  expect(seen).toHaveLength(2);
  const opened = await post(url, INITIALIZE, IN_SESSION);
  const session = { ...IN_SESSION, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  expect((await post(url, callTool('pay'), session)).message.result).toEqual({ content: [] });
});

it('a key that met a lost session is free for the next one', async () => {
  const { url } = await forgetful(404, NOT_FOUND, 'application/json');
  const keyed = call('tools/call', { name: 'pay', _meta: { 'dev.mayday/idempotency-key': 'k1' } });
  expect((await post(url, keyed, IN_SESSION)).status).toBe(404);
  const paid = await post(url, keyed, { ...IN_SESSION, 'mcp-session-id': 's2' });
  expect([paid.status, paid.message.result]).toEqual([200, { content: [] }]);
});

it('a lost session is no fault of the server that opens its circuit', async () => {
  const { url } = await forgetful(404, '');
  for (let i = 0; i < 20; i++) await post(url, call('tools/list'), IN_SESSION);
  const fine = await post(url, call('tools/list'), { ...IN_SESSION, 'mcp-session-id': 's2' });
  expect(fine.message.result).toEqual({ content: [] });
});

it.each([
  ['something else is not found', 404, '{"error":"order 7 was placed, its receipt not found"}'],
  ['a method is not found', 404, '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}'],
])('is not told so where %s', async (_what, status, body) => {
  const { url } = await forgetful(status, body, 'application/json');
  const told = await post(url, callTool('pay'), IN_SESSION);
  expect(told.text).not.toContain('"expired"');
});

/** What was for somebody else says nothing about this session, whatever it says. */
it.each([
  ['as JSON', 404, 'application/json', NOT_FOUND.replace('null', '4711')],
  ['under 400', 400, 'application/json', NOT_FOUND.replace('null', '4711')],
  ['as an event', 404, 'text/event-stream', `data: ${NOT_FOUND.replace('null', '4711')}\n\n`],
  ['in a batch', 404, 'application/json', `[${NOT_FOUND},${NOT_FOUND.replace('null', '4711')}]`],
  ['under two ids', 404, 'application/json', NOT_FOUND.replace('null', '4711,"id":1')],
])('is not told so by the answer to another: %s', async (_how, status, type, body) => {
  const { url, seen } = await forgetful(status, body, type);
  const told = await post(url, callTool('pay'), IN_SESSION);
  expect(told.text).not.toContain('"expired"');
  expect(told.status).not.toBe(404);
  expect(told.text).toContain('"executed":"maybe"');
  expect(seen.filter(({ body: asked }) => asked.includes('tools/call'))).toHaveLength(1);
  const deleted = await fetch(url, { method: 'DELETE', headers: IN_SESSION });
  expect([status, deleted.status]).toEqual([status, status]);
});

it('is not told so where there was no session', async () => {
  const { url } = await forgetful(404, '');
  expect((await post(url, callTool('pay'))).text).not.toContain('"expired"');
});

describe.each(['mayday', 'mcp', 'tool-failure', 'problem', 'closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'])(
  'clients open a new session at 404 alone, also in %s',
  (dialect) => {
    it.each([404, 400])('from the gateway, and from a server that says %i', async (status) => {
      const words = 'Bad Request: No valid session ID provided';
      const server = await upstream((_said, response) => response.writeHead(status).end(words));
      const gateway = await open({ upstreams: { own: STDIO_SERVER, theirs: { url: server.url } } });
      const headers = { ...IN_SESSION, ...JSON_TYPES, 'mayday-dialect': dialect };
      const asked = (method: string, body?: object) => ({
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
      });
      const posts = [asked('POST', callTool('pay')), asked('POST', call('tools/list'))];
      const others = dialect === 'platica' ? [] : [asked('GET'), asked('DELETE')]; // which takes POST alone
      for (const path of ['/mcp', '/own/mcp', '/theirs/mcp'])
        for (const request of [...posts, ...others]) {
          const response = await fetch(`${gateway.url}${path}`, request);
          const said = JSON.parse((await response.text()) || '{}') as { status?: number };
          expect([path, request.method, response.status, said.status ?? 404]).toEqual([
            path,
            request.method,
            404,
            404,
          ]);
        }
    });
  },
);
