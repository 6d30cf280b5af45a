/** Constructors for the throw site: `throw fault.notFound('No order 4711', { subject: { type: 'order', id: '4711' } })`. */
import { makeFault } from './fault.ts';
import { FaultError, type ThrowOptions } from './fault-error.ts';
import { KIND_NAMES, type Kind } from './kinds.ts';

/** `not_found` → `notFound`. */
type CamelCase<K extends string> = K extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : K;

type Construct = (message?: string, options?: ThrowOptions) => FaultError;

/** Builds a fault to throw: `fault('not_found', 'No order 4711')`, or by name: `fault.notFound('No order 4711')`. */
export type FaultFactory = ((kind: Kind, message?: string, options?: ThrowOptions) => FaultError) & {
  readonly [K in Kind as CamelCase<K>]: Construct;
};

function construct(kind: Kind, message?: string, options: ThrowOptions = {}): FaultError {
  const { cause, ...init } = options;
  return new FaultError(makeFault({ ...init, kind, message }), {
    cause,
    saidExecuted: init.executed !== undefined,
    saidRetryable: init.retryable !== undefined,
  });
}

function camelCase(kind: Kind): string {
  return kind.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Builds the fault to throw, one constructor for each kind. */
export const fault: FaultFactory = /* @__PURE__ */ Object.assign(
  construct,
  Object.fromEntries(
    KIND_NAMES.map((kind) => [
      camelCase(kind),
      (message?: string, options?: ThrowOptions) => construct(kind, message, options),
    ]),
  ),
) as unknown as FaultFactory;
