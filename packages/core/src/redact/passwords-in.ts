/**
 * What else is given away with a secret, and told of without what stands around it: the password of credentials without
 * their user, a token without its scheme, the value of a cookie without its name, a value as it was before it was escaped.
 */
import { bytesOf } from './bytes/base64.ts';

const BASE64 = /^[\w+/-]{8,4096}={0,2}$/;
/** The user is all before the first sign. */
const PAIR = /^[^:]{0,256}:(.+)$/s;
const PAIR_OF_ORACLE = /^[^:/]{1,256}\/(.+)$/s;
const PRINTABLE = /^[^\p{Cc}\ufffd]+$/u;
/** `Bearer x`, `Token token="x"`. */
const WITH_SCHEME = /^[A-Za-z][\w-]{1,24} {1,4}(?:\w{1,24}=(?=[^=]))?"?([^\s",]{1,4096})"?$/;
/** What a cookie says of itself. */
const OF_COOKIES = /^(?:domain|path|expires|max-age|samesite|secure|httponly|partitioned|priority)$/i;

/** A secret, and its class. */
type Given = readonly [text: string, cls: string];

/** The secrets in one of such a class. */
export function givenWith(value: string, cls: string): readonly Given[] {
  const inside: readonly Given[] =
    cls === 'cookie' ? valuesOfCookies(value) : cls === 'credentials' ? inCredentials(value) : [];
  const plain = [[value, cls] as const, ...inside].flatMap(([text, its]): readonly Given[] => [
    [text, its],
    [unescaped(text), its],
  ]);
  return plain.filter(([text]) => text !== value);
}

function inCredentials(value: string): readonly Given[] {
  const [, alone] = WITH_SCHEME.exec(value) ?? [];
  const passwords = passwordsIn(alone ?? value).map((password) => [password, 'password'] as const);
  return alone === undefined ? passwords : [[alone, 'credentials'], ...passwords];
}

/** The password that credentials end with. */
function passwordsIn(credentials: string): readonly string[] {
  const [, password] =
    PAIR.exec(decoded(credentials) ?? credentials) ?? PAIR_OF_ORACLE.exec(credentials) ?? [];
  if (password === undefined) return [];
  // A host may have been taken along, where the end of the password and it look like an address of mail.
  const at = password.lastIndexOf('@');
  return at > 0 ? [password, password.slice(0, at)] : [password];
}

function valuesOfCookies(cookies: string): readonly Given[] {
  return cookies.split(/[;\n]/).flatMap((pair) => {
    const at = pair.indexOf('=');
    if (at < 0 || OF_COOKIES.test(pair.slice(0, at).trim())) return [];
    const value = pair.slice(at + 1).trim();
    return [value, value.replace(/^"|"$|={1,2}$/g, '')].map((one) => [one, 'cookie'] as const);
  });
}

/** Basic credentials, as they are read. */
function decoded(encoded: string): string | undefined {
  if (!BASE64.test(encoded)) return undefined;
  const bytes = [...bytesOf(encoded)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`);
  const plain = unescaped(bytes.join(''));
  return PAIR.test(plain) && PRINTABLE.test(plain) ? plain : undefined;
}

function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it is no UTF-8, or the sign is one of the password's own
  }
}
