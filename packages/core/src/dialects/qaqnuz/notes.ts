import type { Notes } from '../notes.ts';

/** What the document says under "What to do", to the letter. */
const STEPS: { readonly [name: string]: readonly string[] } = {
  validation: ['Fix the input', 'Do not retry the same call — it will fail again'],
  permission: ['Do not retry blindly', 'Check entitlement, scopes, and whether the tool requires approval'],
  retryable: ['Back off and retry, honoring retry_hint when present'],
  dependency: ['Retry with backoff', 'If it persists, treat as an upstream outage'],
  terminal: ['Do not retry', 'Surface the failure'],
};

/** For the catalogue. */
export const notes: Notes = ({ name }) => ({ steps: STEPS[name] ?? [] });
