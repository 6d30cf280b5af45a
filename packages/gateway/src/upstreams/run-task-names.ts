/** Tasks of one process, by ids that others of the same server may have given too: outside some of them have another. */
import {
  decode,
  encode,
  isMembers,
  locate,
  type Outgoing,
  peek,
  resultOf,
  splice,
  textAt,
} from '@mayday/relay';
import { exchangeListened, exchangeRelatedTask, exchangeTasks } from '../call/exchange-tasks.ts';

/** The ids that are not the same inside and outside, in one run of a process. */
export class RunTaskNames {
  readonly #names: Map<string, string> = new Map();
  readonly #owns: Map<string, string> = new Map();
  #run: object | undefined;

  /** From now on callers know a task of this run by this name. */
  set(run: object | undefined, own: string, name: string): void {
    if (this.#run !== run) this.#forget(run);
    if (own === name) return;
    this.#names.set(own, name);
    this.#owns.set(name, own);
  }

  /** Does this run have a task of this id, which callers know by another name? */
  isRenamed(run: object | undefined, own: string): boolean {
    return this.#run === run && this.#names.has(own);
  }

  /** A message of the process, as callers know its tasks. */
  outward(message: Buffer, isList = false): Buffer {
    if (this.#names.size === 0) return message;
    const nameOf = (own: string): string => this.#names.get(own) ?? own;
    return isList ? listed(message, nameOf) : exchangeListened(exchangeTasks(message, nameOf), nameOf);
  }

  /** A message for the process, in its own words. */
  inward(message: Outgoing): Outgoing {
    if (this.#names.size === 0) return message;
    const ownOf = (name: string): string => this.#owns.get(name) ?? name;
    const { body, peek: seen } = message;
    const place = seen.method.startsWith('tasks/') ? locate(body, seen.paramsStart, 'taskId') : undefined;
    const name = place && textAt(body, place);
    const asked =
      place === undefined || name === undefined ? body : splice(body, [place], encode(ownOf(name)));
    const own = exchangeListened(exchangeRelatedTask(asked, ownOf), ownOf);
    return own === body ? message : { ...message, body: own, peek: peek(own) };
  }

  /** What a process before has begun is gone with it. */
  #forget(run: object | undefined): void {
    this.#run = run;
    this.#names.clear();
    this.#owns.clear();
  }
}

function listed(message: Buffer, nameOf: (own: string) => string): Buffer {
  const whole = decode(message);
  const result = resultOf(whole);
  const tasks: unknown = result?.['tasks'];
  if (!isMembers(whole) || !Array.isArray(tasks)) return message;
  const named = tasks.map((task: unknown) =>
    isMembers(task) && typeof task['taskId'] === 'string'
      ? { ...task, taskId: nameOf(task['taskId']) }
      : task,
  );
  return encode({ ...whole, result: { ...result, tasks: named } });
}
