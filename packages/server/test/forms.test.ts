/** Each dialect's own words and shapes, out of the kit alone: what the five documents have for what goes wrong. */
import { fault } from '@mayday/core';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type GuardOptions, guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { connectRaw } from './wire.ts';

type Dialect = NonNullable<GuardOptions['dialect']>;

async function asked(dialect: Dialect, method: string, params: object = {}): Promise<Message> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect, deadlineMs: 60 });
  server.registerTool('book', { inputSchema: z.object({ seats: z.number() }) }, async () => ({
    content: [],
  }));
  server.registerTool('fails', {}, async () => {
    throw new Error('The flux capacitor is out of plutonium');
  });
  server.registerTool(
    'upstream',
    { inputSchema: z.object({ retryable: z.boolean().optional() }) },
    (args) => {
      throw fault.upstreamFailed('The backend failed', args);
    },
  );
  server.registerTool('hangs', {}, () => new Promise<never>(() => {}));
  server.registerResource('note', 'note://hello', {}, async () => {
    throw new Error('The flux capacitor is out of plutonium');
  });
  server.registerPrompt('greet', { argsSchema: z.object({ name: z.string() }) }, async () => ({
    messages: [],
  }));
  const client = await connectRaw(server);
  const clientInfo = { name: 'c', version: '1' };
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return client.ask(method, params);
}

const tool = (name: string, args: object = {}) => ['tools/call', { name, arguments: args }] as const;

describe('erlmcp', () => {
  it.each([
    [tool('nope'), { code: -32002, message: 'Tool not found', data: { tool: 'nope' } }],
    [
      tool('fails'),
      { code: -32031, message: 'Tool execution failed', data: { tool: 'fails', reason: 'Internal error' } },
    ],
    [
      tool('hangs'),
      { code: -32032, message: 'Tool execution timeout', data: { tool: 'hangs', timeout_ms: 60 } },
    ],
    [
      ['resources/read', {}],
      { code: -32602, message: 'Invalid params', data: { details: 'Missing required parameter: uri' } },
    ],
    [['resources/read', { uri: 'note://hello' }], { code: -32603, message: 'Internal error' }],
    [
      ['prompts/get', { name: 'greet' }],
      { code: -32043, message: 'Prompt argument missing', data: { prompt: 'greet', argument: 'name' } },
    ],
    [['no/such', {}], { code: -32601, message: 'Method not found', data: { method: 'no/such' } }],
  ] as const)('%j', async ([method, params], error) => {
    expect((await asked('erlmcp', method, params)).error).toEqual(error);
  });

  it('serves nothing before the handshake', async () => {
    const server = guard(new McpServer({ name: 's', version: '1' }), { dialect: 'erlmcp' });
    server.registerTool('t', {}, async () => ({ content: [] }));
    const client = await connectRaw(server);
    expect((await client.ask('tools/list')).error).toEqual({
      code: -32005,
      message: 'Server not initialized',
      data: { phase: 'pre_initialization' },
    });
    expect((await client.ask('ping')).result).toEqual({});
  });
});

describe('onx', () => {
  it.each([
    [tool('book', { seats: 'x' }), { code: -32602, message: 'Invalid params', data: { field: 'seats' } }],
    [['tools/call', {}], { code: -32602, message: 'Invalid params' }],
    [['resources/read', { uri: 'note://hello' }], { code: -32603, message: 'Internal error' }],
    [['prompts/get', { name: 'greet' }], { code: -32602, message: 'Invalid params' }],
    [['no/such', {}], { code: -32601, message: 'Method not found' }],
    [
      tool('nope'),
      { code: -32602, message: 'Invalid params', data: { field: 'name', reason: 'unknown_tool' } },
    ],
  ] as const)('%j', async ([method, params], error) => {
    const answer = await asked('onx', method, params);
    expect(answer.error).toMatchObject(error);
    expect(answer).not.toHaveProperty('result');
  });

  it('keeps what happens in a tool inside the result', async () => {
    const { result } = await asked('onx', ...tool('fails'));
    expect(result?.['error']).toMatchObject({ code: 4001, retryable: false });
  });
});

describe('onx, when a backend failed', () => {
  it.each([
    [{}, false],
    [{ retryable: true }, true],
    [{ retryable: false }, false],
  ])('EM-19 is worth another try only when the author says so: %j', async (args, retryable) => {
    const { result } = await asked('onx', ...tool('upstream', args));
    expect(result?.['error']).toMatchObject({ code: 4001, retryable });
  });
});

describe('platica', () => {
  it.each([
    [tool('fails'), -32603],
    [tool('nope'), -32602],
    [['tools/call', {}], -32602],
    [['resources/read', { uri: 'note://hello' }], -32603],
  ] as const)('%j is %i, and two members', async ([method, params], code) => {
    const { error } = await asked('platica', method, params);
    expect(error).toEqual({ code, message: expect.any(String) });
  });
});

describe('qaqnuz', () => {
  it('names every issue in its one text', async () => {
    const { result } = await asked('qaqnuz', ...tool('book'));
    expect(result).toEqual({
      content: [{ type: 'text', text: 'Invalid arguments for tool book: seats: required, expected number' }],
      isError: true,
    });
  });

  it('tells nothing of a tool that is not there', async () => {
    expect((await asked('qaqnuz', ...tool('nope'))).result).toEqual({
      content: [{ type: 'text', text: 'This tool is not available for your key.' }],
      isError: true,
    });
  });

  it('is a plain error outside of tools', async () => {
    expect((await asked('qaqnuz', 'resources/read', { uri: 'note://hello' })).error).toEqual({
      code: -32603,
      message: 'Internal error',
    });
  });
});

describe('closient', () => {
  it('has a problem document at the top for a request that is wrong as such', async () => {
    const { error } = await asked('closient', 'tools/call', {});
    expect(error).toMatchObject({
      code: -32100,
      message: 'Bad Request',
      data: { error_code: 'bad_request' },
    });
  });

  it('CL-20 says what is wrong with a request in words, and leaves fields to validation', async () => {
    const { error } = await asked('closient', 'tools/call', { name: 7 });
    const data = error?.data as { readonly [member: string]: unknown };
    expect(data['detail']).toMatch(/^Invalid parameters for tools\/call; .*name/);
    expect(data).not.toHaveProperty('errors');
  });

  it('has one at the top for what is no tool', async () => {
    const answer = await asked('closient', 'resources/read', { uri: 'note://hello' });
    expect(answer.error).toMatchObject({ code: -32300, data: { error_code: 'internal_error' } });
    expect(answer).not.toHaveProperty('result');
  });

  it('has one in the result for a tool', async () => {
    const { result } = await asked('closient', ...tool('nope'));
    expect(result?.['error']).toMatchObject({ code: -32200, data: { error_code: 'not_found' } });
  });
});

it('ER-56 erlmcp refuses a handshake with a revision that nobody serves', async () => {
  const client = await connectRaw(guard(new McpServer({ name: 's', version: '1' }), { dialect: 'erlmcp' }));
  const params = { protocolVersion: '2020-01-01', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const { error } = await client.ask('initialize', params);
  expect(error).toMatchObject({
    code: -32061,
    message: 'Unsupported protocol version',
    data: { requested_version: '2020-01-01', supported_versions: expect.arrayContaining(['2025-11-25']) },
  });
});
