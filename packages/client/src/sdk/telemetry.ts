/** The seam for tracing and metrics; `@mayday/client/otel` fills it. */
import type { Listener } from '@mayday/policy';
import type { CallFacts } from './call.ts';

/** Watches one call. */
export interface CallTelemetry {
  /** Added to `_meta` of each attempt: the trace context. */
  meta(): { readonly [key: string]: string };
  readonly listen: Listener;
}

/** Watches calls. */
export interface Telemetry {
  start(call: CallFacts): CallTelemetry;
  /** Events that belong to no single call: circuits. */
  readonly listen: Listener;
}
