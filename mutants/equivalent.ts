/** Mutants that behave like the original, each with the reason. */
import type { Mutant } from './mutate.ts';

interface Equivalent {
  readonly file: string;
  /** A part of the line that it is in. */
  readonly code: string;
  /** What was changed, as the report says it. */
  readonly what: string;
  readonly because: string;
}

const EQUIVALENT: readonly Equivalent[] = [];

/** Is nothing to be noticed about this mutant? */
export function isEquivalent({ file, code, what }: Mutant): boolean {
  return EQUIVALENT.some((one) => one.file === file && one.what === what && code.includes(one.code));
}
