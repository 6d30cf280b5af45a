/** An error that answers the question for a task's result is the task's end, or about the question. */
import { expect, it } from 'vitest';
import { type Fault, makeFault } from '../fault.ts';
import { isEndOfTask } from './task.ts';

const coded = (code: number, message: string): Fault =>
  makeFault({ kind: 'invalid_arguments', message, native: { dialect: 'mcp', code } });

it.each([
  coded(-32602, 'Task not found: t-1'),
  coded(-32602, 'Invalid params'),
  coded(-32602, 'Invalid params: taskId is required'),
  coded(-32602, 'Error'),
  coded(-32601, 'Method not found'),
  coded(-32600, 'Invalid request'),
  coded(-32700, 'Parse error'),
  makeFault({ kind: 'not_found', subject: { type: 'task', id: 't-1' }, message: 'No t-1' }),
  makeFault({ kind: 'not_found', message: 'There are no tasks of that name' }),
])('is about the question: $message', (fault) => {
  expect(isEndOfTask(fault)).toBe(false);
});

it.each([
  coded(-32603, 'Task not done'),
  coded(-32602, 'Input validation error: amount'),
  coded(-32602, 'amount is required'),
  coded(-32602, 'Invalid arguments for tool pay: amount'),
  makeFault({ kind: 'not_found', subject: { type: 'order', id: '7' }, message: 'No order 7' }),
  makeFault({ kind: 'cancelled', message: 'The task was cancelled' }),
  makeFault({ kind: 'rate_limited', message: 'Rate limit exceeded' }),
])('is the end: $message', (fault) => {
  expect(isEndOfTask(fault)).toBe(true);
});
