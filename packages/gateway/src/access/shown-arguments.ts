/**
 * What a person is shown of a call before consenting to it. Only secrets are taken out, and each leaves a digest, so that
 * two calls that differ look different. Nothing that may be more than a secret is ever taken out.
 */
import { createHmac } from 'node:crypto';
import { namedSecrets, redact } from '@mayday/core/redact';

/** Tells secrets apart for whoever may not see them. */
export type DigestOf = (secret: string) => string;

/** 32 bits: enough to tell a few hundred apart, and of no use without the key. */
const DIGITS = 8;

/** Digests of one caller's secrets: what one caller sends is never compared with what another does. */
export function digestsFor(key: string, caller: string | undefined): DigestOf {
  return (secret) =>
    createHmac('sha256', key)
      .update(JSON.stringify([caller ?? null, secret]))
      .digest('hex')
      .slice(0, DIGITS);
}

/** A value without secrets. What is a secret in one place and something else in another is shown in the other. */
export function shownValue<T>(value: T, digest: DigestOf): T {
  return redact(value, { level: 'secrets', disable: ['repeated'], digest }).value;
}

/** The same; `undefined` where something else could be hidden with a secret: nobody consents to what they cannot see. */
export function shownWhole<T>(value: T, digest: DigestOf): T | undefined {
  const hidden = new Map<string, string>();
  const shown = shownValue(value, (secret) => {
    const digits = digest(secret);
    hidden.set(digits, secret);
    return digits;
  });
  if (hidden.size === 0) return shown;
  const named = new Set(namedSecrets(value).map(({ text }) => text));
  return textsIn(shown).every((text) => hidesSecretsAlone(text, hidden, named)) ? shown : undefined;
}

const SURROGATES = /\[[a-z][a-z-]{1,23}:\d{1,6}#([\da-f]{8})\]/g;

function hidesSecretsAlone(
  text: string,
  hidden: ReadonlyMap<string, string>,
  named: ReadonlySet<string>,
): boolean {
  for (const [surrogate, digits = ''] of text.matchAll(SURROGATES)) {
    const secret = hidden.get(digits);
    if (secret === undefined) continue; // the caller wrote it so
    const isWhole = surrogate === text.trim();
    const isKey = isWhole && LINES_OF_KEY.test(secret);
    if (!isKey && !(isWhole && named.has(secret) ? isPassword(secret) : isWord(secret))) return false;
  }
  return true;
}

/** A password is no longer than this, unless it is one word. */
const LONGEST_PASSWORD = 256;
/** A private key and nothing else. */
const LINES_OF_KEY =
  /^-----BEGIN [A-Z\d ]{1,60}-----\s(?:[A-Za-z\d+/=]{60,80}\s{1,2})*(?:[A-Za-z\d+/=]{1,80}\s{1,2})?-----END [A-Z\d ]{1,60}-----\s*$/;

/** May this be all that an argument with the name of a secret says? */
function isPassword(secret: string): boolean {
  return secret.length <= LONGEST_PASSWORD || /^\S*$/.test(secret);
}

/** A command goes on behind any of these: what is taken out of the midst of a text has none of them. */
const GOES_ON = /[\s;|&<>`]|\$[\w({]/;
const LONGEST_WORD = 4096;

/** May this be taken out of a text without the rest of a command? What is encoded counts as what it says. */
function isWord(secret: string): boolean {
  if (secret.length > LONGEST_WORD || GOES_ON.test(secret)) return false;
  return (['base64', 'hex'] as const).every((encoding) => {
    const plain = Buffer.from(secret, encoding).toString('latin1');
    return !/^[\t\n\r\x20-\x7e]{8,}$/.test(plain) || isWord(plain);
  });
}

function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(value, (key, one: unknown) => {
    texts.push(key);
    if (typeof one === 'string') texts.push(one);
    return one;
  });
  return texts;
}
