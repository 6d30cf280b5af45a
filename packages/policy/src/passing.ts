/** Policies that most calls pass without a stop, and how a row of them is made one. */
import type { Call } from './call.ts';
import type { Outcome } from './outcome.ts';
import type { Awaitable, Handler, Policy } from './policy.ts';
import { sound } from './sound.ts';

/**
 * Looks at what became of a call, and says what becomes of it. `next` leads to what this stands around, for whoever has
 * something else to ask there.
 */
export type After<T, C extends Call = Call> = (
  outcome: Outcome<T>,
  call: C,
  next: Handler<T, C>,
) => Awaitable<Outcome<T>>;

/** What a policy does that holds no call up by itself. */
export interface Passing<T, C extends Call = Call> {
  /** Gives the call to go on with, or what becomes of it instead; that is not looked at here again. */
  readonly before?: ((call: C) => Awaitable<C | Outcome<T>>) | undefined;
  readonly after?: After<T, C> | undefined;
  /** Calls that need more than this, and the policy that stands around them in its place. */
  readonly except?: Except<T, C> | undefined;
}

interface Except<T, C extends Call> {
  readonly applies: (call: C) => boolean;
  readonly policy: Policy<T, C>;
}

const PASSING: unique symbol = Symbol('passing');

/** A policy that most calls pass without a stop. Several in a row wait for the call together, so that each costs little. */
export function passing<T, C extends Call>(step: Passing<T, C>): Policy<T, C> {
  const policy: Policy<T, C> = (next) => inOneGo([step], next);
  return Object.assign(policy, { [PASSING]: step });
}

/** A policy that only looks at outcomes. */
export function after<T, C extends Call>(look: After<T, C>): Policy<T, C> {
  return passing({ after: look });
}

/** What a policy does, where it is one that calls pass. */
export function stepOf<T, C extends Call>(policy: Policy<T, C>): Passing<T, C> | undefined {
  return (policy as { [PASSING]?: Passing<T, C> })[PASSING];
}

/** A step in its row. All have the same shape, because every call comes past every one of them. */
interface Stand<T, C extends Call> {
  readonly before: Passing<T, C>['before'];
  readonly after: Passing<T, C>['after'];
  readonly applies: Except<T, C>['applies'] | undefined;
  readonly exception: Handler<T, C> | undefined;
  readonly next: Handler<T, C>;
}

/** A row of steps, the outermost first. `onThrown` makes an outcome of what is thrown on the whole way. */
export function inOneGo<T, C extends Call>(
  steps: readonly Passing<T, C>[],
  innermost: Handler<T, C>,
  onThrown?: (call: C, thrown: unknown) => Awaitable<Outcome<T>>,
): Handler<T, C> {
  const looks = onThrown !== undefined || steps.some((step) => step.after !== undefined);
  if (!looks) return steps.reduceRight((next, step) => withoutLooking(step, next), innermost);
  const row = steps.map((step, i) => standing(step, (call) => pass(i + 1, call)));

  async function pass(first: number, made: C): Promise<Outcome<T>> {
    try {
      const met: C[] = []; // the call as each step has met it
      let call = made;
      let at = first;
      let instead: Awaitable<Outcome<T>> | undefined;
      for (; at < row.length; at++) {
        const { before, applies, exception } = row[at] as Stand<T, C>;
        if (applies?.(call) === true) {
          instead = exception?.(call);
          break;
        }
        met[at] = call;
        if (before === undefined) continue;
        const given = before(call);
        const seen = given instanceof Promise ? await given : given;
        if (isInstead(seen, call)) {
          instead = seen;
          break;
        }
        call = seen;
      }
      let outcome = await (instead ?? innermost(call));
      for (at--; at >= first; at--) {
        const { after: look, next } = row[at] as Stand<T, C>;
        if (look === undefined) continue;
        const seen = look(outcome, met[at] as C, next);
        outcome = seen instanceof Promise ? await seen : seen;
      }
      return onThrown === undefined ? outcome : sound(outcome);
    } catch (thrown) {
      if (onThrown === undefined || first > 0) throw thrown;
      return await onThrown(made, thrown);
    }
  }

  return (call) => pass(0, call);
}

function standing<T, C extends Call>(step: Passing<T, C>, next: Handler<T, C>): Stand<T, C> {
  const { before, after: look, except } = step;
  return { before, after: look, applies: except?.applies, exception: except?.policy(next), next };
}

/** Whoever does not look at outcomes needs no promise for it. */
function withoutLooking<T, C extends Call>(step: Passing<T, C>, next: Handler<T, C>): Handler<T, C> {
  const { before, applies, exception } = standing(step, next);
  return (call) => {
    if (exception !== undefined && applies?.(call) === true) return exception(call);
    const given = before === undefined ? call : before(call);
    const goOn = (seen: C | Outcome<T>): Promise<Outcome<T>> =>
      isInstead(seen, call) ? Promise.resolve(seen) : next(seen);
    return given instanceof Promise ? given.then(goOn) : goOn(given);
  };
}

function isInstead<T, C extends Call>(seen: C | Outcome<T>, call: C): seen is Outcome<T> {
  return seen !== call && 'ok' in seen;
}
