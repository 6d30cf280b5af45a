/** Addresses that somebody is asked to open: what opens nothing without them stays, and what is nobody's but its owner's goes. */
import { toOpen } from './leaving.ts';
import { isSurelyReference } from './placeholders.ts';
import { isPlainWord } from './plain-words.ts';
import { createEngine } from './redactor.ts';
import { createNamer } from './surrogates.ts';
import type { RedactOptions } from './types.ts';
import { redactValue } from './value.ts';

/** Between the name of a parameter and its value; in an address that stands in another, signs are encoded. */
const TIE = /=|%(?:25){0,3}3d/gi;
/** Before its name: in a query, a fragment or a path. */
const SIGN = /[?&#;]/;
const SIGN_ENCODED = /%(?:25){0,3}(?:3f|26|23|3b)/gi;
/** A name, and what may be encoded before it. */
const BEFORE = /[\w.%[\]-]/;
const LONGEST_NAME = 100;
/** What ends a value there. */
const END = /[&#\s"'<>]/;
const END_ENCODED = /[&#\s"'<>]|%(?:25){0,3}(?:26|23)/i;

/** What such names are, without the signs in them. `token`, `code` and `state` are of the page. */
const NEVER_NEEDED: readonly (readonly [cls: string, names: RegExp])[] = [
  ['password', /^(?:db|user|login|account|my)?(?:password|passwd|passphrase)$/],
  ['api-key', /^x?apikey$/],
  ['secret', /^(?:(?:api|app|client|consumer|oauth|shared|oauthtoken)?secret(?:key)?|privatekey)$/],
  ['token', /^(?:oauth)?(?:access|refresh)token$/],
];

/** Takes what must not be told out of such addresses. */
export function addressRedactor(options: RedactOptions = {}): (address: string) => string {
  const engine = createEngine(toOpen(options));
  return (address) => redactValue(engine, withoutParameters(address, options)).value;
}

function withoutParameters(address: string, { digest }: RedactOptions): string {
  const namer = createNamer(digest);
  namer.reserve(address);
  let left = '';
  let from = 0;
  for (const { 0: tie, index } of address.matchAll(TIE)) {
    const at = index + tie.length;
    const cls = classOf(nameBefore(address, index));
    if (cls === undefined || index < from) continue;
    const rest = address.slice(at);
    const length = rest.search(tie === '=' ? END : END_ENCODED);
    const value = length < 0 ? rest : rest.slice(0, length);
    if (holdsNone(value)) continue;
    left += address.slice(from, at) + namer.name(value, cls);
    from = at + value.length;
  }
  return left + address.slice(from);
}

function nameBefore(address: string, end: number): string {
  let start = end;
  while (end - start < LONGEST_NAME && BEFORE.test(address.charAt(start - 1))) start -= 1;
  const parts = address.slice(start, end).split(SIGN_ENCODED);
  const isNamed = parts.length > 1 || SIGN.test(address.charAt(start - 1));
  return isNamed ? (parts.at(-1) ?? '') : '';
}

/** `pass%77ord`, also in an address that stands in another. */
function decoded(name: string): string {
  let plain = name;
  for (let depth = 0; depth < DEEPEST; depth += 1)
    plain = plain.replace(/%([2-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return plain;
}

const DEEPEST = 3;

function classOf(name: string): string | undefined {
  const plain = decoded(name)
    .toLowerCase()
    .replace(/[^a-z\d]/g, '');
  return NEVER_NEEDED.find(([, names]) => names.test(plain))?.[0];
}

/** Fewer letters only say whether there is one. */
const SHORTEST = 4;

/** Is it said whether there is one, or where one would stand? */
function holdsNone(value: string): boolean {
  return value.length < SHORTEST || isPlainWord(value) || isSurelyReference(value);
}
