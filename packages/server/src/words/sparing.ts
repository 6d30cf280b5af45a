/**
 * What the caller wrote itself is not taken out of the words that quote it: the piece of its query that a database
 * stumbled over, the folder that it named, the commit that there is none of. What it sent as a credential is.
 */
import type { RedactOptions } from '@mayday/core/redact';
import { isCredentialName } from './credentials.ts';
import { textsIn } from './sent.ts';

/** The options of redaction for words that go to whoever sent this. */
export function sparing(sent: unknown, options: RedactOptions | undefined): RedactOptions | undefined {
  const own = textsIn(sent, isCredentialName);
  return own.length === 0 ? options : { ...options, own: [...(options?.own ?? []), ...own] };
}
