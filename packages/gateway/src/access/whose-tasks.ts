/** Whose a task of one upstream is, as far as that was seen here. */
import {
  type Answer,
  decode,
  isMembers,
  type Listening,
  lost,
  namesTask,
  resultOf,
  type WireCall,
  type WireOutcome,
} from '@mayday/relay';
import { plain } from '../call/kept-answers.ts';
import { canBeGuessed, isToldApart, listedOwners, taskOwners } from '../call/owner.ts';
import { denied, unavailable } from './refusals.ts';
import type { Access } from './rules.ts';
import { type StartedTasks, taskKey } from './started-tasks.ts';
import { type Use, useOf } from './uses.ts';

/** The tasks of one upstream. */
export class WhoseTasks {
  readonly #access: Access;
  readonly #upstream: string;
  readonly #known: StartedTasks;

  constructor(access: Access, upstream: string, known: StartedTasks) {
    this.#access = access;
    this.#upstream = upstream;
    this.#known = known;
  }

  /** Why a caller is not told of a task; nothing where it is the caller's. */
  refusal(call: WireCall, task: unknown, ownersOf: typeof taskOwners = taskOwners): WireOutcome | undefined {
    const { rules } = this.#access;
    const begun = this.#begun(task);
    if (begun === undefined || typeof task !== 'string')
      return this.#mayBeOwn(call, task, ownersOf === listedOwners)
        ? undefined
        : unknownTask(call, String(task));
    const name = this.#known.toolOf(ownersOf(call, task), begun);
    if (name === undefined) return unknownTask(call, task);
    const used: Use = { type: 'tool', name, isCall: true };
    const verdict = rules?.verdict(call.by, this.#upstream, used);
    if (verdict === undefined || verdict.isAllowed) return undefined;
    return rules?.isOpaqueFor(call) === true ? unavailable(used, 'denied') : denied(used, verdict, call.by);
  }

  /** May it be told of beside others? In a session of its own a caller is listed what began in others, too. */
  isListed(call: WireCall, task: unknown): boolean {
    return this.refusal(call, task, listedOwners) === undefined && this.#isMeant(call, task);
  }

  /** The same for one that the caller names. */
  isHeard(call: WireCall, task: string): boolean {
    return this.refusal(call, task) === undefined && this.#isMeant(call, task);
  }

  /** May its server tell somebody of it unasked? Of one that is not known to have begun, the answer may be on its way. */
  isTold(listener: Listening, task: string): boolean {
    const begun = this.#begun(task);
    if (begun === undefined) return true;
    const name = this.#known.toolOf(taskOwners(listener, task), begun);
    if (name === undefined) return false;
    const used = { type: 'tool', name } as const;
    return this.#access.rules?.verdict(listener.by, this.#upstream, used).isAllowed !== false;
  }

  /** A call that asks for a task of its caller's, with what is known of that. */
  asking(call: WireCall, task: string): WireCall {
    const begun = this.#begun(task);
    if (begun === undefined) return call;
    const begunWith = this.#known.toolOf(taskOwners(call, task), begun);
    return { ...call, begunWith, begun: this.#whereBegun(call, task) };
  }

  /** Remembers the task that a call has begun. */
  note(call: WireCall, answer: Answer): void {
    const task = taskIn(answer);
    const used = task === undefined ? undefined : useOf(call);
    if (task === undefined || used === undefined) return;
    const owners = taskOwners(call, task);
    const key = taskKey(this.#upstream, task);
    // What stands for itself is without a session at every endpoint.
    const isSeen = isBySession(call, task) || call.revision === '2026-07-28';
    const keys = isSeen ? [key, taskKey(this.#upstream, task, call.session ?? '')] : [key];
    for (const each of keys) {
      const started = { owners, task: each, tool: used.name };
      this.#known.learn(started);
      this.#access.crew?.tell(started);
    }
  }

  /** First by the name that is asked: what has begun there is not what another name may have under the same id. */
  #names(): readonly string[] {
    const others = this.#access.namesOf?.(this.#upstream) ?? [];
    return [this.#upstream, ...others.filter((each) => each !== this.#upstream)];
  }

  /** The key of a task that has begun here. */
  #begun(task: unknown): string | undefined {
    if (typeof task !== 'string') return undefined;
    return this.#names()
      .map((each) => taskKey(each, task))
      .find((key) => this.#known.hasBegun(key));
  }

  /**
   * Of a task that nobody is known to have begun here, its answer may be on its way to somebody, or was lost: nobody is shown
   * it, and whoever asks for it has to know an id that nobody guesses. One caller alone, and callers whom their server tells
   * apart, have what it says is theirs.
   */
  #mayBeOwn(call: WireCall, task: unknown, isListed: boolean): boolean {
    return this.#isTrusted(call) || (!isListed && (typeof task !== 'string' || !canBeGuessed(task)));
  }

  #isTrusted(call: WireCall): boolean {
    return this.#access.isForOne === true || isToldApart(call);
  }

  /** Where a caller's task has begun, of an id that others may have too. */
  #whereBegun(call: WireCall, task: string): WireCall['begun'] {
    if (!isBySession(call, task) || this.#isTrusted(call)) return undefined;
    const isHere = this.#names().some((each) =>
      this.#known.toolOf(taskOwners(call, task), taskKey(each, task, call.session ?? '')),
    );
    return isHere ? 'here' : 'elsewhere';
  }

  /** Without a session there are the tasks of everybody. */
  #isMeant(call: WireCall, task: unknown): boolean {
    if (call.session !== undefined || typeof task !== 'string') return true;
    return this.#whereBegun(call, task) !== 'elsewhere';
  }
}

/** Does it depend on the session with its server which task an id means? Where the gateway has the sessions, it sees to that. */
function isBySession({ isPassedOn }: WireCall, task: string): boolean {
  return isPassedOn === true && canBeGuessed(task);
}

/** The task that an answer has started, in the form of either revision. */
function taskIn(answer: Answer): string | undefined {
  if (!namesTask(answer.body)) return undefined;
  const result = resultOf(decode(plain(answer).body)) ?? {};
  const task = isMembers(result['task']) ? result['task'] : result;
  const id = task === result && result['resultType'] !== 'task' ? undefined : task['taskId'];
  return typeof id === 'string' ? id : undefined;
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
