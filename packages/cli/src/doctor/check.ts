/** One thing that was looked at, and what was found. */

/** What a check came to. */
export interface Check {
  /** What was looked at: `node`, `file`, `store`, `port`, `server files`. */
  readonly what: string;
  readonly result: 'ok' | 'warning' | 'failed';
  /** What was found; where something is wrong, also what to do. */
  readonly says: string;
}
