/** Planning: what follows a failed attempt. */
export { isRead, isRepeatable, type PlannedCall, type Safety, safetyOf } from './call.ts';
export { type CallMeta, readCallMeta, writeCallMeta } from './call-meta.ts';
export { PLAN_DEFAULTS, type PlanLimits, type PlanOptions, planLimits, type RetryIf } from './options.ts';
export { type Plan, type PlanHistory, type PlanRule, plan } from './plan.ts';
export { isEndOfTask } from './task.ts';
