/** What the calls were sent with that began tasks: what a task has come to is asked for without it, by whichever name of its server. */
import { setLast } from '@mayday/policy';
import type { Access } from '../access/rules.ts';

/** Tasks of an upstream of which that is remembered. */
const MAX_TASKS = 1000;

/** The secrets of the tasks of one upstream. */
export interface TaskSecrets {
  /** Is there any task that has some, under this name or another of the server's? */
  isEmpty(): boolean;
  /** What the call that began this task was sent with; nothing where that is not known. */
  of(taskId: unknown): readonly string[];
  remember(taskId: string, secrets: readonly string[]): void;
}

type ByTask = Map<string, readonly string[]>;

/** By what outlives upstreams that are replaced, and by their names. */
const known = new WeakMap<Access, Map<string, ByTask>>();

/** Those of the upstream of this name. Its server's other names are looked under as tasks are, see `ownTasks`. */
export function taskSecretsOf(access: Access | undefined, upstream: string): TaskSecrets {
  const byName = (access && known.get(access)) ?? new Map<string, ByTask>();
  if (access !== undefined) known.set(access, byName);
  const all = (): readonly ByTask[] =>
    [...new Set([upstream, ...(access?.namesOf?.(upstream) ?? [])])].flatMap(
      (name) => byName.get(name) ?? [],
    );
  return {
    isEmpty: () => byName.size === 0 || all().length === 0, // most have none of any upstream
    of: (taskId) =>
      typeof taskId === 'string' && byName.size > 0 ? all().flatMap((tasks) => tasks.get(taskId) ?? []) : [],
    remember(taskId, secrets) {
      const own = byName.get(upstream) ?? new Map<string, readonly string[]>();
      byName.set(upstream, own);
      setLast(own, taskId, secrets, MAX_TASKS);
    },
  };
}
