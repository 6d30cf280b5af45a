/**
 * What the caller wrote itself is not taken out of the words that quote it: the piece of its query that a database
 * stumbled over, the folder that it named, the commit that there is none of. What it sent as a credential is.
 */
import type { RedactOptions } from '@mayday/core/redact';
import { isCredentialName } from './credentials.ts';
import { textsIn, textsNamed } from './sent.ts';

/** The options of redaction for words that go to whoever sent this. */
export function sparing(sent: unknown, options: RedactOptions | undefined): RedactOptions | undefined {
  const own = textsIn(sent, isCredentialName);
  const hidden = hidingSent(sent, options);
  return own.length === 0 ? hidden : { ...hidden, own: [...(options?.own ?? []), ...own] };
}

/** The options of redaction for all that goes to whoever sent this: no credential is sent back. */
export function hidingSent(sent: unknown, options: RedactOptions | undefined): RedactOptions | undefined {
  const hide = textsNamed(sent, isCredential);
  return hide.length === 0 ? options : { ...options, hide };
}

/** A short word is a credential only where it is a password: `token: 'USDC'` is the name of one. */
function isCredential(name: string, text: string): boolean {
  return isCredentialName(name) && (PASSWORD.test(name) || !/^[A-Za-z]{1,8}$/.test(text));
}

const PASSWORD = /passw(?:or)?d|passphrase|pwd/i;

/** The same for settings that hold such options. */
export function hidingIn<S extends { readonly redaction: RedactOptions }>(settings: S, sent: unknown): S {
  const redaction = hidingSent(sent, settings.redaction);
  return redaction === settings.redaction ? settings : { ...settings, redaction };
}
