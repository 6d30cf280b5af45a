/** What the entries for both SDKs have in common; none of it needs either of them. */
export {
  type BreakerOptions,
  type BreakerState,
  type BudgetOptions,
  type CallEvent,
  type Clock,
  createUpstream,
  type FaultEvent,
  type Listener,
  type Random,
  type Upstream,
  type UpstreamOptions,
} from '@mayday/policy';
export { type CalledTool, type Failure, readError, readResult } from './agents/read.ts';
export { type FetchLike, type MendedFetch, type MendOptions, mendFetch } from './http/mend-fetch.ts';
export type { CallExtras } from './sdk/call.ts';
export type { Failures, ResilientOptions, ToolPolicy } from './sdk/options.ts';
export type { CallOutcome } from './sdk/outcome.ts';
export type { CallTelemetry, Telemetry } from './sdk/telemetry.ts';
export { type FailedToolResult, toToolResult } from './sdk/tool-result.ts';
