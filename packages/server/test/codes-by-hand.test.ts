/** Authors who know their document throw its codes with the SDK's own errors: what it says of them stays to the letter. */
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { McpServer, ProtocolError } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { connectRaw } from './wire.ts';

const clientInfo = { name: 'c', version: '1' };
type Asked = Awaited<ReturnType<Awaited<ReturnType<typeof connectRaw>>['ask']>>;

async function answers(dialect: 'closient' | 'erlmcp' | 'onx', thrown: Error): Promise<readonly Asked[]> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
  const fail = async (): Promise<never> => {
    throw thrown;
  };
  server.registerTool('t', {}, fail);
  server.registerResource('r', 'r://r', {}, fail);
  const wire = await connectRaw(server as never);
  await wire.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const called = await wire.ask('tools/call', { name: 't', arguments: {} });
  return [called, await wire.ask('resources/read', { uri: 'r://r' })];
}

// biome-ignore format: a table
const ERLMCP: readonly (readonly [number, string, object])[] = [
  [-32002, 'Tool not found', { tool: 'nonexistent_tool' }],
  [-32001, 'Resource not found', { uri: 'mcp://nonexistent' }],
  [-32003, 'Prompt not found', { prompt: 'nonexistent_prompt' }],
  [-32004, 'Capability not supported', { capability: 'completions' }],
  [-32005, 'Server not initialized', { phase: 'pre_initialization' }],
  [-32006, 'Subscription failed', { uri: 'mcp://config', reason: 'already_subscribed' }],
  [-32007, 'Validation failed', { field: 'uri', constraint: 'valid_uri' }],
  [-32008, 'Transport error', { reason: 'connection_reset' }],
  [-32009, 'Request timeout', { timeout_ms: 30000, elapsed_ms: 30001 }],
  [-32010, 'Rate limit exceeded', { limit: 100, window: 60, retry_after: 30 }],
  [-32011, 'Tool description exceeds maximum length', { actual_length: 15000, max_length: 10000 }],
  [-32012, 'Message size exceeds maximum allowed', { actual_size: 20971520, max_size: 16777216, unit: 'bytes' }],
  [-32013, 'Invalid content type', { content_type: 'application/xml' }],
  [-32015, 'Invalid encoding', { encoding: 'utf-8', position: 1234 }],
  [-32021, 'Resource template not found', { uri_template: 'logs://{date}' }],
  [-32022, 'Invalid URI', { uri: 'not-a-valid-uri', reason: 'missing_scheme' }],
  [-32025, 'Resource access denied', { uri: 'file:///etc/passwd', required_permission: 'read:protected' }],
  [-32029, 'Template render failed', { uri_template: 'logs://{date}', reason: 'missing_variable: date' }],
  [-32031, 'Tool execution failed', { tool: 'database_query', reason: 'connection_timeout' }],
  [-32032, 'Tool execution timeout', { tool: 'long_operation', timeout_ms: 30000 }],
  [-32033, 'Tool execution cancelled', { tool: 'long_operation', reason: 'user_requested' }],
  [-32034, 'Invalid tool arguments', { tool: 'calculate', details: 'Missing required parameter: b' }],
  [-32043, 'Prompt argument missing', { prompt: 'write_essay', argument: 'topic' }],
  [-32046, 'Sampling failed', { reason: 'model_unavailable' }],
  [-32051, 'Authentication failed', { reason: 'invalid_token' }],
  [-32052, 'Authorization failed', { operation: 'tools/call:admin_tool', required_role: 'admin' }],
  [-32054, 'Token expired', { expired_at: 1640995200 }],
  [-32061, 'Unsupported protocol version', { requested_version: '2020-01-01', supported_versions: ['2025-11-25'] }],
  [-32071, 'Invalid cursor', { cursor: 'invalid_cursor_string' }],
  [-32072, 'Cursor expired', { cursor: 'expired_cursor', ttl_seconds: 300 }],
  [-32081, 'Task not found', { taskId: 'task-123' }],
  [-32083, 'Task failed', { taskId: 'task-123', reason: 'dependency_failed' }],
  [-32091, 'Invalid progress token', { progressToken: 'invalid_token' }],
  [-32094, 'Notification failed', { notification_type: 'resources/updated', reason: 'subscriber_not_found' }],
];

describe('ER-54 what erlmcp says of its codes', () => {
  it.each(ERLMCP)('%i %s', async (code, message, data) => {
    for (const thrown of [new ProtocolError(code, message, data), new McpError(code, message, data)]) {
      for (const { error } of await answers('erlmcp', thrown))
        expect(error).toMatchObject({ code, message, data });
    }
  });
});

/** What a refusing code would deny. */
const MAYBE = { 'dev.mayday/error': { happened: 'maybe' } };

describe("ER-20 ER-21 ER-22 what erlmcp says beside JSON-RPC's own codes", () => {
  const asked = async (code: number, message: string, data: unknown): Promise<readonly Asked['error'][]> => {
    const thrown = [new ProtocolError(code, message, data), new McpError(code, message, data)];
    const all = await Promise.all(thrown.map((each) => answers('erlmcp', each)));
    return all.flat().map(({ error }) => error);
  };

  it('keeps what is wrong with the parameters', async () => {
    const details = 'Missing required parameter: uri';
    const errors = await asked(-32602, 'Invalid params', { details });
    const said = { details, ...MAYBE };
    const inTool = { code: -32034, message: 'Invalid tool arguments', data: { tool: 't', ...said } };
    const elsewhere = { code: -32602, message: 'Invalid params', data: said };
    expect(errors).toEqual([inTool, elsewhere, inTool, elsewhere]);
  });

  it.each([
    [-32700, 'Parse error', 'Unexpected token at position 42'],
    [-32600, 'Invalid Request', 'Missing required field: method'],
  ])('%i keeps the text that was said', async (code, message, data) => {
    const [inTool, elsewhere] = await asked(code, message, data);
    expect(inTool).toEqual({
      code: -32034,
      message: 'Invalid tool arguments',
      data: { tool: 't', details: data, ...MAYBE },
    });
    expect(elsewhere).toEqual({ code, message, data: { details: data, ...MAYBE } });
  });

  it.each([
    [-32700, 'Parse error'],
    [-32600, 'Invalid Request'],
  ])(
    '%i has no member that the document does not have, where nothing was said beside it',
    async (code, message) => {
      const [, elsewhere] = await asked(code, message, undefined);
      expect(elsewhere).toEqual({ code, message, data: { details: message, ...MAYBE } });
    },
  );
});

it('CL-8 CL-12 keeps a problem document, with what is new in it', async () => {
  const problem = {
    type: 'https://closient.com/docs/errors/not_found',
    title: 'Not Found',
    status: 404,
    detail: 'No dish 7',
    error_code: 'not_found',
    retryable: false,
    dish: 7,
  };
  const [called] = await answers('closient', new ProtocolError(-32200, 'Not Found', problem));
  expect(called?.result?.['error']).toMatchObject({ code: -32200, message: 'Not Found', data: problem });
});

it('EM-35 EM-36 keeps the code of a field that is missing, and the field', async () => {
  const thrown = new ProtocolError(2002, 'Required field missing', { field: 'guests' });
  const [called] = await answers('onx', thrown);
  expect(called?.result?.['error']).toMatchObject({ code: 2002, details: { field: 'guests' } });
});

it.each([
  [
    'closient',
    -32202,
    'Gone off',
    {
      error_code: 'gone_off',
      status: 410,
      type: 'https://closient.com/docs/errors/gone_off',
      title: 'Gone off',
      detail: 'Dish 7 went off',
      retryable: false,
    },
  ],
] as const)('CL-26 CL-27 a code that is new in a range of %s stays', async (dialect, code, message, data) => {
  const [called] = await answers(dialect, new ProtocolError(code, message, data));
  expect(called?.result?.['error']).toMatchObject({ code, message, data });
});

describe('CL-26 EM-10 a failing result in the form of the document', () => {
  const gone = {
    status: 410,
    title: 'Gone off',
    error_code: 'gone_off',
    detail: 'No dish 7',
    retryable: false,
  };
  const data = { ...gone, type: 'https://closient.com/docs/errors/gone_off', dish: 7 };
  it.each([
    ['onx', { code: 3050, message: 'Kitchen closed', retryable: false, details: { reason: 'closed' } }],
    ['onx', { code: 3002, message: 'Order is on its way', retryable: false, details: { reason: 'shipped' } }],
    ['closient', { code: -32202, message: 'Gone off', data }],
  ] as const)('%s: %j', async (dialect, error) => {
    const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
    const result = { isError: true, content: [{ type: 'text', text: error.message }], error };
    server.registerTool('t', {}, async () => result as never);
    const wire = await connectRaw(server as never);
    const answer = await wire.ask('tools/call', { name: 't', arguments: {} });
    expect(answer.result?.['error']).toMatchObject(error);
    expect(answer.result).not.toHaveProperty('_meta');
  });
});

describe('a text without end beside a code has one', () => {
  const long = 'x'.repeat(300_000);
  const problem = {
    type: 'https://closient.com/docs/errors/not_found',
    title: 'Not Found',
    status: 404,
    detail: 'No dish 7',
    error_code: 'not_found',
    retryable: false,
    dish: { story: long },
  };

  it.each([
    ['erlmcp', new ProtocolError(-32603, 'Down', { trace: [long] })],
    ['erlmcp', new ProtocolError(-32031, 'Tool execution failed', { tool: 't', reason: long })],
    ['closient', new ProtocolError(-32200, 'Not Found', problem)],
    ['onx', new ProtocolError(-32603, 'Down', { trace: long })],
  ] as const)('%s: %s', async (dialect, thrown) => {
    const [called, read] = (await answers(dialect, thrown)).map((answer) => JSON.stringify(answer));
    expect(called).toContain('… [200,000 more characters]');
    expect(Math.max(called?.length ?? 0, read?.length ?? 0)).toBeLessThan(250_000);
  });
});
