/** What callers showed who were refused for their keys: one document tells a wrong key from none. */
import type { FaultError } from '@mayday/core';

const presented = new WeakMap<FaultError, string>();

/** Remembers the header that was refused. It never leaves the process. */
export function notePresented(thrown: FaultError, header: string): FaultError {
  presented.set(thrown, header);
  return thrown;
}

/** The header that was refused, if there was one. */
export function presentedWith(thrown: FaultError): string | undefined {
  return presented.get(thrown);
}
