/**
 * Secrets that look like words, behind the word for one: `Secret hunter2zz not found`. In words that were written for
 * nobody they go; a name does not mix letters and digits in one part: `Secret db-creds not found`.
 */

const WORD = '(?:password|passphrase|passcode|secret|token|api[ _-]?key|access[ _-]?key|credentials?)';
/** `Secret x`, `secret "x"`, `password-x`, `token/x`. */
const BEHIND = new RegExp(`\\b(${WORD}(?:[ \\t]{1,3}["'\`]?|[-_/]))([^\\s"'\`()<>\\[\\],;]{6,80})`, 'gi');
/** `(password x)`: nothing else stands there. */
const ASIDE = /(\((?:with |using )?(?:password|passphrase|passcode)[ :=]{1,3})([^\s()[\]]{3,80})(?=\))/gi;
/** `Login svc/x`. */
const LOGIN =
  /(\b(?:login|logon|account|credentials?)[ \t]{1,3}[\w.@+-]{1,64}[/:])([^\s"'`()<>[\],;]{8,80})/gi;

/** What is said of a password in brackets. */
const STATES =
  /^(?:required|missing|expired|hidden|invalid|incorrect|wrong|reset|optional|needed|unset|empty)$/i;

/** The text without them; what the caller wrote itself stays. */
export function withoutNamedSecrets(text: string, own: readonly string[] = []): string {
  if (!/passw|passphrase|passcode|secret|token|key|credential|log[io]n|account/i.test(text)) return text;
  const sent = new Set(own);
  const hide = (isHidden: (value: string) => boolean) => (whole: string, before: string, value: string) =>
    isHidden(value) && !sent.has(value) ? `${before}[secret:1]` : whole;
  return text
    .replace(
      ASIDE,
      hide((value) => !STATES.test(value)),
    )
    .replace(BEHIND, hide(isMixed))
    .replace(LOGIN, hide(isMixed));
}

/** Letters, digits and letters again in one part, or signs among them. */
export function isMixed(value: string): boolean {
  if (/^[\w.-]*$/.test(value))
    return value.split(/[-_.]/).some((part) => part.length >= SHORTEST && /[a-z]\d+[a-z]/i.test(part));
  return /[a-z]/i.test(value) && /\d/.test(value) && /[!$%&*^#]/.test(value);
}

const SHORTEST = 6;
