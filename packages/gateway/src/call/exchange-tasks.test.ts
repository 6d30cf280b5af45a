/** Where messages name tasks. */
import { expect, it } from 'vitest';
import { exchangeListened, exchangeTasks } from './exchange-tasks.ts';

const RELATED = 'io.modelcontextprotocol/related-task';
const bytes = (message: object): Buffer => Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));

it.each([
  ['a result', (taskId: string) => ({ id: 1, result: { taskId, status: 'working' } })],
  ['what was begun', (taskId: string) => ({ id: 1, result: { task: { taskId } } })],
  ['what a result belongs to', (taskId: string) => ({ id: 1, result: { _meta: { [RELATED]: { taskId } } } })],
  [
    'what an error belongs to',
    (taskId: string) => ({
      id: 1,
      error: { code: -32603, message: 'm', data: { _meta: { [RELATED]: { taskId } } } },
    }),
  ],
  [
    'a question',
    (taskId: string) => ({ id: 1, method: 'roots/list', params: { _meta: { [RELATED]: { taskId } } } }),
  ],
])('in %s', (_, message) => {
  const exchanged = exchangeTasks(bytes(message('t1')), (id) => `${id}.other`);
  expect(JSON.parse(exchanged.toString())).toEqual(JSON.parse(bytes(message('t1.other')).toString()));
});

it('in a subscription', () => {
  const message = (taskIds: unknown) =>
    bytes({ id: 1, method: 'subscriptions/listen', params: { notifications: { taskIds } } });
  const exchange = (id: string): string => `${id}.other`;
  expect(exchangeListened(message(['a', 'b']), exchange)).toEqual(message(['a.other', 'b.other']));
  expect(exchangeListened(message('a'), exchange)).toEqual(message('a'));
});
