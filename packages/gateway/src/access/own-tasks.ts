/** Tasks belong to whoever has started them, and to nobody who may not use their tool any more. */
import { passing } from '@mayday/policy';
import {
  isMembers,
  lost,
  type WireCall,
  type WireHandler,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import { malformed } from '../call/malformed.ts';
import { mendAnswer } from '../call/mend-answer.ts';
import { foreignMethod } from '../call/own-methods.ts';
import { taskOwners } from '../call/owner.ts';
import { listening, noTexts, tasksListenedTo } from './listen-within.ts';
import type { Access } from './rules.ts';
import { StartedTasks, taskKey } from './started-tasks.ts';
import { keeping } from './trim-lists.ts';
import { unknownTask, WhoseTasks } from './whose-tasks.ts';

/** By what outlives upstreams that are replaced. */
const starts = new WeakMap<Access, StartedTasks>();

/**
 * Stands around what is asked of one upstream. A server tells callers apart by their credentials, which behind a gateway
 * are the same for all.
 */
export function ownTasks(access: Access, upstream: string): WirePolicy {
  const tasks = tasksOf(access, upstream);
  const ofTasks: WirePolicy = (next) => async (call) => {
    const foreign = foreignMethod(call.method, call.revision);
    if (foreign !== undefined) return lost(call, foreign);
    if (call.method === 'tasks/list') return list(call, next, tasks);
    if (call.method === 'subscriptions/listen') return listen(call, next, tasks);
    // What names no task, or not as everybody reads it, is nobody's to guess.
    const wrong = malformed(call.method, call.params());
    const task = call.params()?.['taskId'];
    const refused = wrong === undefined ? tasks.refusal(call, task) : lost(call, wrong);
    return refused ?? next(tasks.asking(call, String(task)));
  };
  return passing({
    except: { applies: ({ method }) => isAboutTasks(method), policy: ofTasks },
    after: (outcome, call) => {
      if (call.method === 'tools/call' && outcome.ok && outcome.value.type === 'answer')
        tasks.note(call, outcome.value);
      return outcome;
    },
  });
}

function isAboutTasks(method: string): boolean {
  return method.startsWith('tasks/') || method === 'subscriptions/listen';
}

/** Whose the tasks of one upstream are. */
export function tasksOf(access: Access, upstream: string): WhoseTasks {
  return new WhoseTasks(access, upstream, startsOf(access));
}

/** Where a caller has started the task of this id: of several, the one whose task is older. */
export function startedAt(
  access: Access,
  call: WireCall,
  task: string,
  upstreams: readonly string[],
): string | undefined {
  const byKey = new Map(upstreams.map((upstream) => [taskKey(upstream, task), upstream]));
  return byKey.get(startsOf(access).firstOf(taskOwners(call, task), [...byKey.keys()]) ?? '');
}

/** Whatever worker has heard of them. */
function startsOf(access: Access): StartedTasks {
  const before = starts.get(access);
  if (before !== undefined) return before;
  const known = new StartedTasks();
  starts.set(access, known);
  access.crew?.hear((learned) => known.learn(learned));
  return known;
}

async function list(call: WireCall, next: WireHandler, tasks: WhoseTasks): Promise<WireOutcome> {
  const outcome = await next(call);
  if (!outcome.ok || outcome.value.type !== 'answer') return outcome;
  const value = mendAnswer(outcome.value, (message) =>
    keeping(message, 'tasks', (item) => isMembers(item) && tasks.isListed(call, item['taskId'])),
  );
  return { ...outcome, value };
}

/** Of tasks that are not the caller's its server hears nothing. */
function listen(call: WireCall, next: WireHandler, tasks: WhoseTasks): Promise<WireOutcome> | WireOutcome {
  const asked = tasksListenedTo(call);
  if (asked === undefined) return next(call);
  if (asked === 'unreadable') return lost(call, noTexts('taskIds'));
  const own = asked.filter((task) => tasks.isHeard(call, task));
  if (own.length === asked.length) return next(call);
  const left = listening(call, { taskIds: own });
  const [first = ''] = asked.filter((task) => !own.includes(task));
  return left === undefined ? (tasks.refusal(call, first) ?? unknownTask(call, first)) : next(left);
}
