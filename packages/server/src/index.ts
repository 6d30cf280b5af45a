/**
 * Guards an MCP server built on the official SDK v2 (`@modelcontextprotocol/server`). This file is the whole
 * public surface of the main entry; `/v1`, `/http`, `/stdio`, `/rpc`, `/otel`, `/hono`, `/express` and `/fastify`
 * are the others.
 */

export { IDEMPOTENCY_KEY as IDEMPOTENCY_META_KEY } from '@mayday/core/protocol';
export type { OnceOptions } from './boundary/once.ts';
export { DIALECT_HEADER, DIALECT_META_KEY } from './boundary/render.ts';
export { type ArgumentsSchema, checkArguments } from './boundary/validation.ts';
export type { Call, Revision, ToolFacts } from './call.ts';
export type { Clock } from './clock.ts';
export { guard } from './guard.ts';
// Guards, each usable alone.
export { type ApprovalOptions, approval } from './guards/approval.ts';
export { type ConcurrencyOptions, concurrency } from './guards/concurrency.ts';
export { type DeadlineOptions, deadline } from './guards/deadline.ts';
export { type Guard, protect } from './guards/guard.ts';
export { digestKey, type KeyRecord, type KeyRow, type KeysOptions, keys } from './guards/keys.ts';
export { type RateLimitOptions, rateLimit } from './guards/rate-limit.ts';
export { type ScopesOptions, scopes } from './guards/scopes.ts';
export { type SizeOptions, sizeLimits } from './guards/size.ts';
// Where guards keep their state.
export {
  type Approval,
  type ApprovalStore,
  type ConcurrencyStore,
  createMemoryApprovals,
  createMemoryIdempotency,
  type IdempotencyStore,
  createMemoryRateStore,
  type MemoryApprovals,
  type RateStore,
} from '@mayday/policy';
export type { GuardOptions } from './options.ts';
export type { FaultEvent, Logger, Telemetry } from './report/report.ts';
export type { AuthInfo, Guardable, Handle, McpServerLike, RequestId, ServerLike } from './shapes.ts';
