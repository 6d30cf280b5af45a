import { expect, it } from 'vitest';
import { canBeGuessed } from '../call/owner.ts';
import { taskNamed, workerOf } from './task-tag.ts';

it('names a task as nobody guesses, whatever chance gives', () => {
  const drawn = ['660186484811198925241719', 'abcdefabcdefabcdefabcdef', '5f0c186484811198925241aa'];
  const random = (): Buffer => Buffer.from(drawn.shift() ?? '', 'hex');
  const name = taskNamed('task-1', 2, random);
  expect(name).toBe('task-1.w2.5f0c186484811198925241aa');
  expect(canBeGuessed(name)).toBe(false);
});

it.each([
  ['task-1.w2.5f0c186484811198925241aa', 2],
  ['task-1.w2.5f0c186484811198925241aa.w13.660186484811198925241719', 13],
  ['task-1.5f0c186484811198925241aa', undefined],
  ['task-1.w2', undefined],
  ['task-1.w2.5f0c', undefined],
  ['task-1.w2222.5f0c186484811198925241aa', undefined],
])('%s is named by worker %s', (task, worker) => {
  expect(workerOf(task)).toBe(worker);
});
