/** Tasks with which a client answers questions of servers: each is for the server that asked, and for no other. */
import type { JsonObject } from '@mayday/core';
import { dropOldest } from '@mayday/policy';
import { decode, encode, isMembers, namesTask, resultOf } from '@mayday/relay';
import { Owners } from './owners.ts';

/** Questions for the list of tasks whose answers are remembered to be trimmed; the oldest of more are forgotten. */
const MAX_LISTS = 1000;

/** Whose question made which task, by the marks of their conversations. */
export class ClientTasks {
  readonly #owners: Owners = new Owners();
  /** The ids under which the client was asked for all of its tasks. */
  readonly #lists: Set<string> = new Set();

  /** May this conversation know of the task? */
  isOf(mark: string, task: unknown): boolean {
    return this.ownerOf(task) === mark;
  }

  /** The conversation whose question made the task. */
  ownerOf(task: unknown): string | undefined {
    return typeof task === 'string' ? this.#owners.of(task) : undefined;
  }

  /** The client is asked for its tasks under this id. */
  listed(id: string): void {
    this.#lists.add(id);
    dropOldest(this.#lists, MAX_LISTS);
  }

  /** A client's answer to a conversation, as that one may hear it. `id`: under which the client was asked. */
  answered(mark: string, id: unknown, answer: Buffer): Buffer {
    const isList = this.#lists.delete(String(id));
    if (!namesTask(answer)) return answer;
    const message = decode(answer);
    const result = resultOf(message);
    if (!isList) {
      const task = result?.['task'];
      const made = isMembers(task) ? task['taskId'] : undefined;
      if (typeof made === 'string') this.#owners.set(made, mark);
      return answer;
    }
    const tasks = Array.isArray(result?.['tasks']) ? (result['tasks'] as unknown[]) : [];
    const own = tasks.filter((task) => isMembers(task) && this.isOf(mark, task['taskId']));
    return encode({ ...(message as JsonObject), result: { ...result, tasks: own } });
  }
}
