/** Lists that fail where there are rules: whoever asks is told what is told without rules, the status and the headers of HTTP above all. */
import { afterEach, describe, expect, it } from 'vitest';
import { ANN, KEYS } from '../../test/ruled-house.ts';
import { call, cleanUp, INITIALIZE, json, open, post, upstream } from '../../test/tools.ts';
import type { SettingsFile } from '../index.ts';

afterEach(cleanUp);

const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'] as const;

const DENY = { rules: [{ deny: ['s/die'] }] };
const SHAPES: readonly (readonly [name: string, more: Partial<SettingsFile>])[] = [
  ['no rule', {}],
  ['a rule that denies', { access: DENY }],
  ['rules that allow, and nothing else', { access: { default: 'deny', rules: [{ allow: ['s/*'] }] } }],
  ['a rule that asks for consent', { access: { rules: [{ approve: ['s/die'] }] }, store: 'memory:' }],
  ['refusals that are opaque', { access: { ...DENY, refusals: 'opaque' } }],
  ['keys, and no rule', { keys: KEYS }],
  ['a rule with scopes', { keys: KEYS, access: { rules: [{ allow: ['s/die'], scopes: ['no:body'] }] } }],
];

const JSON_BODY = { 'content-type': 'application/json' };
const errorOf = (code: number, message: string, data?: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message, data } });

interface Failure {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
}

const CHALLENGE = 'Bearer error="invalid_token", resource_metadata="https://auth.example.com/meta"';
const STEP_UP = 'Bearer error="insufficient_scope", scope="x"';

/** What a server says, and the status and the headers that its caller has to see. */
const FAILURES: readonly (readonly [
  name: string,
  said: Failure,
  told: readonly [status: number, challenge: string | null, wait: string | null],
])[] = [
  [
    'a session that is forgotten',
    {
      status: 404,
      headers: JSON_BODY,
      body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}',
    },
    [404, null, null],
  ],
  ['a session that is forgotten, without a word', { status: 404 }, [404, null, null]],
  [
    'a token that has expired',
    {
      status: 401,
      headers: { ...JSON_BODY, 'www-authenticate': CHALLENGE },
      body: '{"error":"invalid_token"}',
    },
    [401, CHALLENGE, null],
  ],
  [
    'a scope that is missing',
    {
      status: 403,
      headers: { ...JSON_BODY, 'www-authenticate': STEP_UP },
      body: '{"error":"insufficient_scope"}',
    },
    [403, STEP_UP, null],
  ],
  [
    'a limit',
    {
      status: 429,
      headers: { ...JSON_BODY, 'retry-after': '7' },
      body: errorOf(-32000, 'Too many requests'),
    },
    [429, null, '7'],
  ],
  ['a limit of HTTP alone', { status: 429, headers: { 'retry-after': '7' } }, [200, null, '7']],
  [
    'a bad request',
    { status: 400, headers: JSON_BODY, body: errorOf(-32602, 'Invalid cursor') },
    [400, null, null],
  ],
];

/** A server that opens sessions, and fails of all that is asked there; how it is asked behind a gateway. */
async function failing({ status, headers = {}, body = '' }: Failure, more: Partial<SettingsFile>) {
  const { url } = await upstream((asked, response) => {
    const { id, method } = JSON.parse(asked);
    if (method === 'initialize')
      json(response, 200, { jsonrpc: '2.0', id, result: OPENED }, { 'mcp-session-id': 's1' });
    else response.writeHead(status, headers).end(body);
  });
  const gateway = await open({ ...more, upstreams: { s: { url, retry: { attempts: 1 } } } });
  const at = `${gateway.url}/s/mcp`;
  const opened = await post(at, INITIALIZE, ANN);
  const session = { ...ANN, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  return (method: string) => post(at, call(method), session);
}

const OPENED = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } };

describe.each(SHAPES)('with %s', (_shape, more) => {
  it.each(FAILURES)('%s is told by its status', async (_name, said, told) => {
    const ask = await failing(said, more);
    for (const method of LISTS) {
      const { status, headers } = await ask(method);
      expect([method, status, headers.get('www-authenticate'), headers.get('retry-after')]).toEqual([
        method,
        ...told,
      ]);
    }
  });
});
