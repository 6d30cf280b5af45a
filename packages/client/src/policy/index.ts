/** Policies that keep a caller from making things worse. They need no MCP: any promise will do. */
export {
  type Breaker,
  type BreakerOptions,
  type BreakerState,
  createBreaker,
  isRefusal,
  type Refusal,
  type Verdict,
} from './breaker.ts';
export { type Budget, type BudgetOptions, createBudget } from './budget.ts';
export { type Clock, type Random, sleep, systemClock } from './clock.ts';
export { createLimiter, type Limiter, type LimiterOptions } from './concurrency.ts';
export { type Ended, openScope, type Scope, type ScopeOptions } from './deadline.ts';
export type { CallEvent, FaultEvent, Listener, RefusedBy } from './events.ts';
export { type HedgeOptions, hedge, type Runner } from './hedge.ts';
export { type CallInfo, type Outcome, targetVerdict, upstreamVerdict } from './outcome.ts';
export { createPace, type Pace } from './pace.ts';
export { type RetryOptions, retry } from './retry.ts';
export { type Attempt, type RunOptions, run, type Settled } from './run.ts';
export { createUpstream, type Upstream, type UpstreamOptions } from './upstream.ts';
