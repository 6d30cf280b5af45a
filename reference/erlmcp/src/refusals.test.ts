import { describe, expect, it } from 'vitest';
import { localClient, memberClient } from '../test/app.ts';
import type { Said } from '../test/provoke/raw-client.ts';
import { connect } from './connection.ts';

const long = 'x'.repeat(300);
const cut = `${'x'.repeat(199)}…`;
const complete = (ref: unknown, argument: unknown) => ['completion/complete', { ref, argument }] as const;
const ESSAY = { type: 'ref/prompt', name: 'write_essay' };
const tool = (name: string, args: unknown, more: object = {}) =>
  ['tools/call', { name, arguments: args, ...more }] as const;
const CALCULATE = { name: 'calculate', arguments: { a: 1, b: 1 } };
const MAX_TTL = 'integer from 1 to 86400000';

/** Everything that a method has against what it is given: the request, the code, and the data of the document. */
const REFUSALS: readonly (readonly [request: readonly [string, object?], code: number, data: unknown])[] = [
  [['nothing/here'], -32601, { method: 'nothing/here' }],
  [[long], -32601, { method: cut }],
  [['logging/setLevel'], -32004, { capability: 'logging' }],
  [['initialize'], -32600, 'Already initialized'],
  [['ping', { _meta: [] }], -32602, { details: 'Invalid parameter type: _meta must be an object' }],
  [['ping', { _meta: { progressToken: 1.5 } }], -32091, { progressToken: 1.5 }],
  [['ping', { _meta: { progressToken: {} } }], -32091, { progressToken: {} }],
  [['ping', { _meta: { progressToken: [long] } }], -32091, { progressToken: 'object' }],
  [['experimental/progress/get', {}], -32091, undefined],
  [['experimental/progress/get', { progressToken: long }], -32091, { progressToken: 'x'.repeat(200) }],
  [['tools/list', { cursor: 7 }], -32602, { details: 'Invalid parameter type: cursor must be a string' }],
  [['tools/list', { cursor: 'page-1-1-x' }], -32071, { cursor: 'page-1-1-x' }],
  [['tools/list', { cursor: 'page-0-0-0000000000000000' }], -32071, { cursor: 'page-0-0-0000000000000000' }],
  [['completion/complete', {}], -32602, { details: 'Missing required parameter: ref' }],
  [['tools/call', {}], -32602, { details: 'Missing required parameter: name' }],
  [['tools/call', { name: 7 }], -32602, { details: 'Invalid parameter type: name must be a string' }],
  [tool('calculate', []), -32602, { details: 'Invalid parameter type: arguments must be an object' }],
  [tool(long, {}), -32002, { tool: cut }],
  [
    tool('calculate', { b: 'x', c: 1 }),
    -32034,
    {
      tool: 'calculate',
      details:
        'Missing required parameter: a; b: Invalid input: expected number, received string; Unrecognized key: "c"',
    },
  ],
  [
    tool('calculate', { a: 1, b: 0, operation: 'divide' }),
    -32031,
    { tool: 'calculate', reason: 'division_by_zero' },
  ],
  [tool('wait', { ms: -1 }), -32034, expect.objectContaining({ tool: 'wait' })],
  [tool('wait', { ms: 600_001 }), -32034, expect.objectContaining({ tool: 'wait' })],
  [
    tool('delete_note', { name: 'a b' }),
    -32034,
    { tool: 'delete_note', details: 'name: must be 1 to 64 letters, digits, dashes or underscores' },
  ],
  [tool('delete_note', { name: 'x'.repeat(65) }), -32034, expect.objectContaining({ tool: 'delete_note' })],
  [tool('delete_note', { name: 'none' }), -32001, { uri: 'note://none' }],
  [
    tool('import_note', { name: 'a', path: '' }),
    -32052,
    { operation: 'tools/call:import_note', required_role: 'member' },
  ],
  [
    tool('delete_tool', { name: 'a' }),
    -32052,
    { operation: 'tools/call:delete_tool', required_role: 'admin' },
  ],
  [
    tool('define_tool', { name: 'A', description: '', text: '' }),
    -32034,
    { tool: 'define_tool', details: 'name: must be 1 to 64 of a-z, 0-9 and _' },
  ],
  [
    tool('announce', { uri: 'note://none' }),
    -32094,
    { notification_type: 'resources/updated', reason: 'subscriber_not_found' },
  ],
  [tool('summarize_note', { name: 'none' }), -32001, { uri: 'note://none' }],
  [tool('save_note', { name: 'a', text: '', mimeType: long }), -32013, { content_type: cut }],
  [tool('save_note', { name: 'a', blob: '//8=' }), -32015, { encoding: 'utf-8', position: 0 }],
  [
    tool('save_note', { name: 'a' }),
    -32034,
    { tool: 'save_note', details: expect.stringContaining('give either text or blob') },
  ],
  [
    tool('save_note', { name: 'a', text: 'a', blob: 'YQ==' }),
    -32034,
    { tool: 'save_note', details: expect.stringContaining('give either text or blob') },
  ],
  [tool('save_note', { name: 'a', blob: '?' }), -32034, expect.objectContaining({ tool: 'save_note' })],
  [
    ['tools/call', { ...CALCULATE, task: 7 }],
    -32602,
    { details: 'Invalid parameter type: task must be an object' },
  ],
  [
    ['tools/call', { ...CALCULATE, task: { ttl: '7' } }],
    -32602,
    { details: 'Invalid parameter type: task.ttl must be a number' },
  ],
  ...[0, -1, 1.5, 86_400_001].map(
    (ttl) =>
      [
        ['tools/call', { ...CALCULATE, task: { ttl } }],
        -32007,
        { field: 'task.ttl', constraint: MAX_TTL },
      ] as const,
  ),
  [['tasks/get', { taskId: long }], -32081, { taskId: cut }],
  [['tasks/result', { taskId: 'none' }], -32081, { taskId: 'none' }],
  [['tasks/cancel', {}], -32602, { details: 'Missing required parameter: taskId' }],
  [['experimental/tasks/watch', { taskId: long }], 1095, { taskId: cut }],
  [['resources/read', { uri: '{}' }], -32021, { uri_template: '{}' }],
  [['resources/read', { uri: 'none://{x}' }], -32021, { uri_template: 'none://{x}' }],
  [
    ['resources/read', { uri: 'note://{name}' }],
    -32029,
    { uri_template: 'note://{name}', reason: 'missing_variable: name' },
  ],
  [['resources/read', { uri: `note://${long}` }], -32001, { uri: `note://${'x'.repeat(192)}…` }],
  [['resources/read', { uri: 'note://%ff' }], -32001, { uri: 'note://%ff' }],
  [['resources/read', { uri: 'mirror://a' }], -32001, { uri: 'mirror://a' }],
  [
    ['resources/read', { uri: 'audit://logins' }],
    -32025,
    { uri: 'audit://logins', required_permission: 'read:audit' },
  ],
  [
    ['resources/read', { uri: 'log://2026-13-45' }],
    -32029,
    { uri_template: 'log://{date}', reason: 'invalid_variable: date' },
  ],
  [
    ['resources/read', { uri: 'log://15 Nov 2026'.replaceAll(' ', '%20') }],
    -32029,
    { uri_template: 'log://{date}', reason: 'invalid_variable: date' },
  ],
  [['resources/subscribe', { uri: 'none://x' }], -32006, { uri: 'none://x', reason: 'resource_not_found' }],
  [
    ['resources/subscribe', { uri: 'audit://logins' }],
    -32025,
    { uri: 'audit://logins', required_permission: 'read:audit' },
  ],
  [['resources/subscribe', { uri: 'x' }], -32022, { uri: 'x', reason: 'missing_scheme' }],
  [['resources/unsubscribe', { uri: 'note://a' }], -32006, { uri: 'note://a', reason: 'not_subscribed' }],
  [['prompts/get', { name: long }], -32003, { prompt: cut }],
  [['prompts/get', { name: 'write_essay' }], -32043, { prompt: 'write_essay', argument: 'topic' }],
  [
    ['prompts/get', { name: 'write_essay', arguments: { topic: 'x', tone: 7 } }],
    -32602,
    { details: 'Invalid parameter type: arguments.tone must be a string' },
  ],
  [
    ['prompts/get', { name: 'review_note', arguments: { note: 'none' } }],
    -32044,
    { prompt: 'review_note', reason: 'note_not_found' },
  ],
  [complete(undefined, {}), -32602, { details: 'Missing required parameter: ref' }],
  [complete(null, {}), -32111, { reference: 'object' }],
  [complete([], {}), -32111, { reference: 'object' }],
  [complete({ type: 'ref/tool', name: 'x' }, {}), -32111, { reference: 'ref/tool' }],
  [complete({ type: 'ref/tool', uri: 'x' }, {}), -32111, { reference: 'ref/tool' }],
  [complete({ type: 'ref/prompt' }, {}), -32111, { reference: 'ref/prompt' }],
  [complete({ type: 'ref/resource' }, {}), -32111, { reference: 'ref/resource' }],
  [complete({ type: 'ref/prompt', name: long }, {}), -32110, { completionId: cut }],
  [complete({ type: 'ref/resource', uri: 'none://{x}' }, {}), -32110, { completionId: 'none://{x}' }],
  [complete(ESSAY, undefined), -32112, { argument: '', details: 'argument must be an object' }],
  [complete(ESSAY, { value: '' }), -32112, { argument: '', details: 'argument.name must be a string' }],
  [
    complete(ESSAY, { name: 'tone' }),
    -32112,
    { argument: 'tone', details: 'argument.value must be a string' },
  ],
  [
    complete(ESSAY, { name: 'x', value: '' }),
    -32112,
    { argument: 'x', details: 'write_essay has no such argument' },
  ],
  [['auth/login', {}], -32602, { details: 'Missing required parameter: user' }],
  [
    ['auth/login', { user: 'x', password: 7 }],
    -32602,
    { details: 'Invalid parameter type: password must be a string' },
  ],
  [['auth/login', { user: 'x', password: 'x' }], -32053, undefined],
  [['auth/authenticate', { token: 'x' }], -32051, { reason: 'invalid_token' }],
];

describe('a method', () => {
  it.each(REFUSALS)('refuses %j with %i', async ([method, params], code, data) => {
    const { call } = await localClient();
    const { error, result } = await call(method, params);
    expect([result, error?.code, error?.data]).toEqual([undefined, code, data]);
  });
});

describe('a client that has not come in yet', () => {
  const hello = (more: object = {}) => ({
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
    ...more,
  });

  it.each([
    [
      'initialize',
      hello({ protocolVersion: undefined }),
      -32602,
      { details: 'Missing required parameter: protocolVersion' },
    ],
    [
      'initialize',
      hello({ protocolVersion: '2024-11-05' }),
      -32061,
      { requested_version: '2024-11-05', supported_versions: ['2025-11-25', '2025-06-18'] },
    ],
    ['initialize', hello({ capabilities: [] }), -32063, { reason: 'capabilities_not_an_object' }],
    ['initialize', hello({ capabilities: { tools: 7 } }), -32063, { reason: 'not_an_object: tools' }],
    [
      'initialize',
      hello({ clientInfo: undefined }),
      -32602,
      { details: 'Missing required parameter: clientInfo' },
    ],
    [
      'initialize',
      hello({ clientInfo: { name: '' } }),
      -32007,
      { field: 'clientInfo.name', constraint: 'not_empty' },
    ],
    ['tools/list', {}, -32005, { phase: 'pre_initialization' }],
    ['tasks/nothing', {}, -32601, { method: 'tasks/nothing' }],
  ])('is told at %s, %j: %i', async (method, params, code, data) => {
    const { app } = await localClient();
    const { receive } = connect(app, 'stranger', () => true);
    const { error } = (await receive({ jsonrpc: '2.0', id: 1, method, params })) as Said;
    expect([error?.code, error?.data]).toEqual([code, data]);
  });
});

describe('a member that defines a tool', () => {
  it('is refused the name of one of the server', async () => {
    const { call } = await memberClient();
    const { error } = await call(...tool('define_tool', { name: 'calculate', description: '', text: '' }));
    const data = { tool: 'define_tool', details: 'name: is taken by another tool' };
    expect([error?.code, error?.data]).toEqual([-32034, data]);
  });
});
