import { setTimeout as pause } from 'node:timers/promises';
import type { Message, Wire } from '../../acceptance/wire.ts';
import { startTask, suspendUser, type World, whileLocked } from './world.ts';

type Provoke = (world: World) => Promise<Message>;

const call = (world: World, name: string, args: Wire = {}, more: Wire = {}): Promise<Message> =>
  world.pipe.request('tools/call', { name, arguments: args, ...more });
const read = (world: World, uri: Wire): Promise<Message> => world.pipe.request('resources/read', { uri });

async function firstAnswerTo(world: World, bytes: string): Promise<Message> {
  const before = world.pipe.received.length;
  world.pipe.send(bytes);
  return world.pipe.find((message) => world.pipe.received.indexOf(message) >= before && message.id === null);
}

async function whileMirror(world: World, reply: 'reset' | 'hang', run: Provoke): Promise<Message> {
  world.mirror.reply = () => reply;
  return run(world);
}

async function taskResult(world: World, taskId: string): Promise<Message> {
  await pause(700);
  return world.pipe.request('tasks/result', { taskId });
}

/** Each code of the document that one connection can reach, by a real condition. */
export const PROVOKE: Record<number, Provoke> = {
  [-32700]: (world) => firstAnswerTo(world, '{"jsonrpc":2.0 x}\n'),
  [-32600]: async (world) => {
    world.pipe.send({ jsonrpc: '2.0', id: 'no-method' });
    return world.pipe.answerTo('no-method');
  },
  [-32601]: (world) => world.pipe.request('nonexistent/method', {}),
  [-32602]: (world) => world.pipe.request('resources/read', {}),
  [-32603]: (world) =>
    whileLocked(world.folder, () => call(world, 'calculate', { a: 1, b: 1 }, { task: { ttl: 1000 } })),
  [-32001]: (world) => read(world, 'mcp://nonexistent'),
  [-32002]: (world) => call(world, 'nonexistent_tool'),
  [-32003]: (world) => world.pipe.request('prompts/get', { name: 'nonexistent_prompt' }),
  [-32004]: (world) => world.pipe.request('logging/setLevel', { level: 'info' }),
  [-32006]: async (world) => {
    await world.pipe.request('resources/subscribe', { uri: 'config://server' });
    return world.pipe.request('resources/subscribe', { uri: 'config://server' });
  },
  [-32007]: (world) => call(world, 'calculate', { a: 1, b: 1 }, { task: { ttl: -1 } }),
  [-32008]: (world) => whileMirror(world, 'reset', () => read(world, 'mirror://page')),
  [-32009]: (world) => whileMirror(world, 'hang', () => read(world, 'mirror://page')),
  [-32011]: (world) =>
    call(world, 'define_tool', { name: 'long', description: 'x'.repeat(15_000), text: 'x' }),
  [-32012]: async (world) => {
    const padding = 'x'.repeat(20_971_520 - 60);
    const line = `{"jsonrpc":"2.0","id":"huge","method":"ping","params":{"p":"${padding}`;
    world.pipe.send(`${line.slice(0, 20_971_520 - 3)}"}}\n`);
    return world.pipe.find(({ id, error }) => id === 'huge' || error?.code === -32012);
  },
  [-32013]: (world) => call(world, 'save_note', { name: 'n', text: '<a/>', mimeType: 'application/xml' }),
  [-32014]: (world) => call(world, 'save_note', { name: 'n', text: 'x'.repeat(1002) }),
  [-32015]: (world) =>
    call(world, 'save_note', { name: 'n', blob: Buffer.from([0x61, 0x62, 0xff]).toString('base64') }),
  [-32021]: (world) => read(world, 'logs://{date}'),
  [-32022]: (world) => read(world, 'not-a-valid-uri'),
  [-32023]: (world) => read(world, 'note://a b'),
  [-32025]: (world) => read(world, 'audit://logins'),
  [-32029]: (world) => read(world, 'log://{date}'),
  [-32031]: (world) => call(world, 'calculate', { a: 1, b: 0, operation: 'divide' }),
  [-32032]: (world) => call(world, 'wait', { ms: 5000 }),
  [-32033]: async (world) => {
    const params = { name: 'wait', arguments: { ms: 5000 } };
    world.pipe.send({ jsonrpc: '2.0', id: 'cancelled', method: 'tools/call', params });
    await pause(100);
    const cancel = { requestId: 'cancelled', reason: 'user_requested' };
    world.pipe.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancel });
    return world.pipe.answerTo('cancelled');
  },
  [-32034]: (world) => call(world, 'calculate', { a: 1 }),
  [-32043]: (world) => world.pipe.request('prompts/get', { name: 'write_essay' }),
  [-32044]: (world) =>
    world.pipe.request('prompts/get', { name: 'review_note', arguments: { note: 'nobody' } }),
  [-32046]: async (world) => {
    await call(world, 'save_note', { name: 'short', text: 'hello' });
    world.pipe.onRequest = () => ({ error: { code: -1, message: 'User rejected sampling' } });
    return call(world, 'summarize_note', { name: 'short' });
  },
  [-32051]: (world) => world.pipe.request('auth/authenticate', { token: 'nobody has this' }),
  [-32052]: (world) => call(world, 'delete_tool', { name: 'any' }),
  [-32053]: (world) => world.pipe.request('auth/login', { user: 'ada', password: 'wrong' }),
  [-32056]: async (world) => {
    await suspendUser(world.folder, 'ada');
    return world.pipe.request('auth/login', { user: 'ada', password: world.passwords['ada'] });
  },
  [-32071]: (world) => world.pipe.request('tools/list', { cursor: 'invalid_cursor_string' }),
  [-32072]: async (world) => {
    const { result } = await world.pipe.request('tools/list', {});
    await pause(20);
    return world.pipe.request('tools/list', { cursor: result.nextCursor });
  },
  [-32081]: (world) => world.pipe.request('tasks/get', { taskId: 'task-123' }),
  [-32083]: async (world) =>
    taskResult(world, await startTask(world.pipe, 'calculate', { a: 1, b: 0, operation: 'divide' })),
  [-32084]: async (world) => {
    const taskId = await startTask(world.pipe, 'wait', { ms: 300 });
    await world.pipe.request('tasks/cancel', { taskId });
    return taskResult(world, taskId);
  },
  [-32085]: async (world) => taskResult(world, await startTask(world.pipe, 'wait', { ms: 5000 })),
  [-32091]: (world) => world.pipe.request('experimental/progress/get', { progressToken: 'invalid_token' }),
  [-32092]: async (world) => {
    await call(world, 'calculate', { a: 1, b: 1 }, { _meta: { progressToken: 'p1' } });
    await pause(20);
    return world.pipe.request('experimental/progress/get', { progressToken: 'p1' });
  },
  [-32094]: (world) => call(world, 'announce', { uri: 'note://unread' }),
  [-32110]: (world) => complete(world, { type: 'ref/prompt', name: 'nonexistent' }, 'topic'),
  [-32111]: (world) => complete(world, { type: 'ref/tool', name: 'calculate' }, 'a'),
  [-32112]: (world) => complete(world, { type: 'ref/prompt', name: 'write_essay' }, 'colour'),
  [-32113]: (world) =>
    whileMirror(world, 'reset', () =>
      complete(world, { type: 'ref/resource', uri: 'mirror://{path}' }, 'path'),
    ),
  [1090]: (world) => {
    world.pipe.onRequest = () => ({ result: { action: 'decline' } });
    return call(world, 'link_account');
  },
  [1091]: (world) => {
    world.pipe.onRequest = () => undefined;
    return call(world, 'link_account');
  },
  [1095]: (world) => world.pipe.request('experimental/tasks/watch', { taskId: 'task-123' }),
};

function complete(world: World, ref: Wire, name: string): Promise<Message> {
  return world.pipe.request('completion/complete', { ref, argument: { name, value: 'a' } });
}
