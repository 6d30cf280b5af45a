/** A task is for the caller that has started it, while it may use the tool. */
import { afterEach, expect, it } from 'vitest';
import {
  call,
  cleanUp,
  faultIn,
  json,
  open,
  type Posted,
  post,
  settingsOf,
  until,
  upstream,
} from '../../test/tools.ts';
import type { SettingsFile } from '../index.ts';

afterEach(cleanUp);

const as = (name: string) => ({ authorization: `Bearer ${name}-secret` });

/** An id that nobody guesses, of a task that nobody is known to have begun. */
const RANDOM = 'f47ac10b-58cc-4372-a567-0e02b2c3d479';

/** A server that knows one caller only, whose tasks all are. */
async function bank() {
  let tasks = 0;
  const { url } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body || '{}');
    const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
    if (method === 'tools/call') answer({ task: { taskId: `t${++tasks}`, status: 'working' } });
    else if (method === 'tasks/list')
      answer({ tasks: ['t1', 't2', 'old', RANDOM].map((taskId) => ({ taskId, status: 'working' })) });
    else if (method === 'tasks/result')
      answer({ content: [{ type: 'text', text: `result of ${params.taskId}` }] });
    else answer({ protocolVersion: '2025-11-25', capabilities: { tasks: {} }, serverInfo: {} });
  });
  const file = (access: SettingsFile['access']): SettingsFile => ({
    keys: ['ann', 'bob'].map((name) => ({ name, key: `${name}-secret` })),
    access,
    upstreams: { bank: { url } },
  });
  const gateway = await open(file({}));
  const ask = (path: string, who: string, method: string, params: object = {}): Promise<Posted> =>
    post(`${gateway.url}${path}`, call(method, params), as(who));
  return { ask, reload: (access: SettingsFile['access']) => gateway.reload(settingsOf(file(access))) };
}

const textIn = ({ message }: Posted): unknown => JSON.stringify(message.result?.['content'] ?? null);

it.each([
  ['/bank/mcp', ''],
  ['/mcp', 'bank_'],
])('is nobody else’s, and nobody’s once its tool is denied, at %s', async (path, prefix) => {
  const { ask, reload } = await bank();
  await ask(path, 'ann', 'tools/call', { name: `${prefix}pay`, task: {} });
  await ask(path, 'bob', 'tools/call', { name: `${prefix}look`, task: {} });
  expect(textIn(await ask(path, 'ann', 'tasks/result', { taskId: 't1' }))).toContain('result of t1');
  for (const method of ['tasks/result', 'tasks/get', 'tasks/cancel'])
    expect(faultIn(await ask(path, 'bob', method, { taskId: 't1' }))).toMatchObject({
      kind: 'not_found',
      message: 'Task not found: t1',
    });
  expect(faultIn(await ask(path, 'bob', 'tasks/result', { taskId: 'old' }))?.['kind']).toBe('not_found');
  expect(textIn(await ask(path, 'bob', 'tasks/result', { taskId: RANDOM }))).toContain(`result of ${RANDOM}`);
  expect((await ask(path, 'bob', 'tasks/list')).message.result).toMatchObject({ tasks: [{ taskId: 't2' }] });
  reload({ rules: [{ deny: ['bank/pay'] }] });
  expect(faultIn(await ask(path, 'ann', 'tasks/result', { taskId: 't1' }))).toMatchObject({
    kind: 'forbidden',
    executed: 'no',
  });
});

it.each([
  ['/bank/mcp', 'pay'],
  ['/mcp', 'bank_pay'],
])('is shown to nobody while its answer is not there, nor if it never comes, at %s', async (path, name) => {
  const begun: string[] = [];
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body || '{}');
    const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
    if (method === 'tools/call')
      begun.push(`t${begun.length + 1}`); // and no answer
    else if (method === 'tasks/list')
      answer({ tasks: begun.map((taskId) => ({ taskId, status: 'working' })) });
    else if (method === 'initialize')
      answer({ protocolVersion: '2025-11-25', capabilities: { tasks: {} }, serverInfo: {} });
    else answer({ tools: [], content: [{ type: 'text', text: 'secret' }] });
  });
  const keys = ['ann', 'bob'].map((name) => ({ name, key: `${name}-secret` }));
  const gateway = await open({ keys, upstreams: { bank: { url } } });
  const at = `${gateway.url}${path}`;
  const asked = { method: 'POST', body: JSON.stringify(call('tools/call', { name, task: {} })) };
  const ended = new AbortController();
  const headers = { ...as('ann'), 'content-type': 'application/json' };
  const gone = fetch(at, { ...asked, headers, signal: ended.signal }).catch(() => 'gone');
  const expectNothing = async (): Promise<void> => {
    const { message } = await post(at, call('tasks/list'), as('bob'));
    expect(message.result).toMatchObject({ tasks: [] });
    const result = await post(at, call('tasks/result', { taskId: 't1' }), as('bob'));
    expect(faultIn(result)?.['kind']).toBe('not_found');
  };
  await until(() => begun.length > 0);
  await expectNothing();
  ended.abort();
  expect(await gone).toBe('gone');
  await expectNothing();
});

it('cannot be named in a way that only some servers read', async () => {
  const seen: string[] = [];
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body || '{}');
    if (method.startsWith('tasks/')) seen.push(body);
    json(response, 200, { jsonrpc: '2.0', id, result: { task: { taskId: 't1' } } });
  });
  const gateway = await open({
    keys: ['ann', 'bob'].map((name) => ({ name, key: `${name}-secret` })),
    upstreams: { bank: { url } },
  });
  const at = `${gateway.url}/bank/mcp`;
  await post(at, call('tools/call', { name: 'pay', task: {} }), as('bob'));
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel'])
    for (const params of [
      '{"taskId":"t1","taskId":"t2"}',
      '{"taskId":"t2","TaskId":"t1"}',
      '{"taskid":"t1"}',
      '{"taskId":["t1"]}',
      '{"taskId":{"t1":1}}',
      '{}',
    ]) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
      expect(faultIn(await post(at, body, as('ann')))?.['kind']).toMatch(/^invalid_(?:request|arguments)$/);
    }
  expect(seen).toEqual([]);
});
