/** Calls in several rounds, through a running gateway: what refuses a later one, and what is asked in between. */
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUp, faultIn, json, open, post, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: { readonly inputResponses?: object };
}

/** A server whose second round is answered as the test says, and a caller of it. */
async function booking(second: object, url = 'https://shop.example/pay?token=abc', dialect = 'mayday') {
  const rounds: string[] = [];
  const params = { mode: 'url', message: 'Use password=hunter2hunter2', url };
  const question = {
    resultType: 'input_required',
    requestState: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlMTIzNDU2',
    inputRequests: { a: { method: 'elicitation/create', params } },
  };
  const server = await upstream((body, response) => {
    const { id, method, params: asked } = JSON.parse(body) as Asked;
    const say = (said: object): void => json(response, 200, { jsonrpc: '2.0', id, ...said });
    if (method === 'tools/list')
      say({ result: { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' } });
    else if (method !== 'tools/call') say({ error: { code: -32601, message: 'Method not found' } });
    else {
      rounds.push(asked.inputResponses === undefined ? 'first' : 'second');
      if (asked.inputResponses === undefined) say({ result: question });
      else if ('status' in second) json(response, second.status as number, {});
      else say(second);
    }
  });
  const gateway = await open({ upstreams: { a: { url: server.url, retry: { attempts: 2 }, dialect } } });
  const headers = { 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/call', 'mcp-name': 'book' };
  const book = (more: object = {}, meta: object = {}) =>
    post(
      `${gateway.url}/a/mcp`,
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'book', arguments: {}, ...more, _meta: { ...META, ...meta } },
      },
      headers,
    );
  return { book, rounds, question };
}

describe('a later round that is refused', () => {
  it.each([
    ['with 429', { status: 429 }, true],
    ['with wrong arguments', { error: { code: -32602, message: 'Invalid arguments for tool book' } }, true],
    ['with an unknown tool', { error: { code: -32602, message: 'Unknown tool: book' } }, false],
  ])('%s may have been executed: the first was answered', async (_how, second, invites) => {
    const { book, rounds } = await booking(second);
    await book();
    const refused = await book({ inputResponses: { a: { action: 'accept' } } });
    expect(faultIn(refused)).toMatchObject({ executed: 'maybe' });
    expect(refused.text.includes('It may have happened; check before you repeat a change.')).toBe(invites);
    expect(rounds.filter((round) => round === 'first')).toHaveLength(1);
  });

  it.each([
    ['and without a key', {}],
    ['and with one', { 'dev.mayday/idempotency-key': 'k' }],
  ])('was not made, for whoever counts attempts, and is made when it comes again, %s', async (_how, key) => {
    const refusing: { status?: number; result?: object } = { status: 429 };
    const { book, rounds } = await booking(refusing);
    const counted = { 'dev.mayday/attempt': 1, ...key };
    await book({}, counted);
    const second = { inputResponses: { a: { action: 'accept' } } };
    const refused = await book(second, counted);
    expect(faultIn(refused)).toMatchObject({ kind: 'rate_limited', executed: 'no' });
    expect(refused.text).not.toContain('It may have happened');
    delete refusing.status;
    refusing.result = { resultType: 'complete', content: [] };
    const again = await book(second, { ...counted, 'dev.mayday/attempt': 2 });
    expect(again.message.result).toMatchObject({ resultType: 'complete' });
    expect(rounds).toEqual(['first', 'second', 'second']);
  });

  // What the clients of each document wait for, and then begin the whole call again.
  it.each([
    ['closient', /-32003|"retryable":true/],
    ['erlmcp', /-32010/],
    ['onx', /"retryable":true/],
    ['qaqnuz', /rate limit/i],
    ['platica', /call again|wait at least/i],
  ])('CL-19 ER-33 EM-12 QA-13 PL-4 is nothing to wait out in %s', async (dialect, waitedOut) => {
    const { book } = await booking({ status: 429 }, undefined, dialect);
    await book();
    expect((await book({ inputResponses: { a: { action: 'accept' } } })).text).not.toMatch(waitedOut);
  });

  it('is certain about a call of one round', async () => {
    const { book } = await booking({ error: { code: -32602, message: 'Unknown tool: book' } });
    const refused = await book({ arguments: {}, inputResponses: undefined, name: 'book' });
    expect(refused.text).toContain('input_required');
  });
});

it('takes secrets out of a question, and leaves its address and the state of the call', async () => {
  const { book, question } = await booking({});
  const { text } = await book();
  expect(text).not.toContain('hunter2');
  expect(text).toContain(question.requestState);
  expect(text).toContain('https://shop.example/pay?token=abc');
});

it('a round that was lost after the work is repeated as one that may have happened, not as the next', async () => {
  const told: unknown[] = [];
  const server = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body) as Asked & { params: { _meta: object } };
    const say = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
    const tools = [
      { name: 'book', inputSchema: { type: 'object' }, _meta: { 'dev.mayday/idempotency-key': true } },
    ];
    if (method === 'tools/list') say({ resultType: 'complete', tools, ttlMs: 60_000, cacheScope: 'private' });
    else if (params.inputResponses === undefined)
      say({ resultType: 'input_required', requestState: 'st', inputRequests: {} });
    else {
      told.push((params._meta as { [key: string]: unknown })['dev.mayday/executed'] ?? 'nothing');
      if (told.length === 1) response.destroy();
      else say({ resultType: 'complete', content: [] });
    }
  });
  const gateway = await open({ upstreams: { a: { url: server.url, retry: { attempts: 1 } } } });
  const ask = (method: string, params: object) =>
    post(
      `${gateway.url}/a/mcp`,
      {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...params, _meta: { ...META, 'dev.mayday/idempotency-key': 'k' } },
      },
      { 'mcp-protocol-version': REVISION, 'mcp-method': method, 'mcp-name': 'book' },
    );
  await ask('tools/list', {});
  const last = {
    name: 'book',
    arguments: {},
    requestState: 'st',
    inputResponses: { a: { action: 'accept' } },
  };
  await ask('tools/call', { name: 'book', arguments: {} });
  expect(faultIn(await ask('tools/call', last))).toMatchObject({ executed: 'maybe' });
  expect((await ask('tools/call', last)).message.result).toMatchObject({ resultType: 'complete' });
  expect(told).toEqual(['nothing', 'maybe']);
});
