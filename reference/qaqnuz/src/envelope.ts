/** The result envelope behind every call: how the platform itself sees an outcome. Only its text crosses the wire. */
import { type Fault, type Json, write } from '@mayday/core';

/** The outcome of a call. `retry_hint` is there only where a retry makes sense. */
export interface Envelope {
  readonly ok: boolean;
  readonly error_class: string | null;
  readonly sanitized_error: string | null;
  readonly retry_hint?: Json;
}

/** The envelope of a call that succeeded. */
export const SUCCESS: Envelope = { ok: true, error_class: null, sanitized_error: null };

/** The envelope of a call that failed, as it was written: without secrets. */
export function failure(fault: Fault): Envelope {
  return { ok: false, ...write(fault, 'qaqnuz').envelope } as Envelope;
}
