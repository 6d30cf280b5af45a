import { expect, it } from 'vitest';
import { answered, type WireCall, type WireOutcome } from './call.ts';
import { RunningTasks } from './running-tasks.ts';

const HOUR = 3_600_000;

function said(result: object): WireOutcome {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  return answered({ body, status: 200, headers: {}, isStream: false });
}

function asked(method: string, params: object = {}): Pick<WireCall, 'method' | 'params'> {
  return { method, params: () => params as { readonly [key: string]: unknown } };
}

const BEGUN = said({ task: { taskId: 't', status: 'working', ttl: 60_000 } });

it('runs from its beginning until its server would forget it', () => {
  const tasks = new RunningTasks();
  expect(tasks.areAny(0)).toBe(false);
  tasks.see(asked('tools/call'), BEGUN, 1000);
  expect([tasks.areAny(60_999), tasks.areAny(61_000)]).toEqual([true, false]);
});

it.each([null, undefined, 24 * HOUR])('runs an hour at most, without anybody who asks: ttl %s', (ttl) => {
  const tasks = new RunningTasks();
  tasks.see(asked('tools/call'), said({ task: { taskId: 't', status: 'working', ttl } }), 0);
  expect([tasks.areAny(HOUR - 1), tasks.areAny(HOUR)]).toEqual([true, false]);
});

it.each([
  ['tasks/get', said({ taskId: 't', status: 'completed' })],
  ['tasks/cancel', said({ taskId: 't', status: 'cancelled' })],
  ['tasks/result', said({ content: [] })],
  ['tasks/get', { ok: false, answered: true, fault: {} } as unknown as WireOutcome],
])('has ended with what %s is answered', (method, outcome) => {
  const tasks = new RunningTasks();
  tasks.see(asked('tools/call'), BEGUN, 0);
  tasks.see(asked('tasks/get', { taskId: 't' }), said({ taskId: 't', status: 'input_required' }), 1);
  expect(tasks.areAny(2)).toBe(true);
  tasks.see(asked(method, { taskId: 't' }), outcome, 3);
  expect(tasks.areAny(4)).toBe(false);
});

it('goes on where its server could not be asked', () => {
  const tasks = new RunningTasks();
  tasks.see(asked('tools/call'), BEGUN, 0);
  tasks.see(asked('tasks/result', { taskId: 't' }), { ok: false, fault: {} } as unknown as WireOutcome, 1);
  expect(tasks.areAny(2)).toBe(true);
});
