/**
 * The class that carries a fault when it is thrown. The fault may cross a boundary; the cause may not: it is
 * kept outside the object, so that no serialiser, logger or clone can find it.
 */
import { type Carried, carry, causeOf, faultOf, saidExecuted, saidKind, saidRetryable } from './brand.ts';
import { toDocument } from './document.ts';
import { executedOf, onceBegun } from './executed.ts';
import { type Fault, type FaultInit, type JsonObject, makeFault, soundFault } from './fault.ts';
import { readForeign } from './foreign.ts';
import { member } from './json.ts';
import { type Executed, TRAITS } from './kinds.ts';
import { isRefusal } from './refusals.ts';
import { look } from './wire/look.ts';
import { lookAtThrown } from './wire/thrown.ts';

const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/** What is known about a fault at the place where it is thrown. */
export interface ThrowOptions extends Omit<FaultInit, 'kind' | 'message' | 'native'> {
  /** The private cause: for logs, never for the wire. Read it back with `causeOf`. */
  readonly cause?: unknown;
  /**
   * Whether the work happened. Said here, it is the thrower's word and stays (`no` only beside what authors say, see
   * `isOwnNo`: a copied fault says nothing); left out, it follows from the kind as long as nothing had begun, and is
   * `maybe` afterwards.
   */
  readonly executed?: Executed | undefined;
}

/** What is known about something that was caught. */
export interface FromOptions {
  readonly correlationId?: string | undefined;
  /** Had the work begun when it was thrown? As in `ReadOptions`. */
  readonly began?: boolean | undefined;
}

/** A thrown fault. */
export class FaultError extends Error {
  override readonly name: string = 'FaultError';

  constructor(fault: Fault, carried: Carried = {}) {
    const whole = soundFault(fault);
    super(whole.message);
    carry(this, whole, carried);
    Object.defineProperty(this, 'name', { enumerable: false });
  }

  /** The fault it carries. */
  get fault(): Fault {
    return faultOf(this) as Fault;
  }

  /**
   * Whatever was thrown, as a fault that is safe to send:
   * - a thrown fault is itself, except that work which had begun cannot be undone by its kind (`began`);
   * - anything else keeps the kind that its class, code or cause proves, and loses its message, which may
   *   hold anything; the original becomes the private cause.
   */
  static from(reason: unknown, options: FromOptions = {}): FaultError {
    const carried = faultOf(reason);
    if (carried !== undefined) return again(reason, carried, options);
    const wire = look({ thrown: reason ?? {} }, lookAtThrown);
    const heard = readForeign(wire, { now: () => 0, prose: () => undefined });
    const kind = heard?.kind ?? 'internal';
    const init: FaultInit = {
      kind,
      message: TRAITS[kind].title,
      executed:
        heard === undefined ? undefined : executedOf(heard, wire, { ...NO_WORD, began: options.began }),
      origin: heard?.origin === 'local' ? 'server' : heard?.origin,
      issues: heard?.issues,
      retry: heard?.retry,
      correlationId: options.correlationId,
    };
    return new FaultError(makeFault(init), { cause: reason });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return faultOf(value) !== undefined;
  }

  /** The fault document. */
  toJSON(): JsonObject {
    return toDocument(this.fault);
  }

  static {
    Object.defineProperty(FaultError.prototype, INSPECT, { value: inspectFault });
  }
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

/** For `util.inspect` and the console: the stack and the cause are shown to developers only. */
function inspectFault(
  this: FaultError,
  _depth: number,
  options: object,
  inspect?: (value: unknown, options: object) => string,
): string {
  const { kind, subject, message } = this.fault;
  const about = subject === undefined ? '' : ` ${[subject.type, subject.id].filter(Boolean).join(' ')}`;
  const line = `FaultError [${kind}]${about}: ${message}`;
  if (inProduction()) return line;
  const frames = (this.stack ?? '').split('\n').filter((frame) => /^\s+at /.test(frame));
  const cause = causeOf(this);
  const shown =
    cause === undefined || inspect === undefined ? [] : [`  caused by ${inspect(cause, options)}`];
  return [line, ...frames, ...shown].join('\n');
}

function inProduction(): boolean {
  const host = globalThis as { process?: { env?: { [name: string]: string | undefined } } };
  return host.process?.env?.['NODE_ENV'] === 'production';
}

/** Does it carry a fault? */
export function isFault(value: unknown): value is FaultError {
  return faultOf(value) !== undefined;
}
