/**
 * The language: faults, kinds, and `read` and `write` over all dialects. Everything else has a path of its own:
 * `/dialects`, `/dialects/<name>`, `/forms`, `/plan`, `/redact`, `/catalog`, `/render`, `/prose`, `/http`,
 * `/protocol`, `/names` and `/fault`; `/compact`, `/prose/compact` and `/redact/compact` for bundles that must be small.
 */
import type { DialectId } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/index.ts';
import type { Fault } from './fault.ts';
import { foreign } from './foreign.ts';
import {
  type Language,
  languageOf,
  type Reading,
  type ReadOptions,
  type Translation,
  type WriteOptions,
} from './language.ts';
import { redactFault } from './redact-fault.ts';
import { isRefusal } from './refusals.ts';
import { readDisguised, readUnstructured } from './unstructured.ts';

/** The default language: all dialects, prose and redaction. `language.with(dialect)` is one with yours as well. */
export const language: Language = /* @__PURE__ */ languageOf({
  dialects: DIALECTS,
  foreign,
  prose: readUnstructured,
  disguised: readDisguised,
  refusals: isRefusal,
  redact: redactFault,
});

/** Wire → reading. Total: any value in, never throws; a success reads as no failure. */
export function read(value: unknown, options?: ReadOptions): Reading {
  return language.read(value, options);
}

/** Fault + dialect → wire, and, when you ask for them, the losses: what the dialect could not say. */
export function write(said: Fault, to: DialectId, options?: WriteOptions): Translation {
  return language.write(said, to, options);
}

// A language: the default one, or a smaller or larger one of your own.
export {
  createLanguage,
  type Language,
  type LanguageOptions,
  type Reading,
  type ReadOptions,
  type Translation,
  type WriteOptions,
} from './language.ts';
export type { Dialect, DialectId } from './dialects/dialect.ts';

// Throwing: what a server author needs at the place where something goes wrong.
export { fault } from './throwing.ts';
export { defineFault, type DefinedFault, type Definition } from './define.ts';
export { AnyFaultError as FaultError } from './fault-from.ts';
export { isFault, type ThrowOptions } from './fault-error.ts';
export { causeOf, faultOf, saidExecuted, saidRetryable } from './brand.ts';

// The words: faults, kinds, reactions, and what a kind implies.
export {
  type Fault,
  type FaultInit,
  type Issue,
  type Json,
  type JsonObject,
  makeFault,
  type Origin,
  type Retry,
  type Subject,
} from './fault.ts';
export { type Executed, isKind, KIND_NAMES, KINDS, type Kind, type Reaction } from './kinds.ts';
export { fromDocument, toDocument } from './document.ts';
