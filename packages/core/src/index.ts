/**
 * Mayday's core: one error language for the Model Context Protocol. This file is the whole public surface.
 */
import type { DialectId } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/index.ts';
import type { Fault } from './fault.ts';
import {
  createLanguage,
  type Language,
  type Reading,
  type ReadOptions,
  type Translation,
  type WriteOptions,
} from './language.ts';
import { foreign } from './foreign.ts';
import { redactFault } from './redact-fault.ts';
import { readDisguised, readUnstructured } from './unstructured.ts';

// Throwing: what a server author needs at the place where something goes wrong.
export { fault, type FaultFactory } from './throwing.ts';
export { defineFault, type DefinedFault, type Definition } from './define.ts';
export { FaultError, isFault, type ThrowOptions } from './fault-error.ts';
export { type Carried, causeOf, faultOf, saidExecuted } from './brand.ts';

// The words: faults, kinds, reactions, and what a kind implies.
export {
  type Fault,
  type FaultInit,
  type Issue,
  type Json,
  type JsonObject,
  makeFault,
  type Native,
  ORIGINS,
  type Origin,
  type Retry,
  SUBJECT_TYPES,
  type Subject,
} from './fault.ts';
export {
  type Executed,
  isKind,
  isRetryable,
  KIND_NAMES,
  KINDS,
  type Kind,
  type KindDefaults,
  type Reaction,
  type RetryWhen,
} from './kinds.ts';

const language: Language = /* @__PURE__ */ createLanguage({
  dialects: DIALECTS,
  foreign,
  prose: readUnstructured,
  disguised: readDisguised,
  redact: redactFault,
});

/** Wire → reading. Total: any value in, never throws; a success reads as no failure. */
export function read(value: unknown, options?: ReadOptions): Reading {
  return language.read(value, options);
}

/** Fault + dialect → wire, and what the dialect could not say. */
export function write(said: Fault, to: DialectId, options?: WriteOptions): Translation {
  return language.write(said, to, options);
}

export type { Reading, ReadOptions, Translation, WriteOptions } from './language.ts';

// Rendering: one fault, three readers.
export { adviceFor, forModel } from './render/for-model.ts';
export { forDeveloper } from './render/for-developer.ts';
export { forOperator } from './render/for-operator.ts';
export { fromDocument, toDocument } from './document.ts';

// For other libraries: building a smaller language, and the parts that one is made of.
export { createLanguage, type Language, type LanguageOptions } from './language.ts';
export { foreign } from './foreign.ts';
export { readDisguised, readUnstructured } from './unstructured.ts';
export { DIALECTS } from './dialects/index.ts';
export type {
  CodeRow,
  Dialect,
  DialectId,
  Evidence,
  Foreign,
  Heard,
  HttpWire,
  JsonRpcWire,
  ReadContext,
  WriteContext,
  Written,
  WrittenWire,
} from './dialects/dialect.ts';
export { classOf, closient, closientProblem, closientWait } from './dialects/closient/index.ts';
export {
  clientAdvice,
  createErrorResponse,
  erlmcp,
  errorCategory,
  errorSeverity,
  userMessage,
  validateErrorCode,
} from './dialects/erlmcp/index.ts';
export { mayday, META_KEY } from './dialects/mayday/index.ts';
export { mcp, mcp20251125, mcp20260728, mcpDraft } from './dialects/mcp/index.ts';
export { category as onxCategory, onx, rangeCategory as onxRangeCategory } from './dialects/onx/index.ts';
export { platica, restError as platicaError } from './dialects/platica/index.ts';
export { problem, TYPE_BASE } from './dialects/problem/index.ts';
export {
  classify as qaqnuzClass,
  envelopeFor,
  qaqnuz,
  QAQNUZ_TEXTS,
  retryDelay as qaqnuzDelay,
} from './dialects/qaqnuz/index.ts';
export { toolFailure } from './dialects/tool-failure/index.ts';
export { kindOfStatus, parseRetryAfter, STATUSES, toSeconds } from './http-status.ts';
export { ERRNO_NAMES, errnoOf } from './errno.ts';
export { editDistance } from './edit-distance.ts';
export { look } from './wire/look.ts';
export type { Placement, Wire } from './wire/wire.ts';
// Planning: what follows a failed attempt.
export {
  ATTEMPT_KEY,
  type CallMeta,
  DEADLINE_KEY,
  isRepeatable,
  PLAN_DEFAULTS,
  type Plan,
  type PlanHistory,
  type PlanLimits,
  type PlannedCall,
  type PlanOptions,
  type PlanRule,
  plan,
  planLimits,
  readCallMeta,
  type Safety,
  safetyOf,
  writeCallMeta,
} from './plan/index.ts';

// The catalogue: every kind and code in one table, and the lock that keeps them stable.
export {
  type ApplicationDefinition,
  type Break,
  buildCatalogue,
  type Catalogue,
  type CatalogueCode,
  type CatalogueKind,
  type CatalogueOptions,
  type CatalogueSource,
  checkLock,
  type CodeRange,
  type CodeSource,
  type Found,
  isLock,
  type KindPage,
  type Lock,
  type LockedCode,
  lockOf,
  lookUp,
  rangeOf,
  sourceOf,
  termsOf,
  type WithDefinition,
} from './catalog/index.ts';

// Redaction: anything → the same thing without secrets, personal data, stack traces and internals.
export {
  checkRule,
  createRedactor,
  type Finding,
  type Redaction,
  type RedactOptions,
  type Redactor,
  type RedactStream,
  type Rule,
  type RuleProblem,
  redact,
} from './redact/index.ts';
export { redactFault } from './redact-fault.ts';
