/**
 * The class that carries a fault when it is thrown. The fault may cross a boundary; the cause may not: it is
 * kept outside the object, so that no serialiser, logger or clone can find it.
 */
import { type Carried, carry, causeOf, faultOf, saidExecuted } from './brand.ts';
import { toDocument } from './document.ts';
import { type Fault, type FaultInit, type JsonObject, makeFault } from './fault.ts';
import { readForeign } from './foreign.ts';
import { KINDS } from './kinds.ts';
import { look } from './wire/look.ts';
import { lookAtThrown } from './wire/thrown.ts';

const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

/** What is known about a fault at the place where it is thrown. */
export interface ThrowOptions extends Omit<FaultInit, 'kind' | 'message' | 'native'> {
  /** The private cause: for logs, never for the wire. Read it back with `causeOf`. */
  readonly cause?: unknown;
}

/** A thrown fault. */
export class FaultError extends Error {
  override readonly name: string = 'FaultError';

  constructor(fault: Fault, carried: Carried = {}) {
    super(fault.message);
    carry(this, fault, carried);
    Object.defineProperty(this, 'name', { enumerable: false });
  }

  /** The fault it carries. */
  get fault(): Fault {
    return faultOf(this) as Fault;
  }

  /**
   * Whatever was thrown, as a fault that is safe to send:
   * - a thrown fault is itself;
   * - anything else keeps the kind that its class, code or cause proves, and loses its message, which may
   *   hold anything; the original becomes the private cause.
   */
  static from(reason: unknown, options: { readonly correlationId?: string } = {}): FaultError {
    const carried = faultOf(reason);
    if (carried !== undefined) {
      if (options.correlationId === undefined || carried.correlationId !== undefined) {
        return reason instanceof FaultError ? reason : new FaultError(carried, { cause: causeOf(reason) });
      }
      return new FaultError(
        { ...carried, correlationId: options.correlationId },
        { cause: causeOf(reason) ?? reason, saidExecuted: saidExecuted(reason) !== undefined },
      );
    }
    const heard = readForeign(look({ thrown: reason ?? {} }, lookAtThrown), {
      now: () => 0,
      prose: () => undefined,
    });
    const kind = heard?.kind ?? 'internal';
    const init: FaultInit = {
      kind,
      message: KINDS[kind].title,
      executed: heard?.executed,
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
