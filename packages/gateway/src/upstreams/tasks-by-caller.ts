/** Which conversation has begun which task, by whoever has asked for it. */

import { setLast } from '@mayday/policy';
import { NOBODY } from '../call/owner.ts';
import type { BegunTask, KeptLink } from './kept-link.ts';

/** Of more tasks of one caller, of one conversation, and of more callers, the oldest are forgotten. */
const MAX_TASKS = 1000;
const MAX_OF_LINK = 10_000;
const MAX_CALLERS = 10_000;

/** Who asks. */
export interface Asker {
  /** See `ownerOf`. */
  readonly owner: string;
  /** The session in which, where that is proof enough of what began there. */
  readonly session: string | undefined;
}

/** The tasks of one upstream. */
export class TasksByCaller {
  /** By id; of two that had the same one after the other, the newest. */
  readonly #newest: Map<string, Map<string, BegunTask>> = new Map();

  add(id: string, task: BegunTask): void {
    const { owner, link } = task;
    const before = link.tasks.get(id);
    // Its server has given the id again: the one before is not there any more.
    if (before !== undefined && before.run === task.run) this.#delete(id, before);
    const own = this.#newest.get(owner) ?? new Map<string, BegunTask>();
    setLast(this.#newest, owner, own, MAX_CALLERS);
    setLast(own, id, task, MAX_TASKS);
    setLast(link.tasks, id, task, MAX_OF_LINK);
  }

  /** A caller's task of this id. */
  find(asker: Asker, id: string, link?: KeptLink): BegunTask | undefined {
    const begun = link?.tasks.get(id);
    const own = begun !== undefined && isOf(begun, asker) ? begun : undefined;
    return this.#newest.get(asker.owner)?.get(id) ?? own;
  }

  /** Has a caller a task of this id that another conversation has begun, or another run of this one? */
  isTaken(caller: string, id: string, link: KeptLink): boolean {
    const known = this.#newest.get(caller)?.get(id);
    return known !== undefined && known.until > Date.now() && (known.link !== link || known.run !== link.run);
  }

  /** Has this conversation begun it for this caller? */
  has(asker: Asker, id: unknown, link: KeptLink | undefined): boolean {
    const task = typeof id === 'string' ? link?.tasks.get(id) : undefined;
    return task !== undefined && isOf(task, asker);
  }

  /** Does this conversation run a task of the same id for somebody else? */
  isOfAnother(asker: Asker, id: unknown, link: KeptLink): boolean {
    const task = typeof id === 'string' ? link.tasks.get(id) : undefined;
    return task !== undefined && !isOf(task, asker) && task.run === link.run;
  }

  /** What a caller has begun, over this conversation and others; of those who cannot be told apart, in this session. */
  of(asker: Asker, session: string | undefined, link: KeptLink | undefined): readonly BegunTask[] {
    const { owner } = asker;
    const all = [...(this.#newest.get(owner)?.values() ?? [])];
    const own = owner === NOBODY ? all.filter((task) => task.session === session) : all;
    const inSession = [...(link?.tasks.values() ?? [])].filter((task) => isIn(task, asker));
    return [...new Set([...own, ...inSession])];
  }

  #delete(id: string, task: BegunTask): void {
    const own = this.#newest.get(task.owner);
    if (own?.get(id) === task) own.delete(id);
  }
}

function isOf(task: BegunTask, asker: Asker): boolean {
  return task.owner === asker.owner || isIn(task, asker);
}

function isIn(task: BegunTask, { session }: Asker): boolean {
  return session !== undefined && task.session === session;
}
