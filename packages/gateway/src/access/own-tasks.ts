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
import { malformed } from '../call/malformed.ts';
import { mendAnswer } from '../call/mend-answer.ts';
import { canBeGuessed, isToldApart, listedOwners, taskOwners } from '../call/owner.ts';
import { denied, unavailable } from './refusals.ts';
import type { Access } from './rules.ts';
import { StartedTasks, taskKey } from './started-tasks.ts';
import { keeping } from './trim-lists.ts';
import { type Use, useOf } from './uses.ts';

/** By what outlives upstreams that are replaced. */
const starts = new WeakMap<Access, StartedTasks>();

/**
 * Stands around what is asked of one upstream. A server tells callers apart by their credentials, which behind a gateway
 * are the same for all.
 */
export function ownTasks(access: Access, upstream: string): WirePolicy {
  const known = startsOf(access);
  // First by the name that is asked: what has begun there is not what another name may have under the same id.
  const names = (): readonly string[] => [
    upstream,
    ...(access.namesOf?.(upstream) ?? []).filter((each) => each !== upstream),
  ];
  /** The key of a task that has begun here. */
  const begunHere = (task: unknown): string | undefined =>
    typeof task === 'string'
      ? names()
          .map((each) => taskKey(each, task))
          .find((key) => known.hasBegun(key))
      : undefined;
  /**
   * Where a caller's task of an id that others may have too has begun: a server may name tasks anew in each session, and those
   * without one are shared by all.
   */
  const whereBegun = (call: WireCall, task: string): WireCall['begun'] => {
    if (!isBySession(call, task) || access.isForOne === true || isToldApart(call)) return undefined;
    const isHere = names().some((each) =>
      known.toolOf(taskOwners(call, task), taskKey(each, task, call.session ?? '')),
    );
    return isHere ? 'here' : 'elsewhere';
  };
  const refusal = (
    call: WireCall,
    task: unknown,
    ownersOf: typeof taskOwners = taskOwners,
  ): WireOutcome | undefined => {
    const begun = begunHere(task);
    if (begun === undefined || typeof task !== 'string')
      return mayBeOwn(call, task, ownersOf === listedOwners) ? undefined : unknownTask(call, String(task));
    const name = known.toolOf(ownersOf(call, task), begun);
    if (name === undefined) return unknownTask(call, task);
    const used: Use = { type: 'tool', name, isCall: true };
    const verdict = access.rules?.verdict(call.by, upstream, used);
    if (verdict === undefined || verdict.isAllowed) return undefined;
    return access.rules?.isOpaqueFor(call) === true
      ? unavailable(used, 'denied')
      : denied(used, verdict, call.by);
  };
  /**
   * Of a task that nobody is known to have begun here, its answer may be on its way to somebody, or was lost: nobody is shown
   * it, and whoever asks for it has to know an id that nobody guesses. One caller alone, and callers whom their server tells
   * apart, have what it says is theirs.
   */
  const mayBeOwn = (call: WireCall, task: unknown, isListed: boolean): boolean =>
    access.isForOne === true ||
    isToldApart(call) ||
    (!isListed && (typeof task !== 'string' || !canBeGuessed(task)));
  const note = (call: WireCall, answer: Answer): void => {
    const task = taskIn(answer);
    const used = task === undefined ? undefined : useOf(call);
    if (task === undefined || used === undefined) return;
    const owners = taskOwners(call, task);
    const bySession = isBySession(call, task) ? [taskKey(upstream, task, call.session ?? '')] : [];
    for (const key of [taskKey(upstream, task), ...bySession]) {
      const started = { owners, task: key, tool: used.name };
      known.learn(started);
      access.crew?.tell(started);
    }
  };
  /** In a session of its own a caller is listed what began in others, too; without one there are those of everybody. */
  const isListed = (call: WireCall, task: unknown): boolean =>
    refusal(call, task, listedOwners) === undefined &&
    (call.session !== undefined || typeof task !== 'string' || whereBegun(call, task) !== 'elsewhere');
  return (next) => async (call) => {
    if (call.method === 'tasks/list') return list(call, next, (task) => isListed(call, task));
    if (call.method.startsWith('tasks/')) {
      // What names no task, or not as everybody reads it, is nobody's to guess.
      const wrong = malformed(call.method, call.params());
      const refused = wrong === undefined ? refusal(call, call.params()?.['taskId']) : lost(call, wrong);
      if (refused !== undefined) return refused;
      const task = String(call.params()?.['taskId']);
      const begun = begunHere(task);
      const begunWith = begun && known.toolOf(taskOwners(call, task), begun);
      return next(begun === undefined ? call : { ...call, begunWith, begun: whereBegun(call, task) });
    }
    const outcome = await next(call);
    if (call.method === 'tools/call' && outcome.ok && outcome.value.type === 'answer')
      note(call, outcome.value);
    return outcome;
  };
}

/** Does it depend on the session with its server which task an id means? Where the gateway has the sessions, it sees to that. */
function isBySession({ isPassedOn }: WireCall, task: string): boolean {
  return isPassedOn === true && canBeGuessed(task);
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
export function unknownTask(call: WireCall, id: string): WireOutcome {
  return lost(call, {
    kind: 'not_found',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'task', id },
    message: `Task not found: ${id}`,
  });
}
