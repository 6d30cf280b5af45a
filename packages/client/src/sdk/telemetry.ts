/** The seam for tracing and metrics; `@mayday/client/otel` fills it. */
import type { Listener } from '../policy/events.ts';
import type { CallInfo } from '../policy/outcome.ts';

/** Watches one call. */
export interface CallTelemetry {
  /** Added to `_meta` of each attempt: the trace context. */
  meta(): { readonly [key: string]: string };
  readonly listen: Listener;
}

/** Watches calls. */
export interface Telemetry {
  start(call: CallInfo): CallTelemetry;
  /** Events that belong to no single call: circuits. */
  readonly listen: Listener;
}
