import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../scripts/free-port.ts';
import { Endpoint, exchange, type HttpAnswer } from '../../acceptance/http.ts';
import { mayday } from '../../acceptance/mayday.ts';
import { SLOW } from '../../acceptance/program.ts';
import { command, freshFolder, type HttpReference, serveHttp } from '../../acceptance/reference.ts';
import { callTool, type Message, type Wire } from '../../acceptance/wire.ts';
import { mintKey } from './bridge.ts';

const folder = freshFolder();
let server: HttpReference;
let api: string;
let keys: { one: string; both: string };
let north: Endpoint;
beforeAll(async () => {
  const [one, both] = await Promise.all([
    mintKey(folder.path, 'ws_norte'),
    mintKey(folder.path, 'ws_norte,ws_sur'),
  ]);
  keys = { one, both };
  const port = await freePort();
  server = await serveHttp('platica', folder.path, ['--api-port', String(port)]);
  api = `http://127.0.0.1:${port}/api/v1`;
  north = new Endpoint(server.mcp, { authorization: `Bearer ${one}` });
}, SLOW);
afterAll(async () => {
  await server.stop();
  folder.remove();
});

const as = (key: string): Endpoint => new Endpoint(server.mcp, { authorization: `Bearer ${key}` });
const rest = (method: string, path: string, body?: Wire): Promise<HttpAnswer> =>
  exchange(api + path, {
    method,
    headers: { authorization: `Bearer ${keys.one}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

/** Each cause of the catalogue, by a real condition. */
const CAUSES: [string, number, () => Promise<Message>][] = [
  [
    'PL-6',
    400,
    () => callTool(north, 'create_webhook', { url: 'http://x.example', events: ['client.created'] }),
  ],
  ['PL-7', 400, () => callTool(as(keys.both), 'get_client', { id: 'cli_4711' })],
  [
    'PL-8',
    401,
    () => callTool(as('pl_key_000000000000_00000000000000000000000000000000'), 'list_clients', {}),
  ],
  ['PL-9', 403, () => callTool(north, 'get_client', { id: 'cli_4711', workspace: 'ws_sur' })],
  ['PL-10', 404, () => callTool(north, 'get_client', { id: 'cli_4711' })],
  ['PL-11', 422, () => callTool(north, 'get_agent', { id: 'agt_suelto' })],
];

describe.each(CAUSES)('%s', (id, status, provoke) => {
  it(`${id} PL-2 PL-4 PL-5 PL-14: ${status} has code and error, raw and parsed`, async () => {
    const { result, error } = await provoke();
    expect(error).toBeUndefined();
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ code: status, error: expect.stringMatching(/\w/) });
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
  });
});

describe('an interface that broke', () => {
  it('PL-12 PL-4 PL-5: says 500, and its exception is in the log', async () => {
    const file = readdirSync(folder.path).find((name) => name.endsWith('.sqlite')) ?? '';
    const database = new DatabaseSync(join(folder.path, file));
    database.exec('BEGIN EXCLUSIVE');
    const { result } = await callTool(north, 'create_client', { name: 'Ana' });
    database.exec('ROLLBACK');
    database.close();
    expect(result?.structuredContent).toMatchObject({ code: 500, error: expect.stringMatching(/\w/) });
    expect(JSON.stringify(result)).not.toMatch(/locked|sqlite/i);
    expect(server.program.errors()).toContain('database is locked');
  });
});

describe('how to fix it', () => {
  it('PL-6: 400 flags the field in errors[]', async () => {
    const { result } = await callTool(north, 'create_webhook', {
      url: 'http://x.example',
      events: ['client.created'],
    });
    expect(JSON.stringify(result.structuredContent.errors)).toContain('url');
  });

  it('PL-7: 400 says what is missing, and with a workspace it works', async () => {
    const { result } = await callTool(as(keys.both), 'list_clients', {});
    expect(result.structuredContent.error).toMatch(/^Must specify a valid workspace/);
    expect(
      (await callTool(as(keys.both), 'list_clients', { workspace: 'ws_sur' })).result.isError ?? false,
    ).toBe(false);
  });

  it('PL-10: a client of another workspace is not found until the workspace is passed', async () => {
    const made = await callTool(as(keys.both), 'create_client', { name: 'Ana', workspace: 'ws_sur' });
    const { id } = made.result.structuredContent;
    const north404 = await callTool(as(keys.both), 'get_client', { id, workspace: 'ws_norte' });
    const south = await callTool(as(keys.both), 'get_client', { id, workspace: 'ws_sur' });
    expect([north404.result.structuredContent.code, south.result.structuredContent.name]).toEqual([
      404,
      'Ana',
    ]);
  });

  it('PL-8: a key for a workspace that does not exist is not made', async () => {
    const said = await command('platica', ['--mint-key', 'ws_nowhere', '--data', folder.path]);
    expect([said.status, said.out.trim()]).toEqual([2, '']);
  });

  it('PL-8: a key that was disabled is 401', async () => {
    const key = await mintKey(folder.path, 'ws_norte');
    const before = await callTool(as(key), 'list_clients', {});
    const said = await command('platica', ['--disable-key', key, '--data', folder.path]);
    const after = await callTool(as(key), 'list_clients', {});
    expect([before.result.isError ?? false, said.status, after.result.structuredContent?.code]).toEqual([
      false,
      0,
      401,
    ]);
  });
});

describe('what is kept', () => {
  it('PL-11: renaming a running campaign leaves it running', async () => {
    const agent = (await callTool(north, 'create_agent', { name: 'A' })).result.structuredContent.id;
    const made = await callTool(north, 'create_campaign', { name: 'C', agent_id: agent });
    const { id } = made.result.structuredContent;
    await callTool(north, 'launch_campaign', { id });
    const before = JSON.parse((await rest('GET', `/campaigns/${id}`)).text);
    await rest('PATCH', `/campaigns/${id}`, { name: 'D' });
    expect(JSON.parse((await rest('GET', `/campaigns/${id}`)).text)).toEqual({ ...before, name: 'D' });
    expect((await callTool(north, 'launch_campaign', { id })).result.isError).toBe(true);
  });

  it('PL-11: an empty change of an agent changes nothing', async () => {
    const agents = await Promise.all(['A', 'B'].map((name) => callTool(north, 'create_agent', { name })));
    const [id, subagent_id] = agents.map(({ result }) => result.structuredContent.id);
    await callTool(north, 'connect_agent_subagent', { id, subagent_id });
    const before = JSON.parse((await rest('GET', `/agents/${id}`)).text);
    await rest('PATCH', `/agents/${id}`, {});
    expect(JSON.parse((await rest('GET', `/agents/${id}`)).text)).toEqual(before);
    expect(JSON.stringify(before)).toContain(subagent_id);
  });

  it('PL-10: what is made for something that does not exist is not made', async () => {
    const { result } = await callTool(north, 'create_campaign', { name: 'C', agent_id: 'agt_nobody' });
    expect([result.isError, [404, 422].includes(result.structuredContent.code)]).toEqual([true, true]);
  });

  it('PL-11: a client keeps what an update does not mention', async () => {
    const made = await callTool(north, 'create_client', { name: 'Ana', email: 'ana@example.com' });
    const { id } = made.result.structuredContent;
    await callTool(north, 'update_client', { id, name: 'Anna' });
    expect((await callTool(north, 'get_client', { id })).result.structuredContent).toMatchObject({
      name: 'Anna',
      email: 'ana@example.com',
    });
  });
});

describe('reading the catalogue', () => {
  const body = (code: number, more: Wire = {}): Wire => {
    const told = { code, error: 'It said no', details: 'Because', ...more };
    const text = JSON.stringify(told);
    return {
      jsonrpc: '2.0',
      id: 1,
      result: { isError: true, content: [{ type: 'text', text }], structuredContent: told },
    };
  };
  const ROWS: [string, Wire, string, string, boolean][] = [
    [
      'PL-6',
      body(400, { errors: [{ field: 'url', message: 'https only' }] }),
      'invalid_arguments',
      'validation',
      false,
    ],
    [
      'PL-7',
      body(400, { error: 'Must specify a valid workspace for this key' }),
      'invalid_arguments',
      'validation',
      false,
    ],
    ['PL-8', body(401), 'unauthenticated', 'permission', false],
    ['PL-9', body(403), 'forbidden', 'permission', false],
    ['PL-10', body(404), 'not_found', 'terminal', false],
    ['PL-11', body(422), 'conflict', 'terminal', false],
    ['PL-12', body(500), 'internal', 'retryable', true],
  ];
  let readings: Wire[];
  beforeAll(async () => {
    readings = await mayday(
      ['read', '--from', 'platica'],
      ROWS.map(([, wire]) => wire),
    );
  });

  it.each(ROWS)('%s PL-1: is read for what it is', (id, _wire, kind, reaction, retryable) => {
    const reading = readings[ROWS.findIndex(([row]) => row === id)];
    expect([reading.kind, reading.reaction, reading.retryable]).toEqual([kind, reaction, retryable]);
  });

  it('PL-6 PL-7: the fields that are wrong are named', () => {
    expect(
      readings.slice(0, 2).map(({ issues }) => issues.map((issue: Wire) => issue.path.join('.'))),
    ).toEqual([['url'], ['workspace']]);
  });

  it('PL-12 PL-19: a failure of the bridge itself may be tried again, as the document says', async () => {
    const [reading] = await mayday(
      ['read', '--from', 'platica'],
      [{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Internal error' } }],
    );
    expect([reading.kind, reading.retryable, reading.placement]).toEqual(['internal', true, 'protocol']);
  });

  it('PL-1: the four protocol codes are read for what they are', async () => {
    const codes = [
      [-32001, 'Unauthorized: missing or invalid Authorization header'],
      [-32000, 'Method not allowed.'],
      [-32602, 'The JSON-RPC call is malformed'],
    ].map(([code, message]) => ({ jsonrpc: '2.0', id: 1, error: { code, message } }));
    const told = await mayday(['read', '--from', 'platica'], codes);
    expect(told.map(({ reaction }) => reaction)).toEqual(['permission', 'terminal', 'validation']);
  });
});

it.each([
  [
    'a body that is no UTF-8',
    'POST',
    400,
    { 'content-type': 'application/json' },
    Buffer.from([0x22, 0xff, 0x22]),
  ],
  ['a Host that is not served', 'GET', 403, { host: 'evil.example' }, undefined],
])('PL-5: the interface answers %s with code and error', async (_what, method, status, more, body) => {
  const headers = { authorization: `Bearer ${keys.one}`, ...more };
  const answer = await exchange(`${api}/clients`, { method, headers, body });
  expect(answer.status).toBe(status);
  const { code, error, details, ...others } = JSON.parse(answer.text);
  expect([code, typeof error, typeof details, others]).toEqual([status, 'string', 'string', {}]);
});
