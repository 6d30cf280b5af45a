/** Which conversation has begun which task, by whoever has asked for it. */
import { setLast } from '@mayday/relay';
import { NOBODY } from '../call/owner.ts';
import type { BegunTask, KeptLink } from './kept-link.ts';

/** Of more tasks of one caller, and of more callers, the oldest are forgotten. */
const MAX_TASKS = 1000;
const MAX_CALLERS = 10_000;

/** The tasks of one upstream. */
export class TasksByCaller {
  /** The newest of each id. */
  readonly #newest: Map<string, Map<string, BegunTask>> = new Map();

  add(id: string, task: BegunTask): void {
    const { owner, link } = task;
    const own = this.#newest.get(owner) ?? new Map<string, BegunTask>();
    setLast(this.#newest, owner, own, MAX_CALLERS);
    setLast(own, id, task, MAX_TASKS);
    setLast(link.tasks, keyOf(owner, id), task, MAX_TASKS);
  }

  /** A caller's task of this id: that of its own conversation goes first, unless only the other one runs. */
  find(caller: string, id: string, link: KeptLink): BegunTask | undefined {
    const own = link.tasks.get(keyOf(caller, id));
    const newest = this.#newest.get(caller)?.get(id);
    const isGone = own === undefined || own.run !== own.link.run;
    return isGone ? (newest ?? own) : own;
  }

  /** Has this conversation begun it for this caller? */
  has(caller: string, id: unknown, link: KeptLink | undefined): boolean {
    return typeof id === 'string' && link?.tasks.has(keyOf(caller, id)) === true;
  }

  /** Does the process of this conversation run a task of the same id for somebody else? */
  isOfAnother(caller: string, id: string, link: KeptLink): boolean {
    for (const [other, tasks] of this.#newest) {
      const task = other === caller ? undefined : tasks.get(id);
      if (task !== undefined && task.link === link && task.run === link.run) return true;
    }
    return false;
  }

  /** What a caller has begun; of those who cannot be told apart, in this session. */
  of(caller: string, session: string | undefined): readonly BegunTask[] {
    const all = [...(this.#newest.get(caller)?.values() ?? [])];
    return caller === NOBODY ? all.filter((task) => task.session === session) : all;
  }
}

function keyOf(caller: string, id: string): string {
  return JSON.stringify([caller, id]);
}
