/** What the SDK's endpoint refuses of a request of 2026-07-28, in each document: nothing was begun, and nothing foreign is in it. */
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
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
