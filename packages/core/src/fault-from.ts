/**
 * Whatever was caught, as a fault. It takes all that knows exceptions, HTTP and the words of refusals: apart from the class,
 * so that who only throws does not ship it.
 */
import { type Carried, causeOf, faultOf, saidExecuted, saidKind, saidRetryable } from './brand.ts';
import { executedOf } from './executed.ts';
import { type Fault, type FaultInit, makeFault, onceBegun } from './fault.ts';
import { FaultError } from './fault-error.ts';
import { readForeign } from './foreign.ts';
import { member } from './json.ts';
import { TRAITS } from './kinds.ts';
import { isRefusal } from './refusals.ts';
import { look } from './wire/look.ts';
import { lookAtThrown } from './wire/thrown.ts';

/** What is known about something that was caught. */
export interface FromOptions {
  readonly correlationId?: string | undefined;
  /** Had the work begun when it was thrown? As in `ReadOptions`. */
  readonly began?: boolean | undefined;
}

/** A thrown fault. */
export type AnyFaultError = FaultError;

/** The class of thrown faults. */
interface FaultErrorClass {
  new (fault: Fault, carried?: Carried): FaultError;
  readonly prototype: FaultError;
  /**
   * Whatever was thrown, as a fault that is safe to send:
   * - a thrown fault is itself, except that work which had begun cannot be undone by its kind (`began`);
   * - anything else keeps the kind that its class, code or cause proves, and loses its message, which may
   *   hold anything; the original becomes the private cause.
   */
  from(reason: unknown, options?: FromOptions): FaultError;
}

/**
 * The class of thrown faults, known elsewhere as `FaultError`: two of that name in one bundle, and the bundler would give the
 * class another, which loggers show.
 */
export const AnyFaultError: FaultErrorClass = /* @__PURE__ */ withFrom(FaultError);

/** The class itself, so that whatever is thrown is an instance of the one that everybody names. */
function withFrom(made: typeof FaultError): FaultErrorClass {
  return Object.defineProperty(made, 'from', {
    value: from,
    configurable: true,
    writable: true,
  }) as unknown as FaultErrorClass;
}

function from(reason: unknown, options: FromOptions = {}): FaultError {
  const carried = faultOf(reason);
  if (carried !== undefined) return again(reason, carried, options);
  const wire = look({ thrown: reason ?? {} }, lookAtThrown);
  const heard = readForeign(wire, { now: () => 0, prose: () => undefined });
  const kind = heard?.kind ?? 'internal';
  const init: FaultInit = {
    kind,
    message: TRAITS[kind].title,
    executed: heard === undefined ? undefined : executedOf(heard, wire, { ...NO_WORD, began: options.began }),
    origin: heard?.origin === 'local' ? 'server' : heard?.origin,
    issues: heard?.issues,
    retry: heard?.retry,
    correlationId: options.correlationId,
  };
  return new FaultError(makeFault(init), { cause: reason });
}

/** An exception is nobody's declaration, and in no dialect. */
const NO_WORD = {
  trusted: false,
  named: false,
  recognised: false,
  called: undefined,
  refusals: isRefusal,
};

/** The same fault in a new carrier, where something about it has to change. */
function again(reason: unknown, carried: Fault, { began, correlationId }: FromOptions): FaultError {
  const said = saidExecuted(reason) !== undefined;
  const judged = began === true && !said ? onceBegun(carried) : carried;
  const fault =
    correlationId === undefined || carried.correlationId !== undefined
      ? judged
      : { ...judged, correlationId };
  // A carrier of another copy of this package may hold what this one had to put right.
  if (fault === carried && member(reason, 'fault') === carried) return reason as FaultError;
  return new FaultError(fault, {
    cause: causeOf(reason) ?? reason,
    saidExecuted: said,
    saidRetryable: saidRetryable(reason) !== undefined,
    saidKind: saidKind(reason) !== undefined,
  });
}
