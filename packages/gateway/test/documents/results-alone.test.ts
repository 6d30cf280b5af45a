/** A dialect that only knows results: it speaks of calls, and of nothing else. */
import { type Dialect, language } from '@mayday/core';
import { resultResponse } from '@mayday/core/dialects';
import { afterEach, describe, expect, it } from 'vitest';
import { startGateway } from '../../src/index.ts';
import {
  call,
  callTool,
  cleanUp,
  INITIALIZE,
  json,
  later,
  post,
  STDIO_SERVER,
  settingsOf,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const ACME: Dialect = {
  id: 'acme',
  title: 'Acme',
  codes: [{ code: 'E9', name: 'other', kind: 'internal', title: 'Other', written: true }],
  recognise: () => 0,
  read: () => undefined,
  write: (said, context) => {
    if (said.message.includes('It broke')) throw new Error('explode token=sk-live-abcdef1234567890abcd');
    return resultResponse(context, { content: [], structuredContent: { trouble: 'E9' } });
  },
  fails: () => false,
};

function unwritable(id: string, data: unknown): Dialect {
  const error = { code: -39_000, message: 'It broke', data };
  return { ...ACME, id, write: () => ({ wire: { jsonrpc: '2.0', id: 1, error } }) as never };
}

const AS_ACME = { 'mayday-dialect': 'acme' };

const ROUND: { self?: unknown } = {};
ROUND.self = ROUND;

/** Answers that cannot be written as JSON. */
const UNWRITABLE: readonly (readonly [what: string, data: unknown])[] = [
  ['goes round in circles', ROUND],
  ['holds a bigint', { count: 1n }],
  [
    'throws when it is written',
    {
      toJSON() {
        throw new Error('no');
      },
    },
  ],
];

async function house(logs: string[] = []): Promise<string> {
  const settings = settingsOf({ upstreams: { shop: STDIO_SERVER } });
  const gateway = await startGateway(settings, {
    language: UNWRITABLE.reduce(
      (all, [, data], i) => all.with(unwritable(`own${i}`, data)),
      language.with(ACME),
    ),
    onLog: (line) => logs.push(line),
  });
  later(() => gateway.close(500));
  return gateway.url;
}

it.each(['/shop/mcp', '/mcp'])('answers what is no call with an error, at %s', async (path) => {
  const url = await house();
  for (const request of [
    call('resources/read', { uri: 'nowhere://x' }),
    call('prompts/get', { name: 'x' }),
  ]) {
    const { message } = await post(`${url}${path}`, request, AS_ACME);
    expect(message).not.toHaveProperty('result');
    expect(message.error?.code).toBeLessThan(0);
  }
  const called = await post(`${url}/mcp`, callTool('nope'), AS_ACME);
  expect(called.message.result).toMatchObject({ structuredContent: { trouble: 'E9' } });
});

/** The same of a server that speaks it, whatever it is asked. */
const SPEAKING: Dialect = {
  ...ACME,
  recognise: (wire) => (JSON.stringify(wire.result ?? {}).includes('trouble') ? 1 : 0),
  read: () => ({ kind: 'internal', certainty: 1, evidence: [{ by: 'code', says: 'other' }] }),
  fails: (wire) => JSON.stringify(wire.result ?? {}).includes('trouble'),
};

describe.each([
  ['acme', 'acme'],
  ['acme', 'mayday'],
  ['closient', 'acme'],
  ['onx', 'acme'],
])('a server that speaks %s, to callers of %s', (from, dialect) => {
  const failing: { readonly [dialect: string]: object } = {
    acme: { content: [], structuredContent: { trouble: 'E9' } },
    closient: {
      error: {
        code: -32_300,
        message: 'Internal Error',
        data: { status: 500, error_code: 'internal_error' },
      },
    },
    onx: { error: { code: 4001, message: 'It broke', retryable: false } },
  };
  it.each(['/shop/mcp', '/mcp'])('fails with an error what is no call, at %s', async (path) => {
    const { url } = await upstream((body, response) => {
      const { id, method = '' } = JSON.parse(body || '{}') as { id?: number; method?: string };
      const opened = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
        serverInfo: { name: 's', version: '1' },
      };
      const lists = {
        tools: [{ name: 'pay', inputSchema: { type: 'object' } }],
        prompts: [{ name: 'greet' }],
        resources: [{ uri: 'note://a', name: 'a' }],
      };
      if (id === undefined) response.writeHead(body === '' ? 405 : 202).end();
      else if (method === 'initialize') json(response, 200, { jsonrpc: '2.0', id, result: opened });
      else if (method.endsWith('/list')) json(response, 200, { jsonrpc: '2.0', id, result: lists });
      else json(response, 200, { jsonrpc: '2.0', id, result: failing[from] });
    });
    const settings = settingsOf({ upstreams: { shop: { url } } });
    const gateway = await startGateway(settings, { language: language.with(SPEAKING) });
    later(() => gateway.close(500));
    const prefix = path === '/mcp' ? 'shop_' : '';
    const asked = { 'mayday-dialect': dialect };
    const { headers } = await post(gateway.url + path, INITIALIZE);
    const session = headers.get('mcp-session-id');
    const as = { ...asked, ...(session === null ? {} : { 'mcp-session-id': session }) };
    await post(gateway.url + path, call('resources/list'), as);
    for (const request of [
      call('resources/read', { uri: 'note://a' }),
      call('prompts/get', { name: `${prefix}greet` }),
      call('completion/complete', {
        ref: { type: 'ref/prompt', name: `${prefix}greet` },
        argument: { name: 'a', value: 'b' },
      }),
    ]) {
      const { message } = await post(gateway.url + path, request, as);
      expect(message).not.toHaveProperty('result');
      expect(message.error?.data).toMatchObject({ kind: expect.any(String), executed: expect.any(String) });
    }
    const called = await post(gateway.url + path, callTool(`${prefix}pay`), as);
    expect(called.message).toHaveProperty('result');
  });
});

it('names the dialect that throws, to the operator', async () => {
  const logs: string[] = [];
  const url = await house(logs);
  await post(`${url}/shop/mcp`, callTool('any'), AS_ACME);
  const told = logs.filter((line) => line.startsWith('dialect=acme threw, mayday was spoken in its place: '));
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/Error: explode token=.* at results-alone\.test\.ts:\d+$/);
  expect(logs.join()).not.toMatch(/sk-live|bug:/);
});

it.each(UNWRITABLE.map(([what], i) => [what, i] as const))(
  'speaks mayday where what a dialect says %s',
  async (_what, i) => {
    const logs: string[] = [];
    const url = await house(logs);
    const asked = { 'mayday-dialect': `own${i}` };
    const { message } = await post(`${url}/shop/mcp`, callTool('any'), asked);
    expect(message.result?._meta?.['dev.mayday/fault']).toMatchObject({ message: 'It broke' });
    const refused = await post(`${url}/shop/mcp`, '{', asked);
    expect([refused.status, refused.message.error?.code]).toEqual([400, -32700]);
    expect(logs.filter((line) => line.startsWith(`dialect=own${i} threw, `))).toHaveLength(1);
  },
);
