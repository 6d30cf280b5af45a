/** One attempt: under its circuits, within its time, with a second one beside it where that is asked for. */
import { type Fault, makeFault } from '@mayday/core';
import { isRepeatable } from '@mayday/core/plan';
import type { Admission } from './admission.ts';
import { type Breaker, isRefusal, type Refusal, type Verdict } from './breaker.ts';
import { milliseconds } from './check.ts';
import { type Ended, openScope } from './deadline.ts';
import { hedge, type Runner } from './hedge.ts';
import { localFault } from './local-faults.ts';
import { type CallInfo, faultInThrown, type Outcome, targetVerdict, upstreamVerdict } from './outcome.ts';
import type { Attempt, RunOptions } from './run.ts';
import type { Upstream } from './upstream.ts';

/** How one attempt is made. */
export interface AttemptOptions<T> extends RunOptions<T> {
  readonly admission: Admission & { readonly admitted: true };
  readonly attempt: number;
  readonly deadline: number;
}

/** Makes one attempt; `refused` when a circuit opened at the last moment. */
export async function runAttempt<T>(
  upstream: Upstream,
  call: CallInfo,
  send: (attempt: Attempt) => Promise<T>,
  options: AttemptOptions<T>,
): Promise<Outcome<T> | 'refused'> {
  try {
    const one = async (): Promise<Outcome<T>> => {
      const outcome = await hedged(upstream, call, send, options);
      const down = !outcome.ok && upstreamVerdict(outcome) === 'failure';
      upstream.bystanders.record(call.target, down ? outcome.fault.kind : undefined);
      keepPace(upstream, outcome);
      return outcome;
    };
    const target = upstream.breakerOf(call.target);
    const both = (): Promise<Outcome<T> | Refusal> =>
      guarded(target, one, (made) => verdictOnTarget(upstream, call, made));
    const outcome = await guarded(upstream.breaker, both, (made) =>
      isRefusal(made) ? 'none' : upstreamVerdict(made),
    );
    return isRefusal(outcome) ? 'refused' : outcome;
  } finally {
    options.admission.release();
  }
}

/** Whose fault is it? What fails because everything fails says nothing about this one target. */
function verdictOnTarget<T>(upstream: Upstream, call: CallInfo, outcome: Outcome<T>): Verdict {
  const verdict = targetVerdict(outcome);
  if (outcome.ok || verdict !== 'failure' || upstreamVerdict(outcome) !== 'failure') return verdict;
  return upstream.bystanders.failToo(call.target, outcome.fault.kind) ? 'none' : 'failure';
}

/** A rate limit in an answer is the tool's own; one instead of an answer is the upstream's. */
function keepPace<T>(upstream: Upstream, outcome: Outcome<T>): void {
  if (outcome.ok || 'value' in outcome) upstream.pace?.answered();
  else if (outcome.fault.kind === 'rate_limited') upstream.pace?.throttled();
}

function guarded<T>(
  breaker: Breaker | undefined,
  call: () => Promise<T>,
  judge: (outcome: T) => Verdict,
): Promise<T | Refusal> {
  return breaker === undefined ? call() : breaker.run(call, judge);
}

function hedged<T>(
  upstream: Upstream,
  call: CallInfo,
  send: (attempt: Attempt) => Promise<T>,
  options: AttemptOptions<T>,
): Promise<Outcome<T>> {
  const { clock, budget } = upstream;
  const { hedgeAfterMs } = options;
  if (hedgeAfterMs === undefined || !isRepeatable(call)) return start(upstream, send, options).outcome;
  return hedge(() => start(upstream, send, options), {
    clock,
    afterMs: milliseconds('hedgeAfterMs', hedgeAfterMs, 0),
    allowed: () => budget === undefined || budget.withdraw(),
    good: (outcome) => outcome.ok,
  });
}

/** Sends it once. Whatever happens, the outcome comes; nothing is thrown. */
function start<T>(
  upstream: Upstream,
  send: (attempt: Attempt) => Promise<T>,
  options: AttemptOptions<T>,
): Runner<Outcome<T>> {
  const { clock } = upstream;
  const { attempt, deadline, above, signal } = options;
  const sentAt = clock.now();
  const timeoutMs = milliseconds('attemptTimeoutMs', options.attemptTimeoutMs, Number.POSITIVE_INFINITY);
  const scope = openScope({ clock, deadline, signal, timeoutMs });
  const cutOff = new Promise<Ended>((resolve) => {
    scope.signal.addEventListener('abort', () => resolve(scope.ended ?? 'cancelled'), { once: true });
  });
  const meta = { deadline, attempt: above?.attempt ?? attempt };
  let preparing = false;
  const handed: Attempt = {
    attempt,
    signal: scope.signal,
    meta,
    extend: () => scope.extend(),
    async prepare(work) {
      preparing = true;
      scope.hold();
      const prepared = await work;
      preparing = false;
      scope.extend();
      return prepared;
    },
  };

  const judge = (value: T): Outcome<T> => {
    const fault = options.faultIn?.(value);
    return fault === undefined ? { ok: true, value } : { ok: false, fault, value };
  };
  const failed = (thrown: unknown): Outcome<T> => {
    const fault = readThrown(thrown, options.faultInThrown ?? faultInThrown, clock.now());
    return { ok: false, fault: preparing ? { ...fault, executed: 'no' } : fault, thrown };
  };
  const cut = (ended: Ended): Outcome<T> => {
    const what = ended === 'deadline' || ended === 'attempt_timeout' ? ended : 'cancelled';
    const fault = localFault(what, { ms: clock.now() - sentAt });
    return { ok: false, fault: preparing ? { ...fault, executed: 'no' } : fault, ended };
  };
  // A sender that ignores its signal must not hold the call: whichever comes first decides.
  const sent = Promise.resolve()
    .then(() => send(handed))
    .then(judge)
    .catch(failed);
  const outcome = Promise.race([sent, cutOff.then(cut)]).then((settled) => {
    const { ended } = scope;
    scope.close();
    // Told to stop, a sender fails in its own words; we know better why.
    return !settled.ok && ended !== undefined ? cut(ended) : settled;
  });
  return { outcome, callOff: () => scope.end('superseded') };
}

/** What was thrown may throw again when it is looked at. */
function readThrown(thrown: unknown, reader: (thrown: unknown, now: number) => Fault, now: number): Fault {
  try {
    return reader(thrown, now);
  } catch {
    return makeFault({ kind: 'unknown', message: 'The call failed with something that cannot be read' });
  }
}
