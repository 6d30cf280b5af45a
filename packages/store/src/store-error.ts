/** Why a store did not do what it was asked. */
export type StoreProblem =
  /** Cannot be reached, or went away in the middle of it. */
  | 'down'
  /** Did not answer in time. */
  | 'slow'
  /** No room left. */
  | 'full'
  | 'read_only'
  /** Answered what cannot be. */
  | 'lying'
  /** Does not let us in. */
  | 'refused'
  /** What is there is no store, is broken, or was written by a newer version. */
  | 'unusable'
  /** This machine, this version of Node or this server cannot do it. */
  | 'unsupported'
  | 'closed';

/** A store that did not do what it was asked: nothing is known to have been kept. Holds no secrets. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly problem: StoreProblem;

  constructor(problem: StoreProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
