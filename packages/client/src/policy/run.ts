/**
 * The one loop through which every call goes: places, circuits, deadline, attempts, plan, budget. It never
 * throws: a call ends in a value or in a fault.
 */
import type { Executed, Fault } from '@mayday/core';
import { type CallMeta, type PlanOptions, plan } from '@mayday/core/plan';
import { type Admission, admit } from './admission.ts';
import { runAttempt } from './attempt.ts';
import { milliseconds } from './check.ts';
import { sleep } from './clock.ts';
import type { FaultEvent, Listener } from './events.ts';
import { joinListeners } from './events.ts';
import { localFault } from './local-faults.ts';
import type { CallInfo, Outcome } from './outcome.ts';
import type { Upstream } from './upstream.ts';

/** One attempt, as it is handed to whoever sends it. */
export interface Attempt {
  /** 1 for the first. */
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** What to tell the server: until when we wait, and which attempt this is. */
  readonly meta: CallMeta;
  /** The peer has shown a sign of life: the attempt's time starts again. */
  extend(): void;
  /** Work before anything is sent: only the deadline bounds it, and ending there means not executed. */
  prepare<T>(work: Promise<T>): Promise<T>;
}

/** How one call is run. */
export interface RunOptions<T> extends Omit<PlanOptions, 'random'> {
  /** For the whole call, attempts and waits together. Default 60 s. */
  readonly deadlineMs?: number | undefined;
  /** For one attempt. Default: what is left of the deadline. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Starts a second attempt beside a slow first one, where that can do no harm. Off by default. */
  readonly hedgeAfterMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What a caller above this one sent along. */
  readonly above?: CallMeta | undefined;
  /** The fault in an answer; `undefined` when it is a success. By default every answer is. */
  readonly faultIn?: ((value: T) => Fault | undefined) | undefined;
  /** The fault in what was thrown. By default read from class, code, cause and body. */
  readonly faultInThrown?: ((thrown: unknown, now: number) => Fault) | undefined;
  /** Mends what a fault says is broken, such as an expired session; `true` means try again at once. */
  readonly recover?: ((fault: Fault) => Promise<boolean>) | undefined;
  readonly onFault?: ((event: FaultEvent) => void) | undefined;
}

/** The end of a call. */
export interface Settled<T> {
  readonly outcome: Outcome<T>;
  /** Attempts that were sent. */
  readonly attempts: number;
  readonly elapsedMs: number;
  /** Why it ended as it did, as a sentence; absent after a success. */
  readonly reason?: string;
}

/** The deadline of a call that sets none. */
export const DEADLINE_MS = 60_000;

/** How long to wait for a retry that the budget does not grant yet; up to twice that. */
const BUDGET_WAIT_MS = 250;

/** Makes a call, under all policies of its upstream. */
export async function run<T>(
  upstream: Upstream,
  call: CallInfo,
  send: (attempt: Attempt) => Promise<T>,
  options: RunOptions<T> = {},
): Promise<Settled<T>> {
  const { clock } = upstream;
  const { above, signal } = options;
  const emit = listenerOf(upstream, options);
  const started = clock.now();
  const ownDeadline = started + milliseconds('deadlineMs', options.deadlineMs, DEADLINE_MS);
  const deadline = Math.min(ownDeadline, above?.deadline ?? ownDeadline);
  const planOptions: PlanOptions = { ...options, random: upstream.random };
  let attempts = 0;
  let waitedMs = 0;
  let recovered = false;
  let executed: Executed = 'no';

  const settle = (outcome: Outcome<T>, reason?: string): Settled<T> => {
    const elapsedMs = clock.now() - started;
    const told = outcome.ok
      ? outcome
      : { ...outcome, fault: withHistory(outcome.fault, attempts, executed, reason) };
    const budget = upstream.budget?.balance;
    emit({ type: 'end', call, upstream: upstream.name, outcome: told, attempts, elapsedMs, budget });
    return { outcome: told, attempts, elapsedMs, ...(reason === undefined ? {} : { reason }) };
  };
  const giveUp = (fault: Fault, reason: string): Settled<T> => settle({ ok: false, fault }, reason);
  const waitOrEnd = async (ms: number): Promise<Settled<T> | undefined> => {
    if (await sleep(clock, ms, signal)) return undefined;
    return giveUp(localFault('cancelled'), 'The caller gave up while the call waited for its next attempt');
  };

  emit({ type: 'start', call, upstream: upstream.name });
  upstream.budget?.deposit();
  for (;;) {
    if (signal?.aborted === true) return giveUp(localFault('cancelled'), 'The caller gave up');
    const remainingMs = deadline - clock.now();
    if (remainingMs <= 0) return giveUp(localFault('deadline'), 'The deadline has passed');

    const admission: Admission = await admit(upstream, call, {
      deadline,
      signal,
      patienceMs: upstream.patienceMs - waitedMs,
    });
    if (!admission.admitted) {
      const { fault, by, waitMs } = admission;
      emit({ type: 'refused', call, by, fault, ...(waitMs === undefined ? {} : { waitMs }) });
      if (waitMs === undefined) return giveUp(fault, admission.reason);
      waitedMs += waitMs;
      const ended = await waitOrEnd(waitMs);
      if (ended !== undefined) return ended;
      continue;
    }

    attempts += 1;
    const attempt = attempts;
    emit({ type: 'attempt', call, attempt });
    const outcome = await runAttempt(upstream, call, send, { ...options, admission, attempt, deadline });
    if (outcome === 'refused') {
      // The circuit opened between the check and the call; nothing was sent.
      attempts -= 1;
      continue;
    }
    if (outcome.ok) return settle(outcome);
    executed = worse(executed, outcome.fault.executed);

    if (!recovered && options.recover !== undefined && (await mended(options.recover, outcome.fault))) {
      recovered = true;
      emit({ type: 'recovered', call, fault: outcome.fault });
      attempts -= 1;
      continue;
    }
    const left = deadline - clock.now();
    const history = { attempt, remainingMs: left, attemptAbove: above?.attempt };
    const next = plan(outcome.fault, call, history, planOptions);
    emit({ type: 'fault', call, fault: outcome.fault, attempt, plan: next });
    if (!next.retry) return settle(outcome, next.reason);
    const ended = await waitOrEnd(next.afterMs);
    if (ended !== undefined) return ended;
    // The budget bounds how many retries there are in a second, not whether this one is ever made.
    while (upstream.budget?.withdraw() === false) {
      const waitMs = BUDGET_WAIT_MS + Math.ceil(upstream.random() * BUDGET_WAIT_MS);
      const waits = waitMs <= upstream.patienceMs - waitedMs && waitMs < deadline - clock.now();
      emit({ type: 'refused', call, by: 'budget', fault: outcome.fault, ...(waits ? { waitMs } : {}) });
      if (!waits) return settle(outcome, `Not tried again: the retry budget of ${upstream.name} is spent`);
      waitedMs += waitMs;
      const over = await waitOrEnd(waitMs);
      if (over !== undefined) return over;
    }
  }
}

function listenerOf<T>(upstream: Upstream, options: RunOptions<T>): Listener {
  const { onFault } = options;
  if (onFault === undefined) return upstream.emit;
  return joinListeners([
    upstream.emit,
    (event) => {
      if (event.type === 'fault') onFault(event);
    },
  ]);
}

async function mended(recover: (fault: Fault) => Promise<boolean>, fault: Fault): Promise<boolean> {
  try {
    return await recover(fault);
  } catch {
    return false; // the fault at hand says more than the failed attempt to mend it
  }
}

const ORDER: readonly Executed[] = ['no', 'maybe', 'yes'];

/** If any attempt may have been executed, the call may have been. */
function worse(left: Executed, right: Executed): Executed {
  return ORDER.indexOf(left) > ORDER.indexOf(right) ? left : right;
}

/** The fault of the last attempt, with what is known of all of them. */
function withHistory(fault: Fault, attempts: number, executed: Executed, reason: string | undefined): Fault {
  return {
    ...fault,
    // A local fault knows nothing of its own about what happened over there.
    executed: fault.origin === 'local' ? executed : worse(executed, fault.executed),
    details: { ...fault.details, attempts, ...(reason === undefined ? {} : { stopped: reason }) },
  };
}
