import {
  callTool,
  command,
  connect,
  expectLawful,
  jsonOf,
  killWhileWriting,
  memoryLogger,
  post,
  rpcResponse,
  serveHere,
  start,
  tempFolder,
} from '@mayday/reference-shared/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { mintKey } from './api/keys.ts';
import { openStore } from './api/store.ts';
import { createPlatica } from './service.ts';

const data = tempFolder();
const key = mintKey(openStore(data), ['ws_norte']);
const authorized = { authorization: `Bearer ${key}` };
const UNAUTHORIZED = { code: -32001, message: 'Unauthorized: missing or invalid Authorization header' };

let url: string;

beforeAll(async () => {
  ({ url } = await serveHere(await createPlatica({ data, perSecond: 1000, logger: memoryLogger() })));
});

describe('requests that cannot be executed', () => {
  it.each([
    ['no header', {}],
    ['another scheme', { authorization: `Basic ${key}` }],
    ['another form', { authorization: 'Bearer x' }],
    ['half of the form', { authorization: 'Bearer pl_key_' }],
  ])('PL-15 PL-16 %s is -32001', async (_what, headers) => {
    const response = await post(url, '{"jsonrpc":"2.0","id":7,"method":"tools/list"}', headers);
    expect(response.status).toBe(401);
    expect(await jsonOf(response)).toEqual({ jsonrpc: '2.0', id: 7, error: UNAUTHORIZED });
    const called = await callTool(url, 'list_clients', {}, headers);
    expect(expectLawful(called, 'platica').kind).toBe('unauthenticated');
  });

  it('PL-16 a well-formed key that does not exist is the REST interface’s 401', async () => {
    const unknown = { authorization: 'Bearer pl_key_1234_abcdefghijklmnop' };
    const { result } = await callTool(url, 'list_clients', {}, unknown);
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 401 } });
  });

  it('PL-16 without a key on stdio every call is -32001', async () => {
    const client = await connect('v2', command('platica', ['--data', data]));
    await expect(client.callTool({ name: 'list_clients' })).rejects.toMatchObject(UNAUTHORIZED);
  });

  it.each(['GET', 'DELETE', 'PUT'])('PL-17 %s /mcp is -32000', async (method) => {
    const response = await fetch(new URL('/mcp', url), { method, headers: authorized });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await jsonOf(response)).toMatchObject({
      jsonrpc: '2.0',
      error: { code: -32000, message: 'Method not allowed.' },
    });
  });

  it.each([
    ['not JSON', '{"jsonrpc":"2.0",'],
    ['a batch', '[]'],
    ['a number', '7'],
    ['no version', '{"id":7,"method":"tools/list"}'],
    ['params that are no object', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}'],
    ['no tool named', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{}}}'],
    ['a name that is no string', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":7}}'],
  ])('PL-15 PL-18 %s is -32602', async (_what, body) => {
    const response = await rpcResponse(await post(url, body, authorized));
    expect(response).not.toHaveProperty('result');
    expect(response.error.code).toBe(-32602);
  });
});

describe('argument validation', () => {
  it('PL-20 PL-21 PL-22 PL-23 lists every issue, as lines and in Zod’s form', async () => {
    const response = await callTool(url, 'create_client', { email: 7, colour: 'red' }, authorized);
    expect(response).not.toHaveProperty('error');
    expect(response.result).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text: 'name: Invalid input: expected string, received undefined\nemail: Invalid input: expected string, received number\nUnrecognized key: "colour"',
        },
      ],
      structuredContent: {
        issues: [
          {
            path: ['name'],
            message: 'Invalid input: expected string, received undefined',
            code: 'invalid_type',
          },
          {
            path: ['email'],
            message: 'Invalid input: expected string, received number',
            code: 'invalid_type',
          },
          { path: [], message: 'Unrecognized key: "colour"', code: 'unrecognized_keys' },
        ],
      },
    });
    expect(expectLawful(response, 'platica').kind).toBe('invalid_arguments');
  });

  it('PL-23 the corrected call succeeds in the same turn', async () => {
    const wrong = await callTool(
      url,
      'create_webhook',
      { url: 'https://a.example', events: 'client.created' },
      authorized,
    );
    expect(wrong.result.structuredContent.issues).toMatchObject([{ path: ['events'] }]);
    const right = await callTool(
      url,
      'create_webhook',
      { url: 'https://a.example', events: ['client.created'] },
      authorized,
    );
    expect(right.result.isError).toBeUndefined();
  });
});

describe('what was acknowledged', () => {
  it('survives kill -9 in the middle of writes', async () => {
    const folder = tempFolder();
    // One key allows 30 requests a second.
    const keys = Array.from({ length: 10 }, () => mintKey(openStore(folder), ['ws_norte']));
    const as = (n: number) => ({ authorization: `Bearer ${keys[n % keys.length]}` });
    const first = await start('platica', ['--data', folder]);
    const acknowledged = await killWhileWriting(first, async (n) => {
      const { result } = await callTool(first.url, 'create_client', { name: `Client ${n}` }, as(n));
      return result.structuredContent.id;
    });
    const second = await start('platica', ['--data', folder]);
    const { result } = await callTool(second.url, 'list_clients', {}, as(0));
    const kept = new Set(result.structuredContent.data.map(({ id }: { id: string }) => id));
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
  });

  it('is still served after abuse', async () => {
    const large = await post(url, JSON.stringify({ x: 'y'.repeat(2_000_000) }), authorized);
    expect([large.status, (await rpcResponse(large)).error.code]).toEqual([413, -32602]);
    const unknown = await rpcResponse(
      await post(url, '{"jsonrpc":"2.0","id":1,"method":"agents/burn"}', authorized),
    );
    expect(unknown.error.code).toBe(-32601);
    await Promise.all(
      Array.from({ length: 50 }, () => callTool(url, 'get_agent', { id: { $ne: 1 } }, authorized)),
    );
    const { result } = await callTool(url, 'get_agent', { id: 'agt_ventas' }, authorized);
    expect(result.structuredContent.name).toBe('Ventas');
  });

  it('no key is repeated in an answer or in the log', async () => {
    const logger = memoryLogger();
    const { url: bridge } = await serveHere(await createPlatica({ data, logger }));
    const secret = `${key.slice(0, -6)}abcdef`;
    const refused = await callTool(
      bridge,
      'get_client',
      { id: 'cli_0', token: secret },
      { authorization: `Bearer ${secret}` },
    );
    expect(JSON.stringify([refused, logger.lines])).not.toContain(secret);
  });
});
