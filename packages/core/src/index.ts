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
import { readUnstructured } from './unstructured.ts';

export { type DefinedFault, type Definition, defineFault } from './define.ts';
// Throwing: what a server author needs.
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
export { causeOf, FaultError, faultOf, isFault, type ThrowOptions } from './fault-error.ts';
// The words: kinds, reactions and what they imply.
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
export { type FaultFactory, fault } from './throwing.ts';

// Reading and writing, in all dialects.
const language: Language = /* @__PURE__ */ createLanguage({ dialects: DIALECTS, prose: readUnstructured });

/** Wire → reading. Total: any value in, never throws; a success reads as no failure. */
export function read(value: unknown, options?: ReadOptions): Reading {
  return language.read(value, options);
}

/** Fault + dialect → wire, and what the dialect could not say. */
export function write(said: Fault, to: DialectId, options?: WriteOptions): Translation {
  return language.write(said, to, options);
}

export { closient } from './dialects/closient/index.ts';
export type {
  CodeRow,
  Dialect,
  DialectId,
  Evidence,
  Heard,
  ReadContext,
  WriteContext,
  Written,
  WrittenWire,
} from './dialects/dialect.ts';
export { erlmcp } from './dialects/erlmcp/index.ts';
export { DIALECTS } from './dialects/index.ts';
export { META_KEY, mayday } from './dialects/mayday/index.ts';
export { mcp, mcp20251125, mcp20260728, mcpDraft } from './dialects/mcp/index.ts';
export { onx } from './dialects/onx/index.ts';
export { platica } from './dialects/platica/index.ts';
export { problem } from './dialects/problem/index.ts';
export { qaqnuz } from './dialects/qaqnuz/index.ts';
export { toolFailure } from './dialects/tool-failure/index.ts';
// For other libraries: building a smaller language, and the parts of one.
export {
  createLanguage,
  type Language,
  type LanguageOptions,
  type Reading,
  type ReadOptions,
  type Translation,
  type WriteOptions,
} from './language.ts';
