/** What the SDK's endpoint refuses of a request of 2026-07-28, in each document: nothing was begun, and nothing foreign is in it. */
import { createMcpHandler, InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import { guardHandler } from '../src/http.ts';
import { guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  [CAPABILITIES]: {},
};
const { [CAPABILITIES]: _none, ...PART } = META;

type Spoken = 'closient' | 'erlmcp' | 'onx' | 'platica' | 'qaqnuz' | 'mayday';

async function refused(dialect: Spoken, method: string, params: object): Promise<[number, Message['error']]> {
  const make = (): McpServer => {
    const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
    server.registerTool('t', {}, async () => ({ content: [] }));
    return server;
  };
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': 't',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { name: 't', arguments: {}, ...params } }),
  });
  const response = await guardHandler(createMcpHandler(make), { dialect }).fetch(request);
  return [response.status, ((await response.json()) as Message).error];
}

describe.each([
  ['without `_meta`', {}, '_meta'],
  ['without a part of `_meta`', { _meta: PART }, `_meta.${CAPABILITIES}`],
])('%s', (_how, params, field) => {
  it('EM-2 EM-24 onX', async () => {
    const [status, error] = await refused('onx', 'tools/call', params);
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: -32602,
      message: 'Invalid params',
      data: { field, reason: 'required' },
    });
    expect(Object.keys(error?.data as object)).toEqual(['field', 'reason', 'context']);
  });

  it('ER-22 erlmcp', async () => {
    const details = `Missing required parameter: ${field}`;
    const error = { code: -32602, message: 'Invalid params', data: { details } };
    expect(await refused('erlmcp', 'tools/call', params)).toEqual([400, error]);
  });

  it.each(['qaqnuz', 'platica'] as const)('%s', async (dialect) => {
    const error = { code: -32602, message: `params.${field}: required` };
    expect(await refused(dialect, 'tools/call', params)).toEqual([400, error]);
  });

  it('Closient', async () => {
    const [status, error] = await refused('closient', 'tools/call', params);
    expect([status, error?.code, error?.data]).toMatchObject([
      400,
      -32100,
      { detail: `params.${field}: required` },
    ]);
    expect(JSON.stringify(error)).not.toMatch(/envelope|dev\.mayday/);
  });

  it('mayday says that nothing was executed', async () => {
    const [, error] = await refused('mayday', 'tools/call', params);
    expect([error?.code, error?.data]).toMatchObject([-32602, { executed: 'no' }]);
  });
});

it.each([
  ['closient', { code: -32601, message: 'Unknown method: no/such' }],
  ['onx', { code: -32601, message: 'Method not found' }],
  ['erlmcp', { code: -32601, message: 'Method not found', data: { method: 'no/such' } }],
] as const)('an unknown method cannot have done anything: %s', async (dialect, error) => {
  expect(await refused(dialect, 'no/such', { _meta: META })).toEqual([404, error]);
});

/** The same over a connection that a good request has opened: there, the SDK does not say which part of `_meta` is wrong. */
async function refusedInside(dialect: Spoken, method: string, meta: object): Promise<object> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const make = (): McpServer => {
    const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
    server.registerTool('t', {}, async () => ({ content: [] }));
    return server;
  };
  const handle = serveStdio(make, { transport: far });
  const answers = new Map<unknown, (message: object) => void>();
  near.onmessage = (message) => answers.get((message as Message).id)?.(message);
  await near.start();
  const ask = (id: number, params: object): Promise<object> =>
    new Promise((resolve) => {
      answers.set(id, resolve);
      void near.send({ jsonrpc: '2.0', id, method, params: { name: 't', arguments: {}, ...params } });
    });
  expect(await ask(1, { _meta: META })).toHaveProperty('result');
  const answer = await ask(2, { _meta: meta });
  await handle.close();
  return answer;
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';

describe.each(['tools/call', 'tools/list'])(
  '%s with a malformed `_meta` is no matter of the arguments',
  (method) => {
    it('PL-18 platica, qaqnuz', async () => {
      const message = `params._meta.${VERSION}: must be a string; params._meta.${CAPABILITIES}: required`;
      for (const dialect of ['platica', 'qaqnuz'] as const)
        expect(await refusedInside(dialect, method, { [VERSION]: 7 })).toEqual({
          jsonrpc: '2.0',
          id: 2,
          error: { code: -32602, message },
        });
    });

    it('EM-26 onX', async () => {
      const field = `_meta.${CAPABILITIES}`;
      expect(await refusedInside('onx', method, { ...META, [CAPABILITIES]: 'all' })).toEqual({
        jsonrpc: '2.0',
        id: 2,
        error: {
          code: -32602,
          message: 'Invalid params',
          data: {
            field,
            reason: 'invalid_type',
            context: { issues: [{ field, message: 'must be an object', code: 'invalid_type' }] },
          },
        },
      });
    });

    it('CL-20 Closient', async () => {
      const info = 'io.modelcontextprotocol/clientInfo';
      expect(await refusedInside('closient', method, { ...META, [info]: { name: 'c' } })).toMatchObject({
        error: {
          code: -32100,
          data: { detail: `params._meta.${info}: must be an object with a name and a version` },
        },
      });
    });

    it('ER-22 erlmcp, and nothing may have happened', async () => {
      expect(await refusedInside('erlmcp', method, PART)).toEqual({
        jsonrpc: '2.0',
        id: 2,
        error: {
          code: -32602,
          message: 'Invalid params',
          data: { details: `Missing required parameter: _meta.${CAPABILITIES}` },
        },
      });
    });

    it('what else may be wrong in it, without a name', async () => {
      const level = { ...META, 'io.modelcontextprotocol/logLevel': 'loud' };
      expect(await refusedInside('platica', method, level)).toMatchObject({
        error: { code: -32602, message: 'params._meta: has a member of another form than the protocol has' },
      });
    });
  },
);
