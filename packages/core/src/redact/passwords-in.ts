/** The password that credentials end with: whoever tells of it elsewhere leaves the user out. */
import { bytesOf } from './bytes/base64.ts';

const BASE64 = /^[\w+/-]{8,4096}={0,2}$/;
/** The user is all before the first sign. */
const PAIR = /^[^:]{0,256}:(.+)$/s;
const PAIR_OF_ORACLE = /^[^:/]{1,256}\/(.+)$/s;
const PRINTABLE = /^[^\p{Cc}\ufffd]+$/u;

/** As it is, and as an address has it. */
export function passwordsIn(credentials: string): readonly string[] {
  const [, password] =
    PAIR.exec(decoded(credentials) ?? credentials) ?? PAIR_OF_ORACLE.exec(credentials) ?? [];
  if (password === undefined) return [];
  // A host may have been taken along, where the end of the password and it look like an address of mail.
  const at = password.lastIndexOf('@');
  const passwords = at > 0 ? [password, password.slice(0, at)] : [password];
  return [...new Set(passwords.flatMap((one) => [one, unescaped(one)]))];
}

/** Basic credentials, as they are read. */
function decoded(encoded: string): string | undefined {
  if (!BASE64.test(encoded)) return undefined;
  const bytes = [...bytesOf(encoded)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`);
  const plain = unescaped(bytes.join(''));
  return PAIR.test(plain) && PRINTABLE.test(plain) ? plain : undefined;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it is no UTF-8, or the sign is one of the password's own
  }
}
