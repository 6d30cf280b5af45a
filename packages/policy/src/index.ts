/**
 * Policies: what stands around a call so that it does no harm. They need no MCP and do no I/O; time, chance
 * and state are handed in. This file is the whole public surface.
 */

// A call, its outcome, and how policies are put together.
export { type Call, type CallInit, executedSoFar, type Progress, startCall, worse } from './call.ts';
export {
  bounded,
  type Failed,
  faultInThrown,
  type Outcome,
  type Refusal,
  type Refused,
  refuse,
  type Success,
} from './outcome.ts';
export { type After, after, type Passing, passing } from './passing.ts';
export { type Awaitable, compose, type Handler, type Policy } from './policy.ts';
export { admit, type Check } from './admit.ts';
export { countedUnder, Misused } from './answers.ts';
export { type Clock, type Random, sleep, systemClock, systemRandom } from './clock.ts';
export { type CallEvent, type FaultEvent, hush, joinListeners, type Listener } from './events.ts';
export { either } from './either.ts';
export { type Ended, openScope, type Scope, type ScopeOptions } from './scope.ts';
export { canonicalJson, fingerprintOf } from './fingerprint.ts';
export { addLast, dropOldest, setLast } from './newest.ts';
export { sha256 } from './sha256.ts';
export {
  callable,
  flag,
  integer,
  members,
  lifetime,
  milliseconds,
  nearestTo,
  type OptionNames,
  onlyKnown,
  share,
} from './check.ts';

// Resilience: what keeps a caller from making things worse.
export { type Attempt, type AttemptOptions, sender } from './resilience/attempt.ts';
export {
  type Breaker,
  type BreakerOptions,
  type BreakerState,
  type CircuitOpen,
  createBreaker,
  type Permit,
  type Verdict,
} from './resilience/breaker.ts';
export { type Budget, type BudgetOptions, createBudget } from './resilience/budget.ts';
export { createBudgetByCaller } from './resilience/budget-by-caller.ts';
export {
  type Aimed,
  type CircuitPermit,
  type CircuitRefusal,
  type Circuits,
  type CircuitsOptions,
  circuit,
  circuitDoor,
  createCircuits,
} from './resilience/circuits.ts';
export {
  type CircuitsByCaller,
  type CircuitsByCallerOptions,
  createCircuitsByCaller,
  type Started,
  type StartPermit,
} from './resilience/circuits-by-caller.ts';
export { type DeadlineOptions, deadline } from './resilience/deadline.ts';
export { type HedgeOptions, hedge } from './resilience/hedge.ts';
export { createPace, type Pace, paced } from './resilience/pace.ts';
export { type RetryOptions, retry } from './resilience/retry.ts';
export { DEADLINE_MS, type RunOptions, resilience, run, type Settled } from './resilience/run.ts';
export { stillSafe } from './resilience/still-safe.ts';
export { createUpstream, type Upstream, type UpstreamOptions, upstreamOf } from './resilience/upstream.ts';
export { targetVerdict, upstreamVerdict } from './resilience/verdict.ts';
export { type WithRetriesOptions, withRetries } from './resilience/with-retries.ts';

// Admission: who may call what, how often, how much at a time, with whose consent.
export { type AnswerCodec, jsonAnswers } from './admission/answer-codec.ts';
export {
  type ApprovalOptions,
  type ApprovalPass,
  type AskApproval,
  approval,
  approvalDesk,
} from './admission/approval.ts';
export {
  type Approval,
  type ApprovalRequest,
  type ApprovalStore,
  createMemoryApprovals,
  type MemoryApprovals,
  type MemoryApprovalsOptions,
  type WaitingApproval,
} from './admission/approval-store.ts';
export { type ConcurrencyOptions, concurrency } from './admission/concurrency.ts';
export { finalUnderKey, isKeyUnknown } from './admission/final.ts';
export { type IdempotencyOptions, idempotency, type Rounds } from './admission/idempotency.ts';
export {
  createMemoryIdempotency,
  type IdempotencyStore,
  type KeyClaim,
  type KeyEnd,
  type KeyRenewal,
  type KeyState,
  type MemoryIdempotencyOptions,
} from './admission/idempotency-store.ts';
export type { KeyRow } from './admission/key-record.ts';
export {
  digestKey,
  type Identity,
  identifier,
  type KeyRecord,
  type KeysOptions,
  keys,
} from './admission/keys.ts';
export {
  type ConcurrencyStore,
  createMemoryPlaces,
  type Place,
  type PlaceLedger,
  type PlaceWish,
  placeIn,
} from './admission/places.ts';
export { type RateOptions, rate, rateCheck } from './admission/rate.ts';
export { bucketLevel, costOf, type RateLevel } from './admission/rate-gauges.ts';
export {
  createMemoryRateStore,
  type MemoryRateStore,
  type RateLedger,
  type RateStanding,
  type RateStore,
  type RateWish,
} from './admission/rate-store.ts';
export { type ScopesOptions, scopes, scopesCheck } from './admission/scopes.ts';
export { resultCheck, type SizeOptions, size, sizeCheck } from './admission/size.ts';
