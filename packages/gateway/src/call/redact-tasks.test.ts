import { answered } from '@mayday/relay';
import { expect, it } from 'vitest';
import { wireCall } from '../../test/calls.ts';
import { redactTasks } from './redact-tasks.ts';

const through = async (result: object, isStream = false): Promise<string> => {
  const json = JSON.stringify({ jsonrpc: '2.0', id: 7, result });
  const body = Buffer.from(isStream ? `id: 4\ndata: ${json}\n\n` : json);
  const outcome = await redactTasks()(async () => answered({ body, status: 200, headers: {}, isStream }))(
    wireCall({ name: 'pay' }),
  );
  return outcome.ok && outcome.value.type === 'answer' ? outcome.value.body.toString() : 'lost';
};

const SECRET = 'password=hunter2hunter2';

it.each<[object]>([
  [{ taskId: '1', status: 'failed', statusMessage: SECRET }],
  [{ taskId: '1', status: 'cancelled', statusMessage: SECRET }],
  [{ task: { taskId: '1', status: 'cancelled', statusMessage: SECRET } }],
  [{ taskId: '1', status: 'working', statusMessage: SECRET }],
  [{ resultType: 'task', taskId: '1', status: 'working', progress: { message: SECRET } }],
  [{ task: { taskId: '1', status: 'input_required', statusMessage: [SECRET] } }],
  [{ tasks: [{ taskId: '1', status: 'working', history: [{ message: SECRET }] }] }],
  [{ tasks: [{ taskId: '1', status: 'failed', statusMessage: SECRET }] }],
  ...['working', 'completed', 'FAILED', 'errored', undefined].flatMap((status): [object][] => [
    [{ taskId: '1', status, error: { code: -32000, message: SECRET, data: { why: SECRET } } }],
    [{ task: { taskId: '1', status, error: 'x', lastError: SECRET } }],
    [{ tasks: [{ taskId: '1', status, _meta: { 'dev.mayday/fault': { message: SECRET } } }] }],
  ]),
  [
    {
      taskId: '1',
      status: 'completed',
      result: { content: [{ type: 'text', text: SECRET }], isError: true },
    },
  ],
])('takes secrets out of %j', async (result) => {
  expect(await through(result)).not.toContain('hunter2');
  const streamed = await through(result, true);
  expect(streamed).not.toContain('hunter2');
  expect(streamed).toMatch(/^id: 4\n/m);
});

it.each([
  [{ taskId: '1', status: 'completed', result: { content: [], structuredContent: { note: SECRET } } }],
  [{ taskId: '1', status: 'completed', error: null, result: { content: [{ type: 'text', text: SECRET }] } }],
  [{ taskId: '1', status: 'input_required', requestState: SECRET, inputRequests: { a: { note: SECRET } } }],
  [{ taskId: '1', status: 'completed', statusMessage: SECRET }],
  [{ structuredContent: { jobs: [{ taskId: '1', status: 'working', statusMessage: SECRET }] } }],
  [{ structuredContent: { orders: [{ status: 'cancelled', note: SECRET }] }, _meta: { taskId: '1' } }],
])('leaves a success as the bytes that came: %j', async (result) => {
  expect(await through(result)).toBe(JSON.stringify({ jsonrpc: '2.0', id: 7, result }));
});

it('leaves other tasks of a list, and the ids of all, as they came', async () => {
  const done = {
    taskId: 'key_91ffaa02c37d4b11',
    status: 'completed',
    statusMessage: 'mail to bob@example.com',
  };
  const failed = { taskId: 'sk-live-Zx81kd0PXw77Qq', status: 'failed', statusMessage: SECRET };
  const { tasks } = JSON.parse(await through({ tasks: [done, failed] })).result;
  expect(tasks[0]).toEqual(done);
  expect(tasks[1]).toMatchObject({ taskId: failed.taskId, status: 'failed' });
  expect(tasks[1].statusMessage).not.toContain('hunter2');
});

it('leaves the task that a failing result is of', async () => {
  const related = { taskId: 'key_91ffaa02c37d4b11' };
  const _meta = { 'io.modelcontextprotocol/related-task': related, note: SECRET };
  const { result } = JSON.parse(
    await through({ content: [{ type: 'text', text: SECRET }], isError: true, _meta }),
  );
  expect(result._meta['io.modelcontextprotocol/related-task']).toEqual(related);
  expect(JSON.stringify(result)).not.toContain('hunter2');
});
