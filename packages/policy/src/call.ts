/** One call on its way from the door to the answer, as every policy sees it. */

import type { Executed, Fault } from '@mayday/core';
import type { CallMeta, PlannedCall } from '@mayday/core/plan';
import { nearestTo, needed, type OptionNames } from './check.ts';

/** A call. Policies never change one: they hand a changed copy to the next. */
export interface Call extends PlannedCall {
  /** Who is called, by name: for messages, metrics and keys. */
  readonly upstream: string;
  /** What is called there: a tool, a prompt, a resource. Each has its own circuit. */
  readonly target?: string | undefined;
  /** Who calls; absent for somebody without an identity. */
  readonly caller?: string | undefined;
  /** The conversation of theirs that it is part of, where they have several. */
  readonly session?: string | undefined;
  /** What is to answer has to be started for that conversation first. */
  readonly isStart?: boolean | undefined;
  /** What the caller may do. */
  readonly scopes?: readonly string[] | undefined;
  readonly arguments?: unknown;
  /** Until when somebody waits for the answer: Unix time in milliseconds, infinity for ever. */
  readonly deadline: number;
  /** Aborts when nobody waits any longer. */
  readonly signal?: AbortSignal | undefined;
  /** 1 for the first. */
  readonly attempt: number;
  /** What a caller above this one sent along. It counts the attempts, so nobody below it retries. */
  readonly above?: CallMeta | undefined;
  /** Send it once at most, whatever is known about its failure. */
  readonly once?: boolean | undefined;
  /** How long it may still wait at doors of our own. */
  readonly patienceMs?: number | undefined;
  /** What has become of it so far; one record for all its copies. */
  readonly progress: Progress;
}

/** Where a call keeps what was called last on its way, as far in as it has come: for `compose` alone. */
export const CALLED: unique symbol = Symbol('called');

/** What has become of a call so far, whichever of its copies has done it. Whoever sends calls keeps it, as `sender` does. */
export interface Progress {
  /** Attempts that were sent. */
  attempts: number;
  /** Did any attempt that has ended run over there? */
  executed: Executed;
  /** The attempt under way has left this side: from here on nobody can say that nothing happened. */
  began: boolean;
  /** An attempt has failed, and is held against its target: the others of this call are not. */
  heldAgainst?: boolean | undefined;
  [CALLED]?: Promise<unknown> | undefined;
}

/** What it takes to describe a call. */
export type CallInit<C extends Call = Call> = Omit<C, 'deadline' | 'attempt' | 'progress'> &
  Partial<Pick<C, 'deadline' | 'attempt'>>;

/** What every call has, or may have. */
const MEMBERS: OptionNames<Call> = {
  method: true,
  readOnly: true,
  idempotent: true,
  destructive: true,
  repeatable: true,
  idempotencyKey: true,
  upstream: true,
  target: true,
  caller: true,
  session: true,
  isStart: true,
  scopes: true,
  arguments: true,
  deadline: true,
  signal: true,
  attempt: true,
  above: true,
  once: true,
  patienceMs: true,
  progress: true,
};

/** Names that were looked at once: calls have the same ones again and again. */
const fine = new Set<string>(Object.keys(MEMBERS));
const MOST_NAMES = 1000;

/** A call may have members of its own; what only looks like one of ours is a slip, and a promise that nobody keeps. */
function checkNames(init: object): void {
  for (const name in init) {
    if (fine.has(name)) continue;
    const meant = nearestTo(name, Object.keys(MEMBERS), 1);
    if (meant !== undefined)
      throw new TypeError(`Unknown member \`${name}\` of a call; did you mean \`${meant}\`?`);
    if (fine.size < MOST_NAMES) fine.add(name);
  }
}

/** A call at its beginning: first attempt, no deadline unless given, nothing done yet. */
export function startCall<C extends Call = Call>(init: CallInit<C>): C {
  const progress: Progress = {
    attempts: 0,
    executed: 'no',
    began: false,
    heldAgainst: undefined,
    [CALLED]: undefined,
  };
  needed('`upstream`', init.upstream, 'a text', isText);
  checkNames(init);
  const { deadline = Number.POSITIVE_INFINITY, attempt = 1 } = init;
  return { ...init, deadline, attempt, progress } as C; // what is copied first is copied as a whole
}

const isText = (value: unknown): boolean => typeof value === 'string';

/** The call for somebody who looks at it: a copy, so that what they write there changes nothing. */
export function shownCall<C extends Call>(call: C): C {
  const { above, progress } = call;
  return { ...call, above: above && { ...above }, progress: { ...progress } };
}

/** The same for a fault. */
export function shownFault(fault: Fault): Fault {
  return { ...fault, retry: { ...fault.retry } };
}

const ORDER: readonly Executed[] = ['no', 'maybe', 'yes'];

/** If any of the two may have been executed, the whole may have been. */
export function worse(left: Executed, right: Executed): Executed {
  return rank(left) > rank(right) ? left : right;
}

/** What says neither leaves it open. */
function rank(executed: Executed): number {
  return isExecuted(executed) ? ORDER.indexOf(executed) : 1;
}

/** Is it one of the words for whether something was executed? */
export function isExecuted(said: unknown): said is Executed {
  return (ORDER as readonly unknown[]).includes(said);
}

/** Was the call executed, as far as anybody here can say right now? */
export function executedSoFar({ executed, began }: Progress): Executed {
  return began ? worse(executed, 'maybe') : executed;
}
