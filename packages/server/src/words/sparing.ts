/**
 * What the caller wrote itself is not taken out of the words that quote it: the piece of its query that a database
 * stumbled over, the folder that it named, the commit that there is none of. What it sent as a credential is.
 */
import { type NamedSecret, namedSecrets, type RedactOptions } from '@mayday/core/redact';
import { isCredentialName } from './credentials.ts';
import { isRecord } from './look.ts';
import { beginning, textsIn, textsNamed } from './sent.ts';

/** The options of redaction for words that go to whoever sent this. */
export function sparing(sent: unknown, options: RedactOptions | undefined): RedactOptions | undefined {
  const own = textsIn(sent, isCredentialName);
  const hidden = hidingSent(sent, options);
  return own.length === 0 ? hidden : { ...hidden, own: [...(options?.own ?? []), ...own] };
}

/** The options of redaction for all that goes to whoever sent this: no credential is sent back. */
export function hidingSent(sent: unknown, options: RedactOptions | undefined): RedactOptions | undefined {
  const hide = credentialsIn(sent);
  return hide.length === 0 ? options : { ...options, hide };
}

/** What is named like a credential, by its own name or by one beside or above it. */
function credentialsIn(sent: unknown): readonly string[] {
  const own = textsNamed(sent, (name, text) => isCredentialName(name) && isOdd(PASSWORD.test(name), text));
  const keys = keysBesideLogins(sent);
  const told = namedSecrets(beginning(sent))
    .filter(
      (secret) =>
        (isCredential(secret) || keys.has(secret.text)) && isOdd(secret.class === 'password', secret.text),
    )
    .flatMap(({ text, class: cls }) =>
      cls === 'cookie' ? [text, ...text.split(/[=;\s]+/).filter(isLong)] : [text],
    );
  return [...new Set([...own, ...told])];
}

/**
 * Sessions, signatures and the keys of users and products are told to those who sent them; so is what is called `key` alone, as most things
 * have one, unless nothing but a credential is as long and as odd.
 */
function isCredential({ name, class: cls, text, isGuess }: NamedSecret): boolean {
  if (isGuess && KEY_ALONE.test(name)) return LONG_KEY.test(text);
  return CREDENTIALS.test(cls) || (cls === 'api-key' && API_KEY.test(name));
}

/** What is called `key` alone beside what says whose it is, or of which kind: `{ username, key }`, `{ type: 'api_key', key }`. */
function keysBesideLogins(sent: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  const gather = (value: unknown, depth: number): void => {
    if (depth === 0 || !isRecord(value)) return;
    const members = Object.entries(value).slice(0, MOST_MEMBERS);
    const isLogin = members.some(([name, text]) => isOfLogin(name, text));
    for (const [name, member] of members)
      if (isLogin && KEY_ALONE.test(name) && typeof member === 'string') found.add(member);
      else gather(member, depth - 1);
  };
  gather(sent, DEEPEST);
  return found;
}

function isOfLogin(name: string, text: unknown): boolean {
  return LOGIN.test(name) || (KIND.test(name) && typeof text === 'string' && CREDENTIAL_KIND.test(text));
}

const MOST_MEMBERS = 100;
const DEEPEST = 5;
const LOGIN = /^(?:user_?name|login|provider|secret|password|client_?id|auth)$/i;
const KIND = /^(?:auth_?)?(?:type|kind|method|scheme)$/i;
const CREDENTIAL_KIND = /^(?:x-)?api[ _-]?key$|^(?:access|secret)[ _-]?key$|^bearer$|^token$/i;
const KEY_ALONE = /^keys?$/i;
const LONG_KEY = /^(?!(?:0x)?[\da-f]+$).{40}/i;
const CREDENTIALS = /^(?:password|private-key|secret|token|credentials|cookie|otp)$/;
const API_KEY =
  /(?:api|access|auth|secret|crypt(?:ion)?|master|admin|service|client|app(?:lication)?|hmac|licen[cs]e|activation|functions?|server|sdk|ingest(?:ion)?|integration|wallet|wifi|network|signing|deploy)[ _-]?keys?$/i;

/** A short word is a credential only where it is a password: `token: 'USDC'` is the name of one. */
function isOdd(isPassword: boolean, text: string): boolean {
  return isPassword || !/^[A-Za-z]{1,8}$/.test(text);
}

function isLong(text: string): boolean {
  return text.length >= SHORTEST;
}

const SHORTEST = 6;
const PASSWORD = /passw(?:or)?d|passphrase|pwd/i;

/**
 * The same for settings that hold such options, and for what authors say: there only what was sent as one word, a name or an id, is
 * the caller's. A sentence that it sent may hold anything.
 */
export function sparingIn<S extends { readonly redaction: RedactOptions }>(settings: S, sent: unknown): S {
  const spared = sparing(sent, settings.redaction);
  const redaction = spared?.own ? { ...spared, own: spared.own.filter((text) => !/\s/.test(text)) } : spared;
  return redaction === undefined || redaction === settings.redaction ? settings : { ...settings, redaction };
}
