/** Tasks belong to whoever has started them, and to nobody who may not use their tool any more. */
import {
  type Answer,
  decode,
  isMembers,
  lost,
  resultOf,
  type WireCall,
  type WireHandler,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import { plain } from '../call/kept-answers.ts';
import { mendAnswer } from '../call/mend-answer.ts';
import { Owners } from '../joined/owners.ts';
import { denied, unavailable } from './refusals.ts';
import type { Access } from './rules.ts';
import { keeping } from './trim-lists.ts';
import { type Use, useOf } from './uses.ts';

/** With which tool tasks were started: by upstream, task and caller, and by upstream and task. By what outlives upstreams that are replaced. */
const starts = new WeakMap<Access, Owners>();

/**
 * Stands around what is asked of one upstream. A server tells callers apart by their credentials, which behind a gateway
 * are the same for all. Of tasks that have begun elsewhere nothing is known here.
 */
export function ownTasks(access: Access, upstream: string): WirePolicy {
  const known = startsOf(access);
  const anyones = (task: unknown): string => JSON.stringify([upstream, task]);
  const ownBy = ({ caller }: WireCall, task: unknown): string =>
    JSON.stringify([upstream, task, caller ?? null]);
  const refusal = (call: WireCall, task: unknown): WireOutcome | undefined => {
    if (typeof task !== 'string') return undefined;
    const name = known.of(ownBy(call, task));
    if (name === undefined)
      return known.of(anyones(task)) === undefined ? undefined : unknownTask(call, task);
    const verdict = access.rules?.verdict(call.by, upstream, name);
    if (verdict === undefined || verdict.isAllowed) return undefined;
    const used: Use = { type: 'tool', name, isCall: true };
    return access.rules?.isOpaqueFor(call) === true
      ? unavailable(used, 'denied')
      : denied(used, verdict, call.by);
  };
  const note = (call: WireCall, answer: Answer): void => {
    const task = taskIn(answer);
    const used = task === undefined ? undefined : useOf(call);
    if (used === undefined) return;
    for (const key of [anyones(task), ownBy(call, task)]) {
      known.set(key, used.name);
      access.crew?.tell({ key, value: used.name });
    }
  };
  return (next) => async (call) => {
    if (call.method === 'tasks/list') return list(call, next, (task) => refusal(call, task) === undefined);
    const refused = call.method.startsWith('tasks/') ? refusal(call, call.params()?.['taskId']) : undefined;
    if (refused !== undefined) return refused;
    const outcome = await next(call);
    if (call.method === 'tools/call' && outcome.ok && outcome.value.type === 'answer')
      note(call, outcome.value);
    return outcome;
  };
}

/** Whatever worker has heard of them. */
function startsOf(access: Access): Owners {
  const before = starts.get(access);
  if (before !== undefined) return before;
  const known = new Owners();
  starts.set(access, known);
  access.crew?.hear(({ key, value }) => known.set(key, value));
  return known;
}

const TASK: Buffer = Buffer.from('"taskId"');

/** The task that an answer has started, in the form of either revision. */
function taskIn(answer: Answer): string | undefined {
  if (!answer.body.includes(TASK)) return undefined;
  const result = resultOf(decode(plain(answer).body)) ?? {};
  const task = isMembers(result['task']) ? result['task'] : result;
  const id = task === result && result['resultType'] !== 'task' ? undefined : task['taskId'];
  return typeof id === 'string' ? id : undefined;
}

async function list(
  call: WireCall,
  next: WireHandler,
  isVisible: (task: unknown) => boolean,
): Promise<WireOutcome> {
  const outcome = await next(call);
  if (!outcome.ok || outcome.value.type !== 'answer') return outcome;
  const value = mendAnswer(outcome.value, (message) =>
    keeping(message, 'tasks', (item) => isMembers(item) && isVisible(item['taskId'])),
  );
  return { ...outcome, value };
}

/** In the words that the gateway has for tasks of nobody. */
function unknownTask(call: WireCall, id: string): WireOutcome {
  return lost(call, {
    kind: 'not_found',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'task', id },
    message: `Task not found: ${id}`,
  });
}
