/** What the gateway says of a refusal is what whoever reads its answer understands: nobody has to believe it against its own words. */
import { read } from '@mayday/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ABSENT_AT_MCP } from '../../../core/test/absent-endpoints.ts';
import { DOORS } from '../../../core/test/doors.ts';
import { OWN_REFUSALS } from '../../../core/test/own-refusals.ts';
import { cleanUp, faultIn, idIn, json, open, post, upstream } from '../tools.ts';

interface Answer {
  readonly status: number;
  readonly statusText?: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: unknown;
}

const DIALECTS = ['mayday', 'problem'] as const;
/** The form of each server is told to nobody: each has an endpoint of its own, so that no refusal outlives its call. */
let answer: Answer;
let url: string;
/** The same behind an address with more to it. */
let further: string;

beforeAll(async () => {
  const server = await upstream((body, response) => {
    const id = idIn(body);
    if (!body.includes('"tools/call"')) return json(response, 200, { jsonrpc: '2.0', id, result: {} });
    const { status, statusText, headers, body: said } = answer;
    const written = typeof said === 'string' ? said : JSON.stringify(withId(said, id));
    response.writeHead(status, statusText, { 'content-type': 'application/json', ...headers }).end(written);
  });
  const breaker = false;
  const common = { breaker, retry: { attempts: 1 } };
  const there = server.url.replace('/mcp', '/tenants/7/mcp');
  const gateway = await open({
    upstreams: { a: { url: server.url, ...common }, b: { url: there, ...common } },
  });
  url = `${gateway.url}/a/mcp`;
  further = `${gateway.url}/b/mcp`;
});
afterAll(cleanUp);

function withId(said: unknown, id: unknown): unknown {
  return typeof said === 'object' && said !== null && 'jsonrpc' in said ? { ...said, id } : said;
}

/** What the gateway declares of a call that is answered so, and what is read in its answer. */
async function told(dialect: string, said: Answer, at = url): Promise<readonly unknown[]> {
  answer = said;
  const asking = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'pay', arguments: { amount: 7 }, _meta: { 'dev.mayday/attempt': 1 } },
  };
  const { status, headers, message, text } = await post(at, asking, { 'mayday-dialect': dialect });
  const called = { type: 'tool', id: 'pay' } as const;
  const http = { status, headers: Object.fromEntries(headers), body: message };
  const whole = read({ http }, { called });
  const alone = read(message, { called });
  const document = (faultIn({ message } as never) ?? message) as { readonly executed?: unknown };
  const readAs = [whole, alone].map((reading) => (reading.failure ? reading.fault.executed : text));
  return [document.executed, ...readAs];
}

const AGREED = ['no', 'no', 'no'];

describe.each(DIALECTS)('in %s', (dialect) => {
  describe.each(DOORS)('%s turns a call away', (_what, doors) => {
    it.each(doors)('%s', async (_name, headers, body) => {
      expect(await told(dialect, { status: 429, headers, body })).toEqual(AGREED);
    });
  });

  it.each(ABSENT_AT_MCP)('nothing is served there: %j', async (said) => {
    const body = said.replace('shop.ngrok.app', '127.0.0.1');
    expect(await told(dialect, { status: 404, headers: {}, body })).toEqual(AGREED);
  });

  it.each([
    [
      429,
      '{"timestamp":"2026-11-19T10:00:00.000+00:00","status":429,"error":"Too Many Requests","path":"/tenants/7/mcp"}',
    ],
    [429, '{"type":"about:blank","title":"Too Many Requests","status":429,"instance":"/tenants/7/mcp"}'],
    [
      404,
      '{"timestamp":"2026-11-19T10:00:00.000+00:00","status":404,"error":"Not Found","path":"/tenants/7/mcp"}',
    ],
    [404, '{"message":"Route POST:/tenants/7/mcp not found","error":"Not Found","statusCode":404}'],
    [404, 'Cannot POST /tenants/7/mcp'],
  ])('the address that was asked is named: %i %s', async (status, body) => {
    expect(await told(dialect, { status, headers: {}, body }, further)).toEqual(AGREED);
  });

  /** What a server declares before any work, under a number of its own. */
  const fault = {
    kind: 'rate_limited',
    reaction: 'retryable',
    retryable: true,
    retry: { when: 'after_wait', after_ms: 400 },
    executed: 'no',
    message: 'Rate limit exceeded',
  };
  it.each([-61_000, -31_000, -32_603, 429])('a server declares it under %i', async (code) => {
    const body = { jsonrpc: '2.0', id: 1, error: { code, message: 'Rate limit exceeded', data: fault } };
    expect(await told(dialect, { status: 200, headers: {}, body })).toEqual(AGREED);
  });

  it.each(OWN_REFUSALS)('a server says %j', async (refusal) => {
    const said = 'http' in refusal ? (refusal.http as Answer) : { status: 200, headers: {}, body: refusal };
    const [declared, ...readAs] = await told(dialect, said);
    expect(readAs).toEqual([declared, declared]);
  });
});
