import type { CodeRow } from '../dialect.ts';

/** The five classes are the reactions; the kind is the class's most general one. */
// biome-ignore format: a table
export const codes: readonly CodeRow[] = [
  { code: 'validation', name: 'validation', title: "Arguments failed the tool's input schema", kind: 'invalid_arguments', retryable: false, refusal: true, written: true },
  { code: 'permission', name: 'permission', title: 'Policy, scope, entitlement or approval denied the call', kind: 'forbidden', retryable: false, refusal: true, written: true },
  { code: 'retryable', name: 'retryable', title: 'A transient condition', kind: 'not_ready', retryable: true, written: true },
  { code: 'dependency', name: 'dependency', title: 'An upstream the tool depends on failed', kind: 'upstream_failed', retryable: true, written: true },
  { code: 'terminal', name: 'terminal', title: 'A permanent failure for this input', kind: 'unknown', retryable: false, written: true },
];
