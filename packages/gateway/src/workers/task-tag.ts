/** Tasks of processes carry the number of the worker that has the process, so that every worker knows whom to ask. */
import { randomBytes } from 'node:crypto';
import { canBeGuessed } from '../call/owner.ts';

const TAGGED = /\.w(\d{1,3})\.[\da-f]{24}$/;

/** An id for a task that no other process gives, and nobody guesses. */
export function taskNamed(
  own: string,
  worker: number | undefined,
  random: (bytes: number) => Buffer = randomBytes,
): string {
  let unique: string;
  // Chance gives numbers too, and those look as if somebody had counted.
  do unique = random(12).toString('hex');
  while (canBeGuessed(unique));
  return worker === undefined ? `${own}.${unique}` : `${own}.w${worker}.${unique}`;
}

/** The worker that has named this task. */
export function workerOf(task: string): number | undefined {
  const [, worker] = TAGGED.exec(task) ?? [];
  return worker === undefined ? undefined : Number(worker);
}
