/**
 * The kinds: what can go wrong, as a closed, stable, append-only set.
 *
 * A kind carries the defaults that apply when the wire does not say otherwise: how a caller reacts,
 * when a retry makes sense, whether the operation may have happened, and the HTTP status.
 */

/** The class a caller branches on. */
export type Reaction = 'validation' | 'permission' | 'retryable' | 'dependency' | 'terminal';

/** When a further attempt makes sense. */
export type RetryWhen =
  | 'never'
  | 'now'
  | 'backoff'
  | 'after_wait'
  | 'after_auth'
  | 'after_approval'
  | 'after_change';

/** Did the operation happen? Decides whether a retry can do harm. */
export type Executed = 'no' | 'maybe' | 'yes';

/** What a kind implies when nothing more is known. */
export interface KindTraits {
  readonly reaction: Reaction;
  readonly when: RetryWhen;
  readonly executed: Executed;
  /** The HTTP status a REST twin answers with. */
  readonly http: number;
  /** Short human name of the class. */
  readonly title: string;
}

/** What a kind implies, and what a caller does about it. */
export interface KindDefaults extends KindTraits {
  /** What the caller does next, as an instruction a model can follow. */
  readonly advice: string;
}

/** What went wrong. */
export type Kind =
  | 'parse_error'
  | 'invalid_request'
  | 'invalid_arguments'
  | 'unprocessable'
  | 'too_large'
  | 'unsupported_media'
  | 'expired'
  | 'unsupported'
  | 'unauthenticated'
  | 'forbidden'
  | 'approval_required'
  | 'input_required'
  | 'not_found'
  | 'conflict'
  | 'not_ready'
  | 'rate_limited'
  | 'quota_exhausted'
  | 'overloaded'
  | 'timeout'
  | 'cancelled'
  | 'disconnected'
  | 'unavailable'
  | 'upstream_failed'
  | 'misconfigured'
  | 'invalid_output'
  | 'internal'
  | 'unknown';

type Row = readonly [Reaction, RetryWhen, Executed, number, string];

// One row a line, so that the table reads as a table.
// biome-ignore format: a table
const rows: { readonly [K in Kind]: Row } = {
  parse_error: ['validation', 'after_change', 'no', 400, 'Parse error'],
  invalid_request: ['validation', 'after_change', 'no', 400, 'Invalid request'],
  invalid_arguments: ['validation', 'after_change', 'no', 400, 'Invalid arguments'],
  unprocessable: ['validation', 'after_change', 'no', 422, 'Unprocessable'],
  too_large: ['validation', 'after_change', 'no', 413, 'Too large'],
  unsupported_media: ['validation', 'after_change', 'no', 415, 'Unsupported media type'],
  expired: ['validation', 'after_change', 'no', 410, 'Expired'],
  unsupported: ['terminal', 'never', 'no', 501, 'Not supported'],
  unauthenticated: ['permission', 'after_auth', 'no', 401, 'Unauthorized'],
  forbidden: ['permission', 'never', 'no', 403, 'Forbidden'],
  approval_required: ['permission', 'after_approval', 'no', 403, 'Approval required'],
  input_required: ['permission', 'after_change', 'no', 403, 'Input required'],
  not_found: ['terminal', 'never', 'no', 404, 'Not found'],
  conflict: ['terminal', 'never', 'no', 409, 'Conflict'],
  not_ready: ['retryable', 'backoff', 'no', 503, 'Not ready'],
  rate_limited: ['retryable', 'after_wait', 'no', 429, 'Rate limited'],
  quota_exhausted: ['terminal', 'never', 'no', 429, 'Quota exhausted'],
  overloaded: ['retryable', 'backoff', 'no', 503, 'Overloaded'],
  timeout: ['retryable', 'backoff', 'maybe', 504, 'Timed out'],
  cancelled: ['terminal', 'never', 'maybe', 499, 'Cancelled'],
  disconnected: ['retryable', 'backoff', 'maybe', 502, 'Connection lost'],
  unavailable: ['dependency', 'backoff', 'no', 503, 'Unavailable'],
  upstream_failed: ['dependency', 'backoff', 'maybe', 502, 'Upstream failed'],
  misconfigured: ['terminal', 'never', 'no', 500, 'Misconfigured'],
  invalid_output: ['terminal', 'never', 'yes', 500, 'Invalid output'],
  internal: ['terminal', 'never', 'maybe', 500, 'Internal error'],
  unknown: ['terminal', 'never', 'maybe', 500, 'Unknown failure'],
};

/** What the caller does next. Apart from the rest, since only what speaks to a model carries it with it. */
// biome-ignore format: a table
export const ADVICE: { readonly [K in Kind]: string } = {
  parse_error: 'Send valid JSON.',
  invalid_request: 'Fix the shape of the request, then send it again.',
  invalid_arguments: 'Correct the arguments, then call again.',
  unprocessable: 'The input is well-formed but cannot be accepted; change it, then call again.',
  too_large: 'Send less at once, then call again.',
  unsupported_media: 'Use a supported format or encoding, then call again.',
  expired: 'Start again without the expired value.',
  unsupported: 'This is not supported here; use something else.',
  unauthenticated: 'Sign in or renew the credentials, then call again.',
  forbidden: 'Ask for access; do not repeat the call without it.',
  approval_required: 'Get the call approved, then make it again.',
  input_required: 'Ask the user for the requested input, then call again.',
  not_found: 'Check the identifier; do not repeat the same call.',
  conflict: 'Look at the current state first; do not repeat the same call.',
  not_ready: 'Not ready yet; wait a little, then call again.',
  rate_limited: 'Wait, then call again.',
  quota_exhausted: 'The quota is used up; do not retry, tell the user.',
  overloaded: 'The server is busy; wait a little, then call again.',
  timeout: 'It may have happened; check before you repeat a change, otherwise try again.',
  cancelled: 'The call was cancelled; do not repeat it unless asked.',
  disconnected: 'The connection broke: it may have happened; check before you repeat a change, otherwise try again.',
  unavailable: 'The service is down; back off, then try again.',
  upstream_failed: 'A service behind the tool failed; back off, then try again if it is safe to repeat.',
  misconfigured: 'The server lacks a setting; tell the user, do not retry.',
  invalid_output: 'It ran but its answer was unusable; do not repeat it, tell the user.',
  internal: 'Unexpected failure in the server; do not retry, tell the user.',
  unknown: 'The cause is not known; do not retry blindly, tell the user.',
};

/** All kinds, in the order of the table. */
export const KIND_NAMES: readonly Kind[] = Object.keys(rows) as Kind[];
const NAMES: ReadonlySet<unknown> = /* @__PURE__ */ new Set(KIND_NAMES);

/** What each kind implies. */
export const TRAITS: { readonly [K in Kind]: KindTraits } = /* @__PURE__ */ (() => {
  const table = {} as Record<Kind, KindTraits>;
  for (const name of KIND_NAMES) {
    const [reaction, when, executed, http, title] = rows[name];
    table[name] = { reaction, when, executed, http, title };
  }
  return table;
})();

/** The table of kinds. */
export const KINDS: { readonly [K in Kind]: KindDefaults } = /* @__PURE__ */ (() => {
  const table = {} as Record<Kind, KindDefaults>;
  for (const name of KIND_NAMES) table[name] = { ...TRAITS[name], advice: ADVICE[name] };
  return table;
})();

/** All reactions. */
export const REACTIONS: readonly Reaction[] = [
  'validation',
  'permission',
  'retryable',
  'dependency',
  'terminal',
];

/** All that can be said about whether it happened. */
export const EXECUTED: readonly Executed[] = ['no', 'maybe', 'yes'];

/** All moments for a further attempt. */
export const WHENS: readonly RetryWhen[] = [
  'never',
  'now',
  'backoff',
  'after_wait',
  'after_auth',
  'after_approval',
  'after_change',
];

/** Is this string one of the kinds? */
export function isKind(value: unknown): value is Kind {
  return NAMES.has(value);
}

/** Would whoever reads this ask again? What was declared decides over the kind. */
export function invites({
  kind,
  retryable,
}: {
  readonly kind: Kind;
  readonly retryable?: boolean | undefined;
}): boolean {
  return retryable ?? isRetryable(TRAITS[kind].reaction);
}

/** A caller may try again, now or later, exactly for these two reactions. */
export function isRetryable(reaction: Reaction): boolean {
  return reaction === 'retryable' || reaction === 'dependency';
}

/** What a kind implies once the work may have begun. */
export function withoutEvidence(kind: Kind): Executed {
  const { executed } = TRAITS[kind];
  return executed === 'no' ? 'maybe' : executed;
}
