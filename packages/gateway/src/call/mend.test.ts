import { decode } from '@mayday/relay';
import { expect, it } from 'vitest';
import { mend } from './mend.ts';

const message = (method: string, params: object): Buffer =>
  Buffer.from(JSON.stringify({ jsonrpc: '2.0', method, params }));

it.each([
  ['notifications/message', { level: 'error', data: 'dsn postgres://svc:hunter2@db/x' }],
  ['notifications/cancelled', { requestId: 1, reason: 'password=hunter2hunter2' }],
  ['notifications/of/their/own', { words: 'dsn postgres://svc:hunter2@db/x' }],
  ['notifications/of/their/own', { 'postgres://svc:hunter2@db/x': 1 }],
  ['notifications/of/their/own', { _meta: { 'postgres://svc:hunter2@db/x': 1 } }],
  ['notifications/progress', { progressToken: 1, progress: 1, message: 'password=hunter2hunter2' }],
])('takes secrets out of %s', (method, params) => {
  const out = mend(message(method, params)).toString();
  expect(out).not.toContain('hunter2');
  expect(decode(Buffer.from(out))).toMatchObject({ jsonrpc: '2.0', method });
});

it('leaves what holds no secret as the bytes that came', () => {
  const plain = Buffer.from('{"method":"notifications/message", "params":{"data":"1 of 2"},"jsonrpc":"2.0"}');
  expect(mend(plain)).toBe(plain);
});

it('leaves the name of a resource as its subscriber knows it', () => {
  const updated = message('notifications/resources/updated', { uri: 'postgres://svc:hunter2@db/x' });
  expect(mend(updated)).toBe(updated);
});

it.each([
  [
    'sampling/createMessage',
    { messages: [{ role: 'user', content: { type: 'text', text: 'password=hunter2hunter2' } }] },
  ],
  ['sampling/createMessage', { systemPrompt: 'dsn postgres://svc:hunter2@db/x', messages: [] }],
  [
    'elicitation/create',
    { message: 'ok?', requestedSchema: { properties: { a: { default: 'password=hunter2hunter2' } } } },
  ],
  ['ping', { why: 'password=hunter2hunter2' }],
])('takes secrets out of what servers ask for: %s', (method, params) => {
  const asked = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }));
  const out = mend(asked).toString();
  expect(out).not.toContain('hunter2');
  expect(decode(Buffer.from(out))).toMatchObject({ jsonrpc: '2.0', id: 7, method });
});

it('leaves what is no message alone', () => {
  const nonsense = Buffer.from('{"method":"notifications/message","params":{bad}');
  expect(mend(nonsense)).toEqual(nonsense);
});

it('takes secrets out of the words of a question, and nothing out of its form and address', () => {
  const url = 'https://login.example/authorize?state=9f86d081884c7d659a2feaa0c55ad015&token=hunter2hunter2';
  const params = { mode: 'url', message: 'Log in; the old password=hunter2hunter2 is gone', url };
  const question = { jsonrpc: '2.0', id: 7, method: 'elicitation/create', params };
  const out = decode(mend(Buffer.from(JSON.stringify(question)))) as typeof question;
  expect(out).toMatchObject({ id: 7, method: 'elicitation/create', params: { mode: 'url', url } });
  expect(out.params.message).toMatch(/^Log in; the old password=\[\w+:1\] is gone$/);
  const plain = Buffer.from(
    '{"jsonrpc":"2.0", "id":7,"method":"elicitation/create","params":{"message":"Name?"}}',
  );
  expect(mend(plain)).toBe(plain);
});

it('takes out of its address what opens nothing', () => {
  const url =
    'https://svc:hunter2hunter2@x.example/a?state=9f86d081&password=hunter2hunter2#access_token=Zq9Xw8Vr7Ts6';
  const params = { mode: 'url', elicitationId: 'e', message: 'Log in', url };
  const question = { jsonrpc: '2.0', id: 7, method: 'elicitation/create', params };
  expect(decode(mend(Buffer.from(JSON.stringify(question))))).toEqual({
    ...question,
    params: {
      ...params,
      url: expect.stringMatching(
        /^https:\/\/\[credentials:1\]@x\.example\/a\?state=9f86d081&password=\[password:1\]#access_token=\[token:1\]$/,
      ),
    },
  });
});

it('leaves the ids of tasks, whatever they look like', () => {
  const related = { taskId: 't1.ee5a59fd0c3b4a6f8e7d6c5b' };
  const params = {
    taskId: 'key_91ffaa02c37d4b11',
    status: 'working',
    statusMessage: 'password=hunter2hunter2',
    _meta: { 'io.modelcontextprotocol/related-task': related },
  };
  const message = { jsonrpc: '2.0', method: 'notifications/tasks/status', params };
  const told = JSON.parse(mend(Buffer.from(JSON.stringify(message))).toString()).params;
  expect(told).toMatchObject({ taskId: params.taskId, _meta: params._meta });
  expect(told.statusMessage).not.toContain('hunter2');
});
