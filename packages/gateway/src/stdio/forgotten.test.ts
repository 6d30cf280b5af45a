/** A server that answers a call with 404 has not always forgotten the session: what it may have done is not asked twice. */
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { spokenTo } from '../../test/spoken-to.ts';
import { call, cleanUp, INITIALIZE, json, open, post, upstream } from '../../test/tools.ts';
import type { SettingsFile } from '../index.ts';

afterEach(cleanUp);

type Refusal = readonly [status: number, body: string];

/** Pays, tells of it on the stream of the session if it has words for that, and then answers the first payment with this. */
async function bank([status, body]: Refusal, news?: object) {
  let paid = 0;
  let sessions = 0;
  let stream: ServerResponse | undefined;
  const { url } = await upstream(async (asked, response, request) => {
    const { id, method } = JSON.parse(asked === '' ? '{}' : asked);
    if (request.method === 'GET' && news !== undefined) {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void stream.write(': here\n\n');
    }
    if (id === undefined) return response.writeHead(asked === '' ? 405 : 202).end();
    const headers = { 'mcp-session-id': `s${sessions}` };
    if (method === 'initialize') {
      headers['mcp-session-id'] = `s${++sessions}`;
      const serverInfo = { name: 'bank', version: '1' };
      const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
      return json(response, 200, { jsonrpc: '2.0', id, result }, headers);
    }
    if (method !== 'tools/call') return json(response, 200, { jsonrpc: '2.0', id, result: { tools: [] } });
    if (++paid > 1) return json(response, 200, { jsonrpc: '2.0', id, result: { content: [] } });
    stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...news })}\n\n`);
    if (news !== undefined) await setTimeout(50);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body.replace('"ID"', id));
  });
  return { url, paid: () => paid, isHeard: () => stream !== undefined };
}

const error = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 'ID', error: { code, message } });

const DONE: readonly Refusal[] = [
  [404, error(-32_603, 'Internal error')],
  [404, error(-32_002, 'Resource not found: receipt 77 of payment 991')],
  [404, error(-32_000, 'booked; mail failed')],
  [404, error(-32_602, 'Payment captured; receipt address invalid')],
];

describe.each(['mayday', 'erlmcp', 'mcp'])('in %s', (dialect) => {
  it.each(DONE)('a call is made once: %i %s', async (...refusal) => {
    const { url, paid } = await bank(refusal);
    const { ask } = await spokenTo({ bank: { url } }, { dialect });
    await ask(call('tools/call', { name: 'pay', arguments: {} }, 5));
    expect(paid()).toBe(1);
  });

  it.each(DONE)('a client over HTTP is not told to open a new session: %i %s', async (...refusal) => {
    const { url } = await bank(refusal);
    const gateway = await open({ upstreams: { bank: { url } }, dialect } as SettingsFile);
    const opened = await post(`${gateway.url}/bank/mcp`, INITIALIZE);
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const told = await post(`${gateway.url}/bank/mcp`, call('tools/call', { name: 'pay' }), session);
    expect(told.status).toBe(200);
  });
});

const FORGOTTEN: Refusal = [404, 'Session not found'];

const DENIAL = { code: -32_001, message: 'Session not found' };
const denied = (id: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, error: DENIAL });

it.each<Refusal>([
  FORGOTTEN,
  [404, denied('error')],
  [404, denied(-1)],
  [400, denied('session-error')],
  [404, `[${denied(null)}]`],
  [404, `[${denied('ID')}]`],
  [200, denied(null)],
  [200, denied('server-error')],
])('a call whose session was forgotten is asked again: %i %s', async (...refusal) => {
  const { url, paid } = await bank(refusal);
  const { ask } = await spokenTo({ bank: { url } });
  expect(await ask(call('tools/call', { name: 'pay' }, 5))).toMatchObject({ id: 5, result: { content: [] } });
  expect(paid()).toBe(2);
});

it.each<Refusal>([
  [404, denied(0)],
  [404, denied('s-7')],
  [404, '{"jsonrpc":"2.0","id":"error","id":7,"error":{"code":-32001,"message":"Session not found"}}'],
  [404, '{"jsonrpc":"2.0","id":"error","result":{},"error":{"code":-32001,"message":"Session not found"}}'],
  [200, denied('ID')],
  [200, denied('error')],
  [200, denied(0)],
  [400, ''],
])('but not where that may have been said to somebody else, or of the work: %i %s', async (...refusal) => {
  const { url, paid } = await bank(refusal);
  const { ask } = await spokenTo({ bank: { url, retry: { attempts: 1 } } });
  expect(await ask(call('tools/call', { name: 'pay' }, 5))).toMatchObject({ id: 5 });
  expect(paid()).toBe(1);
});

it.each([
  ['its caller counts attempts', {}, { 'dev.mayday/attempt': 1 }],
  ['it is never to be repeated', { retry: { never_repeat: ['pay'] } }, {}],
  ['a call is tried once', { retry: { attempts: 1 } }, {}],
] as const)('but not where %s', async (_, more, _meta) => {
  const { url, paid } = await bank(FORGOTTEN);
  const { ask } = await spokenTo({ bank: { url, ...more } } as SettingsFile['upstreams']);
  const told = await ask(call('tools/call', { name: 'pay', _meta }, 5));
  expect(JSON.stringify(told)).toContain('"executed":"no"');
  expect(paid()).toBe(1);
  expect(await ask(call('tools/call', { name: 'pay', _meta }, 6))).toMatchObject({
    id: 6,
    result: { content: [] },
  });
});

const LOG = { method: 'notifications/message', params: { level: 'info', data: 'paid 991' } };
const CHANGE = { method: 'notifications/resources/updated', params: { uri: 'order://991' } };

describe.each([
  ['without a word', [404, ''], LOG],
  ['without a word', [404, ''], CHANGE],
  ['in plain words', FORGOTTEN, LOG],
  ['with 400', [400, 'Invalid session ID'], LOG],
] as const)('a session that is not known %s, %j, after %j', (_how, refusal, news) => {
  it('is no reason to make the call twice', async () => {
    const { url, paid, isHeard } = await bank(refusal, news);
    const { ask } = await spokenTo({ bank: { url } });
    await expect.poll(isHeard).toBe(true);
    const told = await ask(call('tools/call', { name: 'pay' }, 5));
    expect(JSON.stringify(told)).toContain('"executed":"maybe"');
    expect(paid()).toBe(1);
    expect(await ask(call('tools/call', { name: 'pay' }, 6))).toMatchObject({ id: 6, result: {} });
    expect(paid()).toBe(2);
  });

  it.each(['mayday', 'mcp', 'problem', 'erlmcp'])(
    'does not make clients over HTTP open a new one and call again, in %s',
    async (dialect) => {
      const { url, isHeard } = await bank(refusal, news);
      const gateway = await open({ upstreams: { bank: { url } }, dialect } as SettingsFile);
      const opened = await post(`${gateway.url}/bank/mcp`, INITIALIZE);
      const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
      const stream = { ...session, accept: 'text/event-stream' };
      await fetch(`${gateway.url}/bank/mcp`, { headers: stream });
      await expect.poll(isHeard).toBe(true);
      const told = await post(`${gateway.url}/bank/mcp`, call('tools/call', { name: 'pay' }), session);
      expect(told.status).not.toBe(404);
    },
  );
});
