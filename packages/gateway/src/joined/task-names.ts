/**
 * Tasks of many servers at one endpoint. An id is known to the server that gave it, and others may give the same: whoever
 * names it first has it as it is, and the others have theirs with their own name in front.
 */
import { type Answer, namesTask, type WireOutcome } from '@mayday/relay';
import { exchangeRelatedTask, exchangeTasks } from '../call/exchange-tasks.ts';
import { mendAnswer } from '../call/mend-answer.ts';
import { Owners } from './owners.ts';

/** A task, by the id that its own server has for it. */
export interface NamedTask {
  readonly upstream: string;
  readonly own: string;
}

/** The ids of all tasks of a conversation with many. */
export class TaskNames {
  readonly #owners: Owners = new Owners();
  /** What the server calls it, where callers know it by another id. */
  readonly #own: Owners = new Owners();

  /** The id by which callers know a task of this server. */
  nameOf(upstream: string, own: string): string {
    let name = own;
    while (!this.#isFree(name, upstream, own)) name = `${upstream}:${name}`;
    this.#owners.set(name, upstream);
    if (name !== own) this.#own.set(name, own);
    return name;
  }

  /** The same, where its caller may have another of the same id: what named it first has it as it is here, too. */
  nameAmong(upstream: string, own: string, firstOf: FirstOf = () => undefined): string {
    const first = firstOf(own);
    if (first !== undefined && first !== upstream) this.nameOf(first, own);
    return this.nameOf(upstream, own);
  }

  /** Whose task callers know by this id. */
  find(name: string): NamedTask | undefined {
    const upstream = this.#owners.of(name);
    return upstream === undefined ? undefined : { upstream, own: this.#own.of(name) ?? name };
  }

  #isFree(name: string, upstream: string, own: string): boolean {
    const found = this.find(name);
    return found === undefined || (found.upstream === upstream && found.own === own);
  }
}

/** Which server gave this id to a caller first, in whatever conversation; nothing where nobody knows. */
export type FirstOf = (id: string) => string | undefined;

/** A message of a server, which names its tasks as callers know them. */
export function withTaskNames(
  message: Buffer,
  upstream: string,
  tasks: TaskNames,
  firstOf?: FirstOf,
): Buffer {
  return exchangeTasks(message, (own) => tasks.nameAmong(upstream, own, firstOf));
}

/** A message for a server, which names the task that it belongs to as the server knows it; those of others stay as they are. */
export function withOwnTasks(message: Buffer, upstream: string, tasks: TaskNames): Buffer {
  return exchangeRelatedTask(message, (name) => {
    const found = tasks.find(name);
    return found?.upstream === upstream ? found.own : name;
  });
}

/** What became of a call, in the same way; also where it failed. */
export function outcomeWithTaskNames(
  outcome: WireOutcome,
  upstream: string,
  tasks: TaskNames,
  firstOf?: FirstOf,
): WireOutcome {
  const named = (message: Buffer): Buffer => withTaskNames(message, upstream, tasks, firstOf);
  const { value } = outcome;
  if (outcome.ok) {
    const isIt = outcome.value.type === 'answer' && namesTask(outcome.value.body);
    return isIt ? { ...outcome, value: mendAnswer(outcome.value as Answer, named) } : outcome;
  }
  if (value?.type !== 'message' || !namesTask(value.bytes)) return outcome;
  const bytes = named(value.bytes);
  if (bytes === value.bytes) return outcome;
  return { ...outcome, value: { ...value, bytes, message: JSON.parse(bytes.toString('utf8')) as unknown } };
}
