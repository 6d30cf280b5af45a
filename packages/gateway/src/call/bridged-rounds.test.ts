/** A caller of 2025 and a server of 2026 that asks in the middle of a call: what was refused goes on, what was done is not done again. */
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const QUESTION = {
  resultType: 'input_required',
  requestState: 'st',
  inputRequests: {
    a: {
      method: 'elicitation/create',
      params: { message: 'Which?', requestedSchema: { type: 'object', properties: {} } },
    },
  },
};

type Refuse = (response: ServerResponse, id: number) => void;

const TOO_MANY: Refuse = (response) => json(response, 429, {});
const LOST: Refuse = (response) => response.destroy();

/** A server that refuses the second round as long as the test says so, and a gateway before it. */
async function booking(refuse: Refuse, takesKeys: boolean, retry: object = {}) {
  const rounds: string[] = [];
  const state = { refuses: true, asked: 0 };
  const tool = { name: 'book', inputSchema: { type: 'object' } };
  const listed = takesKeys ? { ...tool, _meta: { 'dev.mayday/idempotency-key': true } } : tool;
  const kept = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' };
  const { url } = await upstream((body, response, request) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    const say = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'server/discover')
      say({ ...kept, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
    else if (method === 'tools/list') say({ ...kept, tools: [listed] });
    else if (method !== 'tools/call')
      json(response, 400, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
    else if (params.inputResponses === undefined) {
      rounds.push('first');
      say(QUESTION);
    } else {
      rounds.push('second');
      if (state.refuses) refuse(response, id);
      else setTimeout(() => say({ resultType: 'complete', content: [{ type: 'text', text: 'booked' }] }), 50);
    }
  });
  const gateway = await open({ upstreams: { a: { url, retry: { attempts: 1, ...retry } } } });
  return { at: `${gateway.url}/a/mcp`, rounds, state };
}

type Booking = Awaited<ReturnType<typeof booking>>;

/** A caller that answers whatever it is asked, and books under one key. */
async function caller({ at, state }: Booking) {
  const opening = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: { form: {} } },
    clientInfo: { name: 'c', version: '1' },
  };
  const { headers } = await post(at, { jsonrpc: '2.0', id: 0, method: 'initialize', params: opening });
  const as = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(at, { jsonrpc: '2.0', method: 'notifications/initialized' }, as);
  await post(at, call('tools/list'), as);
  let id = 10;
  return async (): Promise<string> => {
    id += 1;
    const params = { name: 'book', arguments: {}, _meta: { 'dev.mayday/idempotency-key': 'k' } };
    const response = await fetch(at, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        ...as,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
    });
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const part = Buffer.from(chunk).toString();
      text += part;
      const question = /"id":"([^"]+)","method":"elicitation\/create"/.exec(part)?.[1];
      state.asked += question === undefined ? 0 : 1;
      const answer = { jsonrpc: '2.0', id: question, result: { action: 'accept', content: {} } };
      await (question === undefined ? undefined : post(at, answer, as));
    }
    return text;
  };
}

describe.each([
  ['takes no keys', false],
  ['takes keys', true],
])('a server that %s', (_how, takesKeys) => {
  it('refuses the second round: a repeat goes on there, and the one after it gets its answer', async () => {
    const shop = await booking(TOO_MANY, takesKeys);
    const book = await caller(shop);
    expect(await book()).toMatch(/"executed":"maybe"/);
    expect(await book()).toMatch(/rate_limited/);
    shop.state.refuses = false;
    expect(await book()).toMatch(/booked/);
    expect(await book()).toMatch(/booked/);
    expect(shop.rounds).toEqual(['first', 'second', 'second', 'second']);
    expect(shop.state.asked).toBe(1);
  });
});

it('of two repeats at once, one goes on', async () => {
  const shop = await booking(TOO_MANY, false);
  const book = await caller(shop);
  await book();
  shop.state.refuses = false;
  const both = await Promise.all([book(), book()]);
  expect(both.filter((text) => text.includes('booked'))).toHaveLength(1);
  expect(shop.rounds).toEqual(['first', 'second', 'second']);
});

it.each<[string, Refuse, object, boolean]>([
  ['was lost', LOST, {}, false],
  ['was refused, of a tool that is never repeated', TOO_MANY, { never_repeat: ['book'] }, false],
  ['was refused, and another conversation asks for it', TOO_MANY, {}, true],
])('a second round that %s is not made again', async (_how, refuse, retry, isElsewhere) => {
  const shop = await booking(refuse, false, retry);
  const book = await caller(shop);
  await book();
  shop.state.refuses = false;
  const again = isElsewhere ? await caller(shop) : book;
  expect(await again()).toMatch(/"executed":"maybe"/);
  expect(shop.rounds).toEqual(['first', 'second']);
});
