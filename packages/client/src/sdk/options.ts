/** How a client is made resilient. */
import { type PlanOptions, planLimits } from '@mayday/core';
import {
  createUpstream,
  type FaultEvent,
  type Listener,
  milliseconds,
  type Upstream,
  type UpstreamOptions,
} from '@mayday/policy';
import type { Telemetry } from './telemetry.ts';

/** What an operator knows about a tool; it overrules the tool's own annotations. */
export interface ToolPolicy {
  /** Can it be called twice without harm? */
  readonly repeatable?: boolean | undefined;
  readonly deadlineMs?: number | undefined;
  readonly attemptTimeoutMs?: number | undefined;
}

/** How failures reach the caller of `callTool`. */
export type Failures =
  /** As the SDK does: a failing result is returned, everything else is thrown. */
  | 'sdk'
  /** Every failure is thrown. */
  | 'throw'
  /** Every failure is returned as a result that the model can read. */
  | 'result';

/** How a client is made resilient. Every part has a safe default. */
export interface ResilientOptions<Transport> extends Omit<PlanOptions, 'random'> {
  /** Makes a new transport: to connect, and to connect again when the old one is gone. */
  readonly transport?: (() => Transport) | undefined;
  /** Shared with other clients of the same server; by default each client has its own. */
  readonly upstream?: Upstream | UpstreamOptions | undefined;
  /** For a whole call, attempts and waits together. Default 60 s. */
  readonly deadlineMs?: number | undefined;
  /** For one attempt. Default: what is left of the deadline. */
  readonly attemptTimeoutMs?: number | undefined;
  /** Starts a second attempt beside a slow read. Off by default. */
  readonly hedgeAfterMs?: number | undefined;
  /** By tool name. */
  readonly tools?: { readonly [name: string]: ToolPolicy } | undefined;
  /** `false` does not believe `readOnlyHint` and `idempotentHint`. Default `true`. */
  readonly trustAnnotations?: boolean | undefined;
  /** `false` keeps deadline and attempt out of `_meta`. Default `true`. */
  readonly tellServer?: boolean | undefined;
  readonly failures?: Failures | undefined;
  /** Every fault, the ones that a retry mended included, and what followed it. */
  readonly onFault?: ((event: FaultEvent) => void) | undefined;
  readonly onEvent?: Listener | undefined;
  /** From `@mayday/client/otel`. */
  readonly telemetry?: Telemetry | undefined;
}

/** The upstream of a client: the one it was given, or its own. */
export function upstreamOf<Transport>(options: ResilientOptions<Transport>): Upstream {
  const { upstream } = options;
  if (upstream !== undefined && 'emit' in upstream) return upstream;
  return createUpstream(upstream);
}

const FAILURES: readonly Failures[] = ['sdk', 'throw', 'result'];

/** Checks the options when they are given, not when the first call is made. */
export function checkOptions<Transport>(options: ResilientOptions<Transport>): void {
  const { transport, failures } = options;
  planLimits({ ...options, random: undefined });
  milliseconds('deadlineMs', options.deadlineMs, 0);
  milliseconds('attemptTimeoutMs', options.attemptTimeoutMs, 0);
  milliseconds('hedgeAfterMs', options.hedgeAfterMs, 0);
  if (transport !== undefined && typeof transport !== 'function') {
    throw new TypeError('Expected `transport` to be a function that makes a new transport each time');
  }
  if (failures !== undefined && !FAILURES.includes(failures)) {
    throw new TypeError(`Expected \`failures\` to be one of ${FAILURES.join(', ')}, got ${String(failures)}`);
  }
}
