/** Tasks that a conversation has begun and that have not ended, as far as its answers tell. */

import { dropOldest } from '@mayday/policy';
import { decode, isMembers, type Members } from '../framing/json.ts';
import { shortKey } from '../framing/short-key.ts';
import { resultOf } from '../protocol/params.ts';
import type { WireCall, WireOutcome } from './call.ts';

/** A task that nobody asks about any more is taken to run no longer than this, or than its server keeps it. */
export const LONGEST_MS: number = 60 * 60 * 1000;
/** Of more the oldest are forgotten. */
const MAX_TASKS = 1000;

const TASK: Buffer = Buffer.from('"taskId"');

/** May it be about a task? What names none need not be read. */
export function namesTask(message: Buffer): boolean {
  return message.includes(TASK);
}
const ENDED: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** The tasks of one conversation. */
export class RunningTasks {
  readonly #until: Map<string, number> = new Map();

  /** Does one run that nobody has seen the end of? */
  areAny(now: number): boolean {
    for (const [id, until] of this.#until) if (until <= now) this.#until.delete(id);
    return this.#until.size > 0;
  }

  /** Does this one run? */
  has(id: string, now: number): boolean {
    return (this.#until.get(shortKey(id)) ?? now) > now;
  }

  /** This became of a call. */
  see(call: Pick<WireCall, 'method' | 'params'>, outcome: WireOutcome, now: number): void {
    const task = taskIn(outcome);
    const id = task?.['taskId'];
    if (typeof id === 'string' && !ENDED.has(task?.['status'])) this.#runs(id, task?.['ttl'], now);
    else if (call.method.startsWith('tasks/')) this.#ended(call, outcome, id);
  }

  #runs(task: string, ttl: unknown, now: number): void {
    const id = shortKey(task);
    const known = this.#until.get(id);
    const ms = typeof ttl === 'number' ? Math.min(Math.max(0, ttl), LONGEST_MS) : LONGEST_MS;
    this.#until.set(id, known ?? now + ms);
    dropOldest(this.#until, MAX_TASKS);
  }

  /** What a server has said the end of, has given the result of, or does not know. */
  #ended({ params }: Pick<WireCall, 'params'>, outcome: WireOutcome, named: unknown): void {
    const id = named ?? params()?.['taskId'];
    if (typeof id === 'string' && (outcome.ok || outcome.answered === true)) this.#until.delete(shortKey(id));
  }
}

/** The task that an answer is about, or has begun, in the form of either revision. */
export function taskIn(outcome: WireOutcome): Members | undefined {
  if (!outcome.ok || outcome.value.type !== 'answer' || !namesTask(outcome.value.body)) return undefined;
  const result = resultOf(decode(outcome.value.body));
  const task = result?.['task'];
  if (isMembers(task)) return task;
  return typeof result?.['taskId'] === 'string' && typeof result['status'] === 'string' ? result : undefined;
}
