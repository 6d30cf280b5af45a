/** What a validator complains of, whichever it is. */

/** One complaint, with the members that Zod gives it. */
export interface Complaint {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly code?: string | undefined;
  readonly type?: string | undefined;
  readonly origin?: unknown;
  readonly expected?: unknown;
  readonly received?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly inclusive?: boolean | undefined;
  readonly pattern?: string | undefined;
  /** What a text should be, or hold: `email`, `{ startsWith: 'u_' }`. */
  readonly format?: unknown;
  readonly divisor?: unknown;
  readonly values?: readonly unknown[] | undefined;
  /** The names that it does not know. */
  readonly keys?: readonly string[] | undefined;
  /** What each of several forms that would do complains of, seen from its path. */
  readonly branches?: readonly (readonly Complaint[])[] | undefined;
  /** All of what was looked at, where the validator tells. */
  readonly whole?: { readonly value: unknown } | undefined;
  /** What was found at the path, where the validator tells. */
  readonly found?: { readonly value: unknown } | undefined;
  /** It was said of a record of the server's, into which arguments went. */
  readonly ofModel?: boolean | undefined;
}
