/** What telemetry adds to the path of a call, and what else it is told. Without it there is nothing, and nothing is loaded. */
import type { Fault } from '@mayday/core';
import type { Listener } from '@mayday/policy';
import type { CallTrace, WireCall, WirePolicy } from '@mayday/relay';
import type { FailedCall } from '../call/record.ts';
import type { MetaMember } from '../call/tell-server.ts';
import type { ToolHints } from '../call/tool-hints.ts';
import type { UpstreamSettings } from '../settings/settings.ts';
import type { BudgetStatus } from './budget-status.ts';

/** The parts of the path, see `call/path.ts`. */
export interface CallHooks {
  /** Around everything. */
  readonly calls: readonly WirePolicy[];
  /** Around what is asked of one upstream. */
  within(settings: Named, hints: ToolHints): readonly WirePolicy[];
  /** Around each attempt. */
  attempts(settings: Named, hints: ToolHints): readonly WirePolicy[];
  /** Between attempts. */
  readonly emit: Listener | undefined;
  /** What the upstream is told in `_meta`. */
  readonly meta: ((call: WireCall) => readonly MetaMember[]) | undefined;
}

/** As much of the settings of an upstream as is told. */
export type Named = Pick<UpstreamSettings, 'name'> & {
  readonly type?: UpstreamSettings['type'] | undefined;
  readonly url?: URL | undefined;
};

/** No telemetry. */
export const NO_HOOKS: CallHooks = {
  calls: [],
  within: () => [],
  attempts: () => [],
  emit: undefined,
  meta: undefined,
};

/** What is told of telemetry in the status. */
export interface TelemetryStatus {
  readonly error_budgets?: readonly BudgetStatus[] | undefined;
  readonly telemetry?:
    | {
        /** Why nothing reaches the collector. */
        readonly trouble?: { readonly message: string; readonly since: string } | undefined;
        /** Spans, and collections of metrics. */
        readonly exported: { readonly traces: number; readonly metrics: number };
        readonly lost: { readonly traces: number; readonly metrics: number };
      }
    | undefined;
}

/** Telemetry that is on. */
export interface Telemetry {
  readonly hooks: CallHooks;
  /** Who reads the metrics, and the text that they read. */
  readonly metricsFor: 'off' | 'operators' | 'anybody';
  metrics(): Promise<string>;
  status(): TelemetryStatus;
  /** A failure was recorded. */
  failed(fault: Fault, of: FailedCall, trace: CallTrace | undefined): void;
  /** Somebody was not let in. */
  turnedAway(status: number): void;
  /** Sends what is left, and ends within its time limit. */
  close(): Promise<void>;
}
