/** The HTTP door: routes, methods, roles and statuses. An operator's key is `keys: [{name, key, role: operator}]`. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from './support/gateway.ts';
import { at, startHouse } from './support/house.ts';
import { type Message, post, send } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call, modern, tell } from './support/messages.ts';
import { failing } from './support/world.ts';

let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet();
});
afterAll(() => http.close());

describe('a door without keys', () => {
  const gateway = keepGateway(() =>
    startHouse(http, { timeout_ms: 2000 }, {}, { limits: { body_bytes: 65_536 } }),
  );

  it.each([
    ['/s/mcp', ['PUT', 'PATCH'], /\bPOST\b/],
    ['/mcp', ['PUT', 'PATCH'], /\bPOST\b/],
    ['/-/health', ['POST', 'PUT', 'DELETE', 'PATCH'], /\bGET\b/],
    ['/-/status', ['POST', 'PUT', 'DELETE', 'PATCH'], /\bGET\b/],
    ['/-/faults', ['POST', 'PUT', 'PATCH'], /\bGET\b/],
  ])('%s refuses %j with 405 and says what is allowed', async (path, methods, allowed) => {
    for (const method of methods) {
      const answer = await send(gateway().url + path, undefined, { method });
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.headers['allow']).toMatch(allowed);
    }
  });

  it.each([['/-/health'], ['/-/status'], ['/-/faults']])('%s answers JSON', async (path) => {
    const answer = await send(gateway().url + path, undefined);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(answer.body)).toBeTypeOf('object');
  });

  it.each([['s'], ['o'], ['']])('an unknown session is 404 at /%s', async (endpoint) => {
    const url = at(gateway(), endpoint);
    const session = 'never-opened';
    const answers = await Promise.all([
      post(url, call('echo'), { session }),
      post(url, ask('tools/list'), { session }),
      post(url, tell('notifications/initialized'), { session }),
      send(url, undefined, { session, headers: { accept: 'text/event-stream' } }),
      send(url, undefined, { session, method: 'DELETE' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });

  it.each([
    ['a foreign Host', 403, { host: 'evil.example' }, call('echo')],
    ['a foreign Origin', 403, { origin: 'https://evil.example' }, call('echo')],
    ['a body that is too large', 413, {}, call('echo', { text: 'x'.repeat(100_000) })],
    ['no message', 400, {}, 'hello'],
  ])('%s is %s', async (_name, status, headers, body) => {
    const answer = await post(at(gateway(), 's'), body, { headers });
    expect(answer.status).toBe(status);
    expect(answer.message['error']).toBeTypeOf('object');
  });

  it.each([
    ['/nope/mcp'],
    ['/'],
    ['/s'],
    ['/s/mcp/more'],
    ['/-/nope'],
    ['/S/mcp'],
    ['/__proto__/mcp'],
    ['/constructor/mcp'],
  ])('nothing is at %s: 404', async (path) => {
    expect((await post(gateway().url + path, call('echo'))).status).toBe(404);
  });

  it('a notification is 202', async () => {
    for (const endpoint of ['s', 'u', 'o', '']) {
      expect([
        endpoint,
        (await post(at(gateway(), endpoint), tell('notifications/initialized'))).status,
      ]).toEqual([endpoint, 202]);
    }
  });

  describe('in 2026-07-28', () => {
    it.each([['s'], ['o'], ['']])('an unknown method is 404 with -32601 at /%s', async (endpoint) => {
      const { status, message } = await post(at(gateway(), endpoint), modern(ask('no/such', {}, 'x')), {
        era: '2026',
      });
      expect([status, message['id'], message['error']?.code]).toEqual([404, 'x', -32601]);
    });

    it.each([['o'], ['']])('an unknown revision is 400 with -32022 at /%s', async (endpoint) => {
      const request = modern(ask('tools/list', {}, 'x'));
      request['params']._meta['io.modelcontextprotocol/protocolVersion'] = '2099-01-01';
      const headers = { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' };
      const { status, message } = await post(at(gateway(), endpoint), request, { headers });
      expect([status, message['id'], message['error']?.code]).toEqual([400, 'x', -32022]);
      expect(message['error'].data).toMatchObject({
        requested: '2099-01-01',
        supported: expect.arrayContaining(['2026-07-28']),
      });
    });

    it.each([['s'], ['u'], ['o'], ['']])(
      'a header that contradicts the body is 400 with -32020 at /%s',
      async (endpoint) => {
        const tool = endpoint === '' ? 's_echo' : 'echo';
        const headers = { 'mcp-name': 'another' };
        const { status, message } = await post(at(gateway(), endpoint), modern(call(tool, {}, 'x')), {
          era: '2026',
          headers,
        });
        expect([status, message['id'], message['error']?.code]).toEqual([400, 'x', -32020]);
      },
    );

    it.each([['s'], ['o'], ['']])('a missing envelope is 400 with -32602 at /%s', async (endpoint) => {
      const { status, message } = await post(at(gateway(), endpoint), ask('tools/list', {}, 'x'), {
        era: '2026',
      });
      expect([status, message['id'], message['error']?.code]).toEqual([400, 'x', -32602]);
    });
  });

  describe('official clients', () => {
    it.each([
      ['s', 'echo'],
      ['u', 'echo'],
      ['o', 'echo'],
      ['', 's_echo'],
    ])('of SDK 1 work at /%s', async (endpoint, tool) => {
      const client = new Client({ name: 'acceptance', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(at(gateway(), endpoint))));
      const names = (await client.listTools()).tools.map(({ name }) => name);
      const fine = await client.callTool({ name: tool, arguments: { text: 'hi' } });
      const broken =
        endpoint === 'o'
          ? undefined
          : await client.callTool({
              name: tool.replace('echo', 'pay'),
              arguments: { script: [failing('Order 17 was not found')] },
            });
      await client.close();
      expect(names).toContain(tool);
      expect(fine.isError ?? false).toBe(false);
      expect(JSON.stringify(broken ?? 'Order 17 was not found')).toContain('Order 17 was not found');
    });

    it.each([
      ['s', 'echo'],
      ['u', 'echo'],
      ['o', 'echo'],
      ['', 's_echo'],
    ])('of SDK 2 work at /%s, in both eras', async (endpoint, tool) => {
      for (const mode of ['legacy', 'auto'] as const) {
        const client = new ModernClient(
          { name: 'acceptance', version: '1' },
          { versionNegotiation: { mode } },
        );
        await client.connect(new ModernTransport(new URL(at(gateway(), endpoint))));
        const names = (await client.listTools()).tools.map(({ name }) => name);
        const fine = await client.callTool({ name: tool, arguments: { text: 'hi' } });
        await client.close();
        expect(names).toContain(tool);
        expect(fine.isError ?? false).toBe(false);
      }
    });
  });
});

describe('a door with keys', () => {
  const ALICE = 'alice-key-0123456789';
  const keys = [{ name: 'alice', key: ALICE }];
  const gateway = keepGateway(() => startGateway({ keys, upstreams: { u: { url: http.url } } }));

  it('lets anybody ask for its health', async () => {
    expect((await send(`${gateway().url}/-/health`, undefined)).status).toBe(200);
    expect((await send(`${gateway().url}/-/health`, undefined, { key: 'wrong-key-0123456789' })).status).toBe(
      200,
    );
  });

  it.each([['/u/mcp'], ['/mcp'], ['/-/status'], ['/-/faults']])('asks for a key at %s', async (path) => {
    const method = path.startsWith('/-/') ? 'GET' : 'POST';
    const body = method === 'POST' ? call('echo') : undefined;
    for (const headers of [
      {},
      { authorization: 'Bearer wrong-key-0123456789' },
      { authorization: `Basic ${ALICE}` },
      { authorization: ALICE },
      { authorization: 'Bearer ' },
    ]) {
      const answer = await send(gateway().url + path, body, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
      });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/i);
    }
  });

  it.each([['/-/status'], ['/-/faults']])('shows %s to no ordinary caller', async (path) => {
    const answer = await send(gateway().url + path, undefined, { key: ALICE });
    expect(answer.status).toBe(403);
    expect(answer.body).not.toContain('upstreams');
  });
});

describe('operators', () => {
  const ALICE = 'alice-key-0123456789';
  const OSCAR = 'oscar-key-0123456789';
  const keys = [
    { name: 'alice', key: ALICE },
    { name: 'oscar', key: OSCAR, role: 'operator' },
  ];
  const gateway = keepGateway(() => startGateway({ keys, upstreams: { u: { url: http.url } } }));

  it('see the status and the faults of everybody', async () => {
    await post(at(gateway(), 'u'), call('pay', { script: [failing('Order 17 was not found')] }), {
      key: ALICE,
    });
    const status = await send(`${gateway().url}/-/status`, undefined, { key: OSCAR });
    const faults = await send(`${gateway().url}/-/faults`, undefined, { key: OSCAR });
    expect([status.status, faults.status]).toEqual([200, 200]);
    expect((JSON.parse(status.body) as Message)['upstreams'][0]).toMatchObject({ name: 'u' });
    expect((JSON.parse(faults.body) as Message)['faults'][0]).toMatchObject({
      upstream: 'u',
      method: 'tools/call',
      fault: { kind: 'not_found' },
    });
  });

  it('and nobody else does', async () => {
    for (const path of ['/-/status', '/-/faults', '/-/faults?limit=1']) {
      expect((await send(gateway().url + path, undefined, { key: ALICE })).status).toBe(403);
      expect((await send(gateway().url + path, undefined)).status).toBe(401);
    }
  });

  it('cannot be read by other methods either', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await send(`${gateway().url}/-/status`, undefined, { key: OSCAR, method })).status).toBe(405);
      expect(
        (await send(`${gateway().url}/-/status`, undefined, { key: ALICE, method })).status,
      ).toBeGreaterThanOrEqual(401);
    }
  });
});
