/**
 * What the caller wrote itself is not taken out of the words that quote it: the piece of its query that a database
 * stumbled over, the folder that it named, the commit that there is none of. What it sent as a credential is.
 */
import { isCredentialName, type RedactOptions, sentCredentials } from '@mayday/core/redact';
import { textsIn } from './sent.ts';

/** The options of redaction for words that go to whoever sent this. */
export function sparing(sent: unknown, options: RedactOptions | undefined): RedactOptions | undefined {
  const own = textsIn(sent, isCredentialName);
  const hidden = hidingSent(sent, options);
  return own.length === 0 ? hidden : { ...hidden, own: [...(options?.own ?? []), ...own] };
}

/** The options of redaction for all that goes to whoever sent this: no credential is sent back. */
export function hidingSent(sent: unknown, options: RedactOptions | undefined): RedactOptions | undefined {
  const hide = sentCredentials(sent);
  return hide.length === 0 ? options : { ...options, hide };
}

/**
 * The same for settings that hold such options, and for what authors say: there only what was sent as one word, a name or an id, is
 * the caller's. A sentence that it sent may hold anything.
 */
export function sparingIn<S extends { readonly redaction: RedactOptions }>(settings: S, sent: unknown): S {
  const spared = sparing(sent, settings.redaction);
  const redaction = spared?.own ? { ...spared, own: spared.own.filter((text) => !/\s/.test(text)) } : spared;
  return redaction === undefined || redaction === settings.redaction ? settings : { ...settings, redaction };
}
