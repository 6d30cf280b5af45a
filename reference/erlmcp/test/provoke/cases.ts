/** One real condition for each documented code. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Said } from './raw-client.ts';
import type { Rig } from './rig.ts';

/** How to provoke a code. */
export interface Case {
  readonly code: number;
  readonly how: string;
  run(rig: Rig): Promise<Said>;
}

/** A case that is a single request. */
function request(code: number, how: string, method: string, params?: object): Case {
  return { code, how, run: ({ client }) => client.call(method, params) };
}

/** A case that is a single call of a tool. */
function tool(code: number, how: string, name: string, args: object = {}): Case {
  return request(code, how, 'tools/call', { name, arguments: args });
}

/** A case that is a single line on standard input. */
function line(code: number, how: string, bytes: string | Buffer): Case {
  return {
    code,
    how,
    run({ client }) {
      client.raw(bytes);
      return client.answerTo(null);
    },
  };
}

function initialize(code: number, how: string, params: object): Case {
  const rest = { capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  return {
    code,
    how,
    run: ({ stranger }) => stranger.call('initialize', { protocolVersion: '2025-11-25', ...rest, ...params }),
  };
}

/** Starts a task and gives its id. */
async function startTask({ client }: Rig, name: string, args: object): Promise<string> {
  const { result = {} } = await client.call('tools/call', { name, arguments: args, task: {} });
  return (result['task'] as { readonly taskId: string }).taskId;
}

const LIMIT = 16 * 1024 * 1024;
const NOT_UTF8 = Buffer.from([0x68, 0x69, 0xff]);

/** JSON-RPC, core and content. */
const BASICS: readonly Case[] = [
  line(-32700, 'send a line that is no JSON', '{"jsonrpc": "2.0", "id": 1,}'),
  line(-32600, 'send a request without `method`', '{"jsonrpc": "2.0"}'),
  request(-32601, 'call a method that does not exist', 'nonexistent/method'),
  request(-32602, '`resources/read` without `uri`', 'resources/read', {}),
  {
    code: -32603,
    how: 'start a task while another process holds the database',
    run: (rig) =>
      rig.whileLocked(() => rig.client.call('tools/call', { name: 'wait', arguments: { ms: 0 }, task: {} })),
  },
  request(-32001, 'read a note that does not exist', 'resources/read', { uri: 'note://nonexistent' }),
  tool(-32002, 'call a tool that does not exist', 'nonexistent_tool'),
  request(-32003, 'get a prompt that does not exist', 'prompts/get', { name: 'nonexistent_prompt' }),
  request(-32004, '`logging/setLevel`, a capability that is not declared', 'logging/setLevel', {
    level: 'info',
  }),
  {
    code: -32005,
    how: '`tools/list` before `initialize`',
    run: ({ stranger }) => stranger.call('tools/list'),
  },
  {
    code: -32006,
    how: 'subscribe twice',
    async run({ client }) {
      await client.call('resources/subscribe', { uri: 'config://server' });
      return client.call('resources/subscribe', { uri: 'config://server' });
    },
  },
  request(-32007, 'start a task with a negative `ttl`', 'tools/call', {
    name: 'wait',
    arguments: { ms: 0 },
    task: { ttl: -1 },
  }),
  request(-32008, 'read a page of a mirrored server that hangs up', 'resources/read', {
    uri: 'mirror://page',
  }),
  request(-32009, 'read a page of a mirrored server that never answers', 'resources/read', {
    uri: 'mirror://slow',
  }),
  {
    code: -32010,
    how: 'send one request more than `--rate-limit 2` allows',
    async run(rig) {
      const client = rig.fresh('--rate-limit', '2');
      await client.initialize();
      await client.call('ping');
      return client.call('ping');
    },
  },
  tool(-32011, 'define a tool with a description of 10,001 characters', 'define_tool', {
    name: 'long',
    description: 'x'.repeat(10_001),
    text: '',
  }),
  {
    code: -32012,
    how: 'send a message of 16,777,217 bytes',
    run({ client }) {
      client.raw(Buffer.alloc(LIMIT + 1, 0x20));
      return client.answerTo(null);
    },
  },
  tool(-32013, 'save a note of a type that is not supported', 'save_note', {
    name: 'a',
    text: '<a/>',
    mimeType: 'application/xml',
  }),
  tool(-32014, 'save a note beyond `--max-content-bytes 1000`', 'save_note', {
    name: 'a',
    text: 'é'.repeat(501),
  }),
  tool(-32015, 'save a text note whose bytes are no UTF-8', 'save_note', {
    name: 'a',
    blob: NOT_UTF8.toString('base64'),
  }),
];

/** Resources, tools and prompts. */
const FEATURES: readonly Case[] = [
  request(-32021, 'read a template that does not exist', 'resources/read', { uri: 'metrics://{day}' }),
  request(-32022, 'read a URI without a scheme', 'resources/read', { uri: 'not-a-valid-uri' }),
  request(-32023, 'read a URI with a space', 'resources/read', { uri: 'note://a b' }),
  request(-32025, 'read the audit log as a guest', 'resources/read', { uri: 'audit://logins' }),
  request(-32029, 'read a template without filling it in', 'resources/read', { uri: 'log://{date}' }),
  tool(-32031, 'divide by zero', 'calculate', { a: 1, b: 0, operation: 'divide' }),
  tool(-32032, 'wait for longer than `--tool-timeout-ms 1500`', 'wait', { ms: 60_000 }),
  {
    code: -32033,
    how: 'send `notifications/cancelled` for a running call',
    run({ client }) {
      const requestId = client.post('tools/call', { name: 'wait', arguments: { ms: 60_000 } });
      client.raw(
        JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }),
      );
      return client.answerTo(requestId);
    },
  },
  tool(-32034, 'call a tool without a required argument', 'calculate', { a: 1 }),
  request(-32043, 'get a prompt without a required argument', 'prompts/get', { name: 'write_essay' }),
  request(-32044, 'get a prompt about a note that does not exist', 'prompts/get', {
    name: 'review_note',
    arguments: { note: 'nonexistent' },
  }),
  {
    code: -32046,
    how: 'let the user decline sampling',
    async run({ client }) {
      client.answers.set('sampling/createMessage', () => ({ error: { code: -1, message: 'No' } }));
      await client.call('tools/call', { name: 'save_note', arguments: { name: 'long', text: 'Long' } });
      return client.call('tools/call', { name: 'summarize_note', arguments: { name: 'long' } });
    },
  },
];

/** Who calls, in which version, and in which pages. */
const CALLERS: readonly Case[] = [
  request(-32051, 'sign in with a token that nobody has', 'auth/authenticate', { token: 'made-up' }),
  tool(-32052, 'call a tool for administrators as a guest', 'delete_tool', { name: 'x' }),
  request(-32053, 'log in with a wrong password', 'auth/login', { user: 'ada', password: 'wrong' }),
  {
    code: -32054,
    how: 'sign in with a token that lived for `--token-ttl-ms 1`',
    async run(rig) {
      const client = rig.fresh('--token-ttl-ms', '1');
      await client.initialize();
      rig.users.add('ada', 'member', 'correct horse');
      const { result } = await client.call('auth/login', { user: 'ada', password: 'correct horse' });
      await delay(2);
      return client.call('auth/authenticate', { token: result?.['token'] });
    },
  },
  {
    code: -32056,
    how: 'log in to an account that is suspended',
    run({ client, users }) {
      users.add('bob', 'member', 'battery staple');
      users.suspend('bob', true);
      return client.call('auth/login', { user: 'bob', password: 'battery staple' });
    },
  },
  initialize(-32061, 'initialize with a version that is not supported', { protocolVersion: '2020-01-01' }),
  request(-32062, 'name another version than the one that was agreed on', 'ping', {
    _meta: { 'io.modelcontextprotocol/protocolVersion': '2025-06-18' },
  }),
  initialize(-32063, 'initialize with a capability that is no object', { capabilities: { sampling: true } }),
  request(-32071, 'use a cursor that the server never gave', 'tools/list', {
    cursor: 'invalid_cursor_string',
  }),
  {
    code: -32072,
    how: 'use a cursor after `--cursor-ttl-ms 1`',
    async run({ client }) {
      const { result } = await client.call('tools/list');
      await delay(2);
      return client.call('tools/list', { cursor: result?.['nextCursor'] });
    },
  },
];

/** What goes on in the background, and what is experimental. */
const BACKGROUND: readonly Case[] = [
  request(-32081, 'get a task that does not exist', 'tasks/get', { taskId: 'task-123' }),
  {
    code: -32083,
    how: 'ask for the result of a task that failed',
    async run(rig) {
      const taskId = await startTask(rig, 'calculate', { a: 1, b: 0, operation: 'divide' });
      return rig.client.call('tasks/result', { taskId });
    },
  },
  {
    code: -32084,
    how: 'ask for the result of a task that was cancelled',
    async run(rig) {
      const taskId = await startTask(rig, 'wait', { ms: 60_000 });
      await rig.client.call('tasks/cancel', { taskId });
      return rig.client.call('tasks/result', { taskId });
    },
  },
  {
    code: -32085,
    how: 'ask for the result of a task that took longer than `--task-timeout-ms 900`',
    async run(rig) {
      const taskId = await startTask(rig, 'wait', { ms: 60_000 });
      return rig.client.call('tasks/result', { taskId });
    },
  },
  request(-32091, 'send a progress token that is an object', 'ping', { _meta: { progressToken: {} } }),
  {
    code: -32092,
    how: 'ask how far a request is that ended more than `--progress-ttl-ms 1` ago',
    async run({ client }) {
      await client.call('ping', { _meta: { progressToken: 'p1' } });
      await delay(2);
      return client.call('experimental/progress/get', { progressToken: 'p1' });
    },
  },
  tool(-32094, 'announce a change that nobody subscribed to', 'announce', { uri: 'note://quiet' }),
  request(-32110, 'complete an argument of a prompt that does not exist', 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'nonexistent' },
    argument: { name: 'topic', value: '' },
  }),
  request(-32111, 'complete a reference of an unknown type', 'completion/complete', {
    ref: { type: 'ref/tool', name: 'wait' },
    argument: { name: 'ms', value: '' },
  }),
  request(-32112, 'complete an argument that the prompt does not have', 'completion/complete', {
    ref: { type: 'ref/prompt', name: 'write_essay' },
    argument: { name: 'colour', value: '' },
  }),
  request(-32113, 'complete a path of a mirrored server that hangs up', 'completion/complete', {
    ref: { type: 'ref/resource', uri: 'mirror://{path}' },
    argument: { name: 'path', value: '' },
  }),
  {
    code: 1090,
    how: 'let the user decline to open a page',
    run({ client }) {
      client.answers.set('elicitation/create', () => ({ result: { action: 'decline' } }));
      return client.call('tools/call', { name: 'link_account' });
    },
  },
  {
    code: 1091,
    how: 'leave the page unanswered for `--client-timeout-ms 1000`',
    run({ client }) {
      client.answers.delete('elicitation/create');
      return client.call('tools/call', { name: 'link_account' });
    },
  },
  request(1095, 'watch a task that does not exist', 'experimental/tasks/watch', { taskId: 'task-123' }),
];

/** All 56. */
export const CASES: readonly Case[] = [...BASICS, ...FEATURES, ...CALLERS, ...BACKGROUND];
