/** The words in full: what the root leaves out because few programs name it. */
export type { Carried } from '../brand.ts';
export type { DefinedOptions } from '../define.ts';
export { type Native, ORIGINS, SUBJECT_TYPES } from '../fault.ts';
export type { FromOptions } from '../fault-from.ts';
export { isRetryable, type KindDefaults, type RetryWhen } from '../kinds.ts';
export type { FaultFactory } from '../throwing.ts';
