/** What the run and its workers tell each other. */

/** The variable that names the file with the mutant of the moment. */
export const ACTIVE = 'MAYDAY_MUTANT';

/** The mutant of the moment. */
export interface Active {
  /** The absolute path. */
  readonly path: string;
  /** The whole file, changed. */
  readonly code: string;
}

/** Run these tests, in this order, to the first that fails. */
export interface Job {
  readonly active: Active | null;
  readonly tests: readonly string[];
}

/** What became of it. */
export interface Done {
  /** The test files that failed; more than one only without a mutant. */
  readonly failed: readonly string[];
  /** How long each test file took that was run, by its absolute path. */
  readonly tookMs: { readonly [test: string]: number };
}
