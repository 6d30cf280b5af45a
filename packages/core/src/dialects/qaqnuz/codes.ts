import type { CodeRow } from '../dialect.ts';

/** What the document says under "What to do", to the letter. */
const STEPS = {
  validation: ['Fix the input', 'Do not retry the same call — it will fail again'],
  permission: ['Do not retry blindly', 'Check entitlement, scopes, and whether the tool requires approval'],
  retryable: ['Back off and retry, honoring retry_hint when present'],
  dependency: ['Retry with backoff', 'If it persists, treat as an upstream outage'],
  terminal: ['Do not retry', 'Surface the failure'],
} as const;

/** The five classes are the reactions; the kind is the class's most general one. */
// biome-ignore format: a table
export const codes: readonly CodeRow[] = [
  { code: 'validation', name: 'validation', title: "Arguments failed the tool's input schema", kind: 'invalid_arguments', retryable: false, refusal: true, steps: STEPS.validation, written: true },
  { code: 'permission', name: 'permission', title: 'Policy, scope, entitlement or approval denied the call', kind: 'forbidden', retryable: false, refusal: true, steps: STEPS.permission, written: true },
  { code: 'retryable', name: 'retryable', title: 'A transient condition', kind: 'not_ready', retryable: true, steps: STEPS.retryable, written: true },
  { code: 'dependency', name: 'dependency', title: 'An upstream the tool depends on failed', kind: 'upstream_failed', retryable: true, steps: STEPS.dependency, written: true },
  { code: 'terminal', name: 'terminal', title: 'A permanent failure for this input', kind: 'unknown', retryable: false, steps: STEPS.terminal, written: true },
];
