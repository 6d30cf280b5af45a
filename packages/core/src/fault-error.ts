/**
 * The class that carries a fault when it is thrown. The fault may cross a boundary; the cause may not: it is
 * kept outside the object, so that no serialiser, logger or clone can find it.
 */
import { type Carried, carry, causeOf, faultOf } from './brand.ts';
import { toDocument } from './document.ts';
import { type Fault, type FaultInit, type JsonObject, soundFault } from './fault.ts';
import type { Executed } from './kinds.ts';

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

/** A thrown fault. What is thrown needs no more of it; `fault-from.ts` adds what makes one of anything that was caught. */
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
