/**
 * What was sent as a credential, by its own name or by one beside or above it: neither the words that quote a call nor what
 * becomes of it repeat that. Sessions, names of things and places in lists are what they look like.
 */
import { type NamedSecret, namedSecrets } from './named-secrets.ts';
import { isValueName } from './node-names.ts';

/** What is named like a credential in what was sent. Bounded: whoever sends megabytes keeps nobody waiting. */
export function sentCredentials(sent: unknown): readonly string[] {
  const own = textsNamed(sent, (name, text) => isCredentialName(name) && isOdd(PASSWORD.test(name), text));
  const keys = keysBesideLogins(sent);
  const told = [...namedSecrets(beginningOf(sent, MOST_MEMBERS)), ...namedSecrets(valuesInLists(sent))]
    .filter(
      (secret) =>
        (isCredential(secret) || keys.has(secret.text)) && isOdd(secret.class === 'password', secret.text),
    )
    .flatMap(({ text, class: cls }) =>
      cls === 'cookie' ? [text, ...text.split(/[=;\s]+/).filter(isLong)] : [text],
    );
  return [...new Set([...own, ...told])];
}

/** Is an argument of this name a credential? Places in a list are none. */
export function isCredentialName(name: string): boolean {
  return CREDENTIAL.test(name) && !PLACE.test(name);
}

const CREDENTIAL =
  /(?:(?:api|access|private)[_-]?key|token|passw(?:or)?d|passphrase|secret|credentials?|authorization|cookie)$|^(?:pwd|pin|otp|auth|jwt|bearer)$/i;
/** Keys that open something, and that things have too, as their names: only chance makes such a secret. */
const OF_ACCESS = /(?:account|session)[_-]?key$/i;
const PLACE = /page|next|cursor|continuation|sync/i;

/**
 * Sessions, signatures and the keys of users and products are told to those who sent them; so is what is called `key` alone, as most things
 * have one, unless nothing but a credential is as long and as odd.
 */
function isCredential({ name, class: cls, text, isGuess }: NamedSecret): boolean {
  if (isGuess && KEY_ALONE.test(name)) return LONG_KEY.test(text);
  if (OF_ACCESS.test(name)) return isMadeUp(text);
  return CREDENTIALS.test(cls) || (cls === 'api-key' && (API_KEY.test(name) || isCredentialName(name)));
}

/** What is called `key` alone beside what says whose it is, or of which kind: `{ username, key }`, `{ type: 'api_key', key }`. */
function keysBesideLogins(sent: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  eachHolder(sent, (members) => {
    const isLogin = members.some(([name, text]) => isOfLogin(name, text));
    for (const [name, member] of members)
      if (isLogin && KEY_ALONE.test(name) && typeof member === 'string') found.add(member);
  });
  return found;
}

function isOfLogin(name: string, text: unknown): boolean {
  return LOGIN.test(name) || (KIND.test(name) && typeof text === 'string' && CREDENTIAL_KIND.test(text));
}

const LOGIN = /^(?:user_?name|login|provider|secret|password|client_?id|auth)$/i;
const KIND = /^(?:auth_?)?(?:type|kind|method|scheme)$/i;
const CREDENTIAL_KIND = /^(?:x-)?api[ _-]?key$|^(?:access|secret)[ _-]?key$|^bearer$|^token$/i;
const KEY_ALONE = /^keys?$/i;
const LONG_KEY = /^(?!(?:0x)?[\da-f]+$).{40}/i;
const CREDENTIALS = /^(?:password|private-key|secret|token|credentials|cookie|otp)$/;
const API_KEY =
  /(?:api|access|auth|secret|crypt(?:ion)?|master|admin|service|client|app(?:lication)?|hmac|licen[cs]e|activation|functions?|server|sdk|ingest(?:ion)?|integration|wallet|wifi|network|signing|deploy)[ _-]?keys?$/i;

/** Has chance made it? It changes between small letters, capitals and digits as often as no name of a thing does. */
function isMadeUp(text: string): boolean {
  if (text.length < 16 || /\s/.test(text)) return false;
  return /^[\da-f-]{24,}$/i.test(text) || (text.match(CHANGE) ?? []).length >= 6;
}

const CHANGE = /[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g;

/** A short word is a credential only where it is a password: `token: 'USDC'` is the name of one. */
function isOdd(isPassword: boolean, text: string): boolean {
  return isPassword || !/^[A-Za-z]{1,8}$/.test(text);
}

function isLong(text: string): boolean {
  return text.length >= SHORTEST;
}

const SHORTEST = 6;
const PASSWORD = /passw(?:or)?d|passphrase|pwd/i;

/** The texts and numbers that their own name makes such ones, or that of the list they are in. */
function textsNamed(sent: unknown, isOne: (name: string, text: string) => boolean): readonly string[] {
  const found: string[] = [];
  eachText(sent, (text, { holder }) => {
    if (isOne(holder, text)) found.push(text);
    return found.length < MOST;
  });
  return found;
}

/** What stands as the value in objects of a list, each under the name of that: `{ otp: [{ value: '…' }] }`. */
function valuesInLists(sent: unknown): readonly { readonly [name: string]: string }[] {
  const found: { readonly [name: string]: string }[] = [];
  eachText(sent, (text, { holder, list }) => {
    if (list !== undefined && isValueName(holder)) found.push({ [list]: text });
    return found.length < MOST;
  });
  return found;
}

/** Where a text stands: under its own name or that of the list it is in, in an object of a list that is called so. */
interface Standing {
  readonly holder: string;
  readonly list?: string | undefined;
}

function ofElement(at: Standing): Standing {
  return listOf(at) !== undefined && isValueName(at.holder) ? at : { holder: at.holder, list: at.holder };
}

/** The list whose element, or the value of whose element, the members of this are. */
function listOf({ holder, list }: Standing): string | undefined {
  return holder === list || isValueName(holder) ? list : undefined;
}

/** Comes past texts and numbers, the highest first, as long as `visit` wants more. */
function eachText(sent: unknown, visit: (text: string, at: Standing) => boolean): void {
  const standing = new Map<unknown, Standing>([[sent, { holder: '' }]]);
  let isWanted = true;
  eachHolder(sent, (members, holder) => {
    const at = standing.get(holder) as Standing;
    const isList = Array.isArray(holder);
    for (const [name, item] of members) {
      if (!isWanted) return;
      const own = isList ? ofElement(at) : { holder: name, list: listOf(at) };
      if (isRecord(item)) standing.set(item, own);
      else if (typeof item === 'string' || typeof item === 'number') {
        const text = String(item);
        if (text.length <= LONGEST_NAMED) isWanted = visit(text, own);
      }
    }
  });
}

type Members = readonly (readonly [name: string, member: unknown])[];

/** Comes past objects and lists, the highest first, up to so many members in all: what is beside a long list is not behind it. */
function eachHolder(sent: unknown, visit: (members: Members, holder: object) => void): void {
  const holders = isRecord(sent) ? [sent] : [];
  let left = MOST_MEMBERS;
  for (const holder of holders) {
    const members = Object.entries(holder).slice(0, left);
    left -= members.length;
    visit(members, holder);
    for (const [, member] of members) if (isRecord(member)) holders.push(member);
  }
}

/** As much of what was sent as is looked at, the highest first, without its long texts. */
export function beginningOf(sent: unknown, most: number = MOST): unknown {
  const open: { readonly from: object; readonly to: object }[] = [];
  const copy = (value: unknown): unknown => {
    if (typeof value === 'string') return value.length <= LONGEST_NAMED ? value : '';
    if (!isRecord(value)) return typeof value === 'number' ? value : undefined;
    const to = Array.isArray(value) ? [] : {};
    open.push({ from: value, to });
    return to;
  };
  const begun = copy(sent);
  let left = most;
  for (const { from, to } of open) {
    const members = Object.entries(from).slice(0, left);
    left -= members.length;
    for (const [name, member] of members)
      Object.defineProperty(to, name, {
        value: copy(member),
        configurable: true,
        enumerable: true,
        writable: true,
      });
  }
  return begun;
}

const MOST = 500;
const MOST_MEMBERS = 10_000;
const LONGEST_NAMED = 8192;

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
