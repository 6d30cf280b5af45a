/** The secrets that a value is made of: whoever was given all of it may say a part. */
import { decoded } from '../decoded.ts';

/** The parts of a value that are secrets by themselves: behind its scheme, in pairs, lists, addresses, JSON and base64. */
export function secretsIn(value: string): readonly string[] {
  const address = ADDRESS.exec(value);
  if (address !== null) {
    const [, user = '', password = '', rest = ''] = address;
    return [
      password,
      decoded(password),
      ...(password === '' ? partsOf(user) : []),
      ...partsOf(queryOf(rest)),
    ];
  }
  const [, scheme = '', credentials = value] = SCHEME.exec(value) ?? [];
  const plain = scheme.toLowerCase() === 'basic' ? Buffer.from(credentials, 'base64').toString('utf8') : '';
  const behind = scheme === '' ? [] : [credentials];
  return [...behind, plain, plain.slice(plain.indexOf(':') + 1), ...partsOf(value)];
}

/** `scheme://user:password@host…`; a password may have anything in it. */
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/(?:([^:@/?#]*)(?::(.*))?@)?([^@]*)$/is;

/** Is all of it an address? */
export function isAddress(value: string): boolean {
  return ADDRESS.test(value) && !/\s/.test(value);
}

/** Would nobody type it? Whoever knows such a part of a path is let in. */
export function isMadeUp(part: string): boolean {
  return MADE_UP.test(part) || HEX.test(part);
}

const MADE_UP = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w~=%-]{16,}$/;
const HEX = /^(?=.*\d)(?=.*[a-f])[\da-f]{24,}$/i;

/** `Bearer …`, `ApiKey …` */
const SCHEME = /^([a-z][\w-]{0,40}) +(.+)$/is;

function queryOf(rest: string): string {
  const at = rest.indexOf('?');
  return at < 0 ? '' : rest.slice(at);
}

/** What stands between the signs of headers, lists and JSON, as far as nobody would take it for a word. */
function partsOf(value: string): readonly string[] {
  return value
    .split(/[\s,;&?=:|"'`\\()[\]{}<>]+/)
    .filter(
      (part) => part.length >= LONG || (part.length >= SHORT && /[a-z]/i.test(part) && /\d/.test(part)),
    );
}

/** Shorter than this, a part needs letters and digits, and so many of them. */
const LONG = 20;
const SHORT = 8;
