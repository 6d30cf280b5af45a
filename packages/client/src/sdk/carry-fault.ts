/** What a wrapped client throws: a fault that is still the SDK's own error, for those who look for that. */
import { type Fault, FaultError, faultOf, toDocument } from '@mayday/core';
import type { Failed } from '@mayday/policy';

/** Codes by which an SDK tells what it raises itself. */
export interface LocalCodes {
  readonly timeout: string | number;
  readonly disconnected: string | number;
}

/**
 * The error to throw for a failed call. It is a `FaultError`; where the SDK threw something, it is of that
 * class too, with its `code` and `data`, and the original is its `cause`.
 */
export function errorOf(outcome: Failed<unknown>, codes: LocalCodes): FaultError {
  const { fault, thrown } = outcome;
  const error = new FaultError(fault, { cause: thrown });
  if (thrown !== undefined) hide(error, 'cause', thrown);
  if (thrown instanceof Error && faultOf(thrown) === undefined) return dressed(error, fault, thrown);
  const code = codeOf(fault, codes);
  return code === undefined ? error : Object.assign(error, { code });
}

/** Members that are the fault's own, or a new error's. */
const OWN: readonly PropertyKey[] = ['stack', 'message', 'cause', 'name'];

function dressed(error: FaultError, fault: Fault, thrown: Error): FaultError {
  for (const key of Reflect.ownKeys(thrown)) {
    const descriptor = Object.getOwnPropertyDescriptor(thrown, key);
    if (!OWN.includes(key) && descriptor !== undefined) Object.defineProperty(error, key, descriptor);
  }
  Object.setPrototypeOf(error, Object.getPrototypeOf(thrown));
  hide(error, 'name', thrown.name);
  hide(error, 'fault', fault);
  hide(error, 'toJSON', () => toDocument(fault));
  return error;
}

/** Not enumerable: a spread or a logger that lists members does not come across it. */
function hide(error: object, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, configurable: true, writable: true });
}

function codeOf({ kind, origin }: Fault, codes: LocalCodes): string | number | undefined {
  if (origin !== 'local' && origin !== 'transport') return undefined;
  if (kind === 'timeout') return codes.timeout;
  return kind === 'disconnected' ? codes.disconnected : undefined;
}
