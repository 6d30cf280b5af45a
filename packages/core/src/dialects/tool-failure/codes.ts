import { KIND_NAMES, type Kind, type Reaction, TRAITS } from '../../kinds.ts';
import type { CodeRow } from '../dialect.ts';

/** The three behavioural classes of the draft. */
export type ToolFailureClass = 'capability' | 'reliability' | 'governance';

/** The class that a reaction falls in. */
export const CLASS_OF_REACTION: { readonly [R in Reaction]: ToolFailureClass } = {
  validation: 'capability',
  permission: 'governance',
  retryable: 'reliability',
  dependency: 'reliability',
  terminal: 'capability',
};

/** The draft's baseline vocabulary. `code` is open: every other kind goes by its own name. */
const BASELINE: { readonly [K in Kind]?: string } = {
  unsupported: 'capability_unsupported',
  not_found: 'resource_not_found',
  invalid_arguments: 'invalid_input',
  unauthenticated: 'auth_required',
  forbidden: 'permission_denied',
  input_required: 'user_action_required',
};

/** Baseline codes that several kinds share: understood, not written. */
// biome-ignore format: a table
const SHARED: readonly CodeRow[] = [
  { code: 'retryable_transient_error', name: 'retryable_transient_error', title: 'A transient condition', kind: 'not_ready', written: false },
  { code: 'policy_blocked', name: 'policy_blocked', title: 'Refused by policy', kind: 'forbidden', refusal: true, written: false },
];

/** The baseline of the class `governance`: refused by policy. Of the other classes, the draft says nothing of the kind. */
const GOVERNED: ReadonlySet<string> = new Set(['auth_required', 'permission_denied', 'user_action_required']);

/** One code a kind. */
export const codes: readonly CodeRow[] = /* @__PURE__ */ KIND_NAMES.map((kind): CodeRow => {
  const code = BASELINE[kind] ?? kind;
  return { code, name: code, title: TRAITS[kind].title, kind, refusal: GOVERNED.has(code), written: true };
}).concat(SHARED);
