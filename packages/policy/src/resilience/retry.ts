/**
 * The loop: it alone repeats a call. After a failed attempt a plan says whether another one may follow, and
 * when; after a refusal of our own, the call waits as long as its patience lasts.
 */
import type { Fault } from '@mayday/core';
import {
  type Plan,
  type PlanHistory,
  type PlannedCall,
  type PlanOptions,
  plan,
  planLimits,
  safetyOf,
} from '@mayday/core/plan';
import { type Call, executedSoFar, shownCall, shownFault, worse } from '../call.ts';
import { callable, integer, milliseconds, type OptionNames, onlyKnown } from '../check.ts';
import { type Clock, type Random, sleep, systemClock, systemRandom } from '../clock.ts';
import { type CallEvent, hush, isPromise, type Listener } from '../events.ts';
import { cutOff } from '../local-faults.ts';
import type { Failed, Outcome } from '../outcome.ts';
import type { Awaitable, Handler, Policy } from '../policy.ts';
import { isOverdue } from '../scope.ts';
import { type AsKnown, knownNow } from './as-known.ts';
import { type Budget, checkBudget } from './budget.ts';

/** When a call is repeated. */
export interface RetryOptions extends Omit<PlanOptions, 'random' | 'retryIf'> {
  /** Shared by all calls to one upstream, so that retries stay a bounded share of the load. */
  readonly budget?: Budget | undefined;
  /** How long a call waits, in all, for a circuit or the budget. Default 10 s. */
  readonly patienceMs?: number | undefined;
  /**
   * Your own judgement of what passes by repeating: `true` tries again what is not retryable by itself (an HTTP
   * 500 on a read), `false` leaves it, `undefined` goes by the fault. It makes no unsafe repetition safe, and
   * attempts, waits and deadlines hold all the same.
   */
  readonly retryIf?: ((fault: Fault, call: PlannedCall) => boolean | undefined) | undefined;
  /** The call with what is known about it by now, where that may have been found out since it was made. */
  readonly asKnown?: AsKnown | undefined;
  /** Mends what a fault says is broken, such as an expired session; `true` means try again at once. */
  readonly recover?: ((fault: Fault, call: Call) => Promise<boolean>) | undefined;
  readonly emit?: Listener | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
}

const OPTIONS: OptionNames<RetryOptions> = {
  attempts: true,
  baseMs: true,
  throttledBaseMs: true,
  maxBackoffMs: true,
  maxWaitMs: true,
  budget: true,
  patienceMs: true,
  retryIf: true,
  asKnown: true,
  recover: true,
  emit: true,
  clock: true,
  random: true,
};

/** How long to wait for a retry that the budget does not grant yet; up to twice that. */
const BUDGET_WAIT_MS = 250;

const WAITS = ['baseMs', 'throttledBaseMs', 'maxBackoffMs', 'maxWaitMs'] as const;
const FUNCTIONS = ['retryIf', 'asKnown', 'recover', 'emit', 'random'] as const;

/** What nobody can plan with is refused here: found at the first failure, it would stand in the place of what failed. */
function checkRetry(options: RetryOptions): void {
  onlyKnown('`retry`', options, OPTIONS);
  integer('attempts', options.attempts, 1, 1);
  for (const name of WAITS) milliseconds(name, options[name], 0);
  for (const name of FUNCTIONS) callable(name, options[name]);
  checkBudget(options.budget);
}

/** The retry policy. */
export function retry<T, C extends Call>(options: RetryOptions = {}): Policy<T, C> {
  checkRetry(options);
  const { retryIf } = options;
  const settings: Settings = {
    ...options,
    retryIf: retryIf && ((fault, call) => retryIf(shownFault(fault), shownCall(call as Call))),
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    patienceMs: milliseconds('patienceMs', options.patienceMs, 10_000),
  };
  // Named, to be found in a path.
  const retrying: Policy<T, C> = (next) => (call) => new Loop(settings, next, call).run();
  return retrying;
}

interface Settings extends RetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly patienceMs: number;
}

type Told = Extract<CallEvent, { readonly type: 'fault' | 'refused' | 'recovered' }>;

/** One call and its attempts. */
class Loop<T, C extends Call> {
  readonly #settings: Settings;
  readonly #next: Handler<T, C>;
  readonly #call: C;
  #waitedMs = 0;
  #hasRecovered = false;
  /** What the last attempt met. */
  #met: Failed<T> | undefined;

  constructor(settings: Settings, next: Handler<T, C>, call: C) {
    this.#settings = settings;
    this.#next = next;
    this.#call = call;
  }

  async run(): Promise<Outcome<T>> {
    const call = this.#call;
    const { progress } = call;
    this.#settings.budget?.deposit(call.caller);
    for (;;) {
      const ended = this.#ended();
      if (ended !== undefined) return this.#end(ended);
      const patienceMs = Math.max(0, this.#settings.patienceMs - this.#waitedMs);
      const outcome = await this.#next(withAttempt(call, progress.attempts + 1, patienceMs));
      if (outcome.ok) {
        progress.attempts += 1;
        return outcome;
      }
      const next = outcome.refused === undefined ? this.#afterFailure(outcome) : this.#afterRefusal(outcome);
      const last = next instanceof Promise ? await next : next;
      if (last !== undefined) return this.#end(last);
    }
  }

  /** The outcome to end with; `undefined` when another attempt follows. */
  #afterFailure(outcome: Failed<T>): Awaitable<Failed<T> | undefined> {
    const { progress } = this.#call;
    progress.executed = worse(progress.executed, outcome.fault.executed);
    // Cut off before it was sent, in a line of ours: that was no attempt.
    if (outcome.ended !== undefined && outcome.rest === undefined)
      return outcome.ended === 'cancelled' ? outcome : this.#late(outcome);
    this.#met = outcome;
    if (this.#settings.recover === undefined || this.#hasRecovered) return this.#afterMending(outcome, false);
    return this.#recovered(outcome).then((recovered) => this.#afterMending(outcome, recovered));
  }

  #afterMending(outcome: Failed<T>, recovered: boolean): Awaitable<Failed<T> | undefined> {
    const { progress } = this.#call;
    // What was refused for what is mended now was sent like any other. What became of an attempt of before was sent once, if not by
    // this call, then by the one whose next attempt this is.
    if (outcome.earlier !== true || progress.attempts === 0) progress.attempts += 1;
    progress.began = false; // and what became of it is known
    if (recovered) return undefined;
    const next = this.#plan(outcome);
    if (this.#settings.emit !== undefined) {
      const { fault } = outcome;
      this.#tell({ type: 'fault', call: this.#call, fault, attempt: progress.attempts, plan: { ...next } });
    }
    return next.retry ? this.#onceMore(outcome, next.afterMs) : { ...outcome, reason: next.reason };
  }

  async #onceMore(outcome: Failed<T>, afterMs: number): Promise<Failed<T> | undefined> {
    const { fault } = outcome;
    const over = await this.#wait(afterMs);
    // Whoever comes back when the upstream has asked for it is no part of a storm.
    if (over !== undefined || fault.kind === 'rate_limited') return over;
    return this.#spend(outcome);
  }

  /** Nothing was sent: the call asks again after a while, if it can wait so long. */
  async #afterRefusal(outcome: Failed<T>): Promise<Failed<T> | undefined> {
    const { fault, refused, reason } = outcome;
    const asked = refused?.waitMs;
    const waitMs = asked !== undefined && this.#canWait(asked) ? asked : undefined;
    this.#tell({ type: 'refused', call: this.#call, by: refused?.by ?? '', fault, waitMs });
    if (waitMs !== undefined) return this.#waitPatiently(waitMs);
    if (reason !== undefined) return outcome;
    // One number for everybody: what this call would wait is spread, so that not all come back at once.
    const tooLong = asked === undefined ? '' : this.#tooLong(fault.retry.afterMs ?? asked);
    if (this.#met === undefined) return { ...outcome, reason: `${fault.message}${tooLong}` };
    const why = fault.message.replace(/^Not sent: /, 'Not tried again: ');
    return { ...this.#met, fault: comingBack(this.#met.fault, fault), reason: `${why}${tooLong}` };
  }

  /** Where nobody waits at all, it is not the call that cannot. */
  #tooLong(ms: number): string {
    return this.#settings.patienceMs === 0
      ? `; it may be sent in ${ms} ms`
      : `; the call cannot wait the ${ms} ms until it may be sent`;
  }

  #plan(outcome: Failed<T>): Plan {
    const call = knownNow(this.#call, this.#settings.asKnown);
    if (call === undefined) return stop('Not tried again: asKnown gave no call');
    const { progress, above } = call;
    const { fault } = outcome;
    if (outcome.settled === true) return stop('Not tried again: it is the end of what was asked about');
    if (call.once === true) return stop('Not tried again: the call is to be sent once at most');
    const remainingMs = call.deadline - this.#settings.clock.now();
    const history = { attempt: progress.attempts, remainingMs, attemptAbove: above?.attempt };
    const planned = this.#planned(fault, call, history);
    const isBound = planned.retry && outcome.committed === true;
    return isBound ? stop('Not tried again: what it has sent so far has been passed on') : planned;
  }

  #planned(fault: Fault, call: C, history: PlanHistory): Plan {
    let wish: boolean | undefined;
    try {
      wish = this.#settings.retryIf?.(fault, call);
    } catch {
      return stop('Not tried again: retryIf threw an error'); // the fault at hand is what the caller has to hear
    }
    if (isPromise(wish)) {
      hush(wish);
      return stop('Not tried again: retryIf gave a promise instead of true, false or undefined');
    }
    const planned = plan(fault, call, history, this.#settings);
    if (wish === false && planned.retry)
      return stop(`Not tried again: retryIf says that ${fault.kind.replaceAll('_', ' ')} does not pass`);
    if (wish !== true || planned.rule !== 'not_retryable') return planned;
    return plan({ ...fault, retryable: true, retry: { when: 'backoff' } }, call, history, this.#settings);
  }

  /** The budget bounds how many retries there are in a second, not whether this one is ever made. */
  async #spend(outcome: Failed<T>): Promise<Failed<T> | undefined> {
    const { budget, random } = this.#settings;
    const call = this.#call;
    while (budget?.withdraw(call.caller) === false) {
      const waitMs = BUDGET_WAIT_MS + Math.ceil(random() * BUDGET_WAIT_MS);
      const waits = this.#canWait(waitMs);
      this.#tell({
        type: 'refused',
        call,
        by: 'budget',
        fault: outcome.fault,
        waitMs: waits ? waitMs : undefined,
      });
      if (!waits)
        return { ...outcome, reason: `Not tried again: the retry budget of ${call.upstream} is spent` };
      const over = await this.#waitPatiently(waitMs);
      if (over !== undefined) return over;
    }
    return undefined;
  }

  async #recovered({ fault, committed }: Failed<T>): Promise<boolean> {
    const { recover } = this.#settings;
    const call = this.#call;
    if (recover === undefined) return false;
    try {
      this.#hasRecovered = await recover(shownFault(fault), shownCall(call));
    } catch {
      return false; // the fault at hand says more than the failed attempt to mend it
    }
    if (!this.#hasRecovered) return false;
    this.#tell({ type: 'recovered', call, fault });
    // What is mended serves the next call; whether this one is sent again is another question.
    const isLast = call.progress.attempts + 1 >= planLimits(this.#settings).attempts;
    return !isLast && committed !== true && call.once !== true && safetyOf(call, fault.executed).safe;
  }

  /** Whoever listens gets copies: what is decided by is not theirs to change. */
  #tell(event: Told): void {
    const { emit } = this.#settings;
    emit?.({ ...event, call: shownCall(event.call), fault: shownFault(event.fault) });
  }

  #canWait(ms: number): boolean {
    const { clock, patienceMs } = this.#settings;
    return ms <= patienceMs - this.#waitedMs && ms < this.#call.deadline - clock.now();
  }

  #waitPatiently(ms: number): Promise<Failed<T> | undefined> {
    this.#waitedMs += ms;
    return this.#wait(ms);
  }

  async #wait(ms: number): Promise<Failed<T> | undefined> {
    if (await sleep(this.#settings.clock, ms, this.#call.signal)) return undefined;
    return this.#ended('The caller gave up while the call waited for its next attempt');
  }

  /** Nobody waits for the call any longer. */
  #ended(reason?: string): Failed<T> | undefined {
    const { signal, deadline, progress } = this.#call;
    const isOver = this.#settings.clock.now() >= deadline || isOverdue(signal);
    if (!isOver && signal?.aborted !== true) return undefined;
    const ended = isOver ? 'deadline' : 'cancelled';
    const why = isOver ? 'The deadline has passed' : (reason ?? 'The caller gave up');
    const cut: Failed<T> = { ok: false, fault: cutOff(ended, executedSoFar(progress)), ended, reason: why };
    return isOver ? this.#late(cut) : cut;
  }

  /** Out of time between two attempts: not silence has ended the call, but what the last attempt met. */
  #late(cut: Failed<T>): Failed<T> {
    const { ended, reason } = cut;
    return this.#met === undefined
      ? cut
      : { ...this.#met, ended, reason: reason ?? 'The deadline has passed' };
  }

  /** The fault of the last attempt, with what is known of all of them. */
  #end(outcome: Failed<T>): Failed<T> {
    const { progress } = this.#call;
    const { fault, reason } = outcome;
    // A local fault knows nothing of its own about what happened over there.
    const executed = fault.origin === 'local' ? progress.executed : worse(progress.executed, fault.executed);
    return { ...outcome, fault: ended(fault, { executed, attempts: progress.attempts, reason }) };
  }
}

/** What was met, with when to come back, where only our refusal knows that. */
function comingBack(met: Fault, { retry: { afterMs } }: Fault): Fault {
  if (met.retry.when !== 'backoff' || met.retry.afterMs !== undefined || afterMs === undefined) return met;
  return { ...met, retry: { when: 'after_wait', afterMs } };
}

/** What is known at the end of all attempts. */
interface Ending {
  readonly executed: Fault['executed'];
  readonly attempts: number;
  readonly reason: string | undefined;
}

/** The last ending of a fault. One that is met again mostly ends as it did before: it stays the same fault. */
const endings = new WeakMap<Fault, Ending & { readonly fault: Fault }>();

function ended(fault: Fault, { executed, attempts, reason }: Ending): Fault {
  const last = endings.get(fault);
  if (last?.executed === executed && last.attempts === attempts && last.reason === reason) return last.fault;
  const details = { ...fault.details, attempts };
  const told = {
    ...fault,
    executed,
    details: reason === undefined ? details : { ...details, stopped: reason },
  };
  endings.set(fault, { executed, attempts, reason, fault: told });
  return told;
}

/** A call that is what it should be already is not copied: most are, at their first attempt. */
function withAttempt<C extends Call>(call: C, attempt: number, patienceMs: number): C {
  return call.attempt === attempt && call.patienceMs === patienceMs ? call : { ...call, attempt, patienceMs };
}

function stop(reason: string): Plan {
  return { retry: false, afterMs: 0, reason, rule: 'would_repeat', safe: false };
}
