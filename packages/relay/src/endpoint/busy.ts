/** What a conversation is asked just now, also where nobody waits for the answer any more, and the tasks that it has begun. */
import type { Link } from '../links/link.ts';
import type { WireHandler } from './call.ts';
import { RunningTasks } from './running-tasks.ts';

/** By link: whoever replaces an endpoint finds here what the one before has asked. */
const asked = new WeakMap<Link, number>();
const begun = new WeakMap<Link, RunningTasks>();

/** The same handler; while it runs, and what it has begun, its link is busy. */
export function keepingBusy(link: Link, handler: WireHandler): WireHandler {
  const count = (more: number): unknown => asked.set(link, (asked.get(link) ?? 0) + more);
  const tasks = begun.get(link) ?? new RunningTasks();
  begun.set(link, tasks);
  return async (call) => {
    count(1);
    try {
      const outcome = await handler(call);
      tasks.see(call, outcome, Date.now());
      return outcome;
    } finally {
      count(-1);
    }
  };
}

/** Is anything asked over it that it has not answered yet, or does a task run? */
export function isBusy(link: Link | undefined, now: number = Date.now()): boolean {
  if (link === undefined) return false;
  return (asked.get(link) ?? 0) > 0 || link.isBusy === true || begun.get(link)?.areAny(now) === true;
}

/** Has it begun a task that has not ended, by the id that its server gave? */
export function runsTask(link: Link, id: string, now: number = Date.now()): boolean {
  return begun.get(link)?.has(id, now) === true;
}
