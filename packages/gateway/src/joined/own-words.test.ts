import { expect, it } from 'vitest';
import { ClientTasks } from './client-tasks.ts';
import { OwnWords } from './own-words.ts';

function wordsOf() {
  const notes: string[] = [];
  const replies: string[] = [];
  const tasks = new ClientTasks();
  const client = { tasks, isMany: false, reply: (answer: Buffer) => replies.push(answer.toString()) };
  const words = new OwnWords('shop', (text) => notes.push(text), client);
  const hear = (message: object): unknown => {
    const said = words.own(Buffer.from(JSON.stringify(message)));
    return said === undefined ? undefined : JSON.parse(said.toString());
  };
  return { words, hear, notes, tasks, replies };
}

const progress = (progressToken: unknown) => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress: 1 },
});

it('tells of the progress of what it was asked, also when that is long ago, and of nothing else', () => {
  const { words, hear, notes } = wordsOf();
  words.give(7);
  words.give('mine');
  expect([hear(progress(7)), hear(progress('mine'))]).toEqual([progress(7), progress('mine')]);
  expect(notes).toEqual([]);
  for (const token of [8, '7', 'theirs', null, undefined]) expect(hear(progress(token))).toBeUndefined();
  expect(notes[0]).toBe('told of progress that it was not asked for');
});

it('remembers the last thousand tokens', () => {
  const { words, hear } = wordsOf();
  for (let token = 0; token <= 1000; token += 1) words.give(token);
  expect([hear(progress(0)), hear(progress(1))]).toEqual([undefined, progress(1)]);
});

it('takes back requests of its own alone', () => {
  const { hear } = wordsOf();
  const cancelled = (requestId: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId, reason: 'no need' },
  });
  const asked = { jsonrpc: '2.0', id: 5, method: 'ping' };
  expect(hear(asked)).toEqual({ ...asked, id: 'shop:5' });
  expect(hear(cancelled(5))).toEqual(cancelled('shop:5'));
  expect(hear(cancelled('other:5'))).toEqual(cancelled('shop:"other:5"'));
});

it('says everything else as it is', () => {
  const { hear } = wordsOf();
  const news = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };
  expect(hear(news)).toEqual(news);
});

it('asks under tokens that say whose they are, since servers count alike', () => {
  const { hear } = wordsOf();
  const asked = (_meta: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'sampling/createMessage',
    params: { _meta },
  });
  const tagged = (_meta: object) => ({ ...asked(_meta), id: 'shop:1' });
  expect(hear(asked({ progressToken: 1, x: 2 }))).toEqual(tagged({ progressToken: 'shop:1', x: 2 }));
  expect(hear(asked({ progressToken: 'p' }))).toEqual(tagged({ progressToken: 'shop:"p"' }));
  expect(hear(asked({ progressToken: null }))).toEqual(tagged({ progressToken: null }));
});

it('asks for what became of its own questions, and is told that there is nothing else', () => {
  const { hear, tasks, replies } = wordsOf();
  const begun = (taskId: string) =>
    Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { task: { taskId } } }));
  tasks.answered('shop', 'shop:1', begun('mine'));
  tasks.answered('bank', 'bank:1', begun('theirs'));
  const asked = (method: string, taskId?: string) => ({
    jsonrpc: '2.0',
    id: 'q',
    method,
    params: { taskId },
  });
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
    expect(hear(asked(method, 'mine'))).toEqual({ ...asked(method, 'mine'), id: 'shop:"q"' });
    for (const task of ['theirs', 'nobodys', undefined]) expect(hear(asked(method, task))).toBeUndefined();
  }
  const refused = '{"jsonrpc":"2.0","id":"q","error":{"code":-32602,"message":"Task not found"}}';
  expect(replies).toEqual(Array.from({ length: 9 }, () => refused));
  expect(hear({ jsonrpc: '2.0', id: 'l', method: 'tasks/list' })).toMatchObject({ id: 'shop:"l"' });
  const all = {
    jsonrpc: '2.0',
    id: 'l',
    result: { tasks: [{ taskId: 'mine' }, { taskId: 'theirs' }], x: 1 },
  };
  const told = tasks.answered('shop', 'shop:"l"', Buffer.from(JSON.stringify(all)));
  expect(JSON.parse(told.toString())).toEqual({ ...all, result: { tasks: [{ taskId: 'mine' }], x: 1 } });
});
