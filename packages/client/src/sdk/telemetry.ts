/** The seam for tracing and metrics; `@mayday/client/otel` fills it. */
import { hush, type Listener } from '@mayday/policy';
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

/** Begins to watch a call. Whatever the watcher does wrong, the call is made. */
export function watchCall(telemetry: Telemetry | undefined, call: CallFacts): CallTelemetry | undefined {
  const watching = unlessItThrows(() => telemetry?.start({ ...call }));
  if (typeof watching !== 'object' || watching === null) return undefined;
  return {
    meta: () => unlessItThrows(() => watching.meta()) ?? {},
    listen: (event) => watching.listen(event),
  };
}

function unlessItThrows<T>(work: () => T): T | undefined {
  try {
    const given = work();
    hush(given);
    return given;
  } catch {
    return undefined; // the call matters more than whoever watches it
  }
}
