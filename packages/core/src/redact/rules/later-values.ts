/**
 * Secrets that do not stand right behind their name: an owner, a kind, a length or what happened to them stands between.
 * `Password for svc: …`, `token (JWT, 32 chars): …`, `password changed from … to …`, `got 10: …`.
 */
import { isSaidName } from '../looks.ts';
import { mark, type Page, STRUCTURE } from '../page.ts';
import { nextDigit, nextOf } from '../runs.ts';
import type { KeyMeaning } from './keys.ts';
import { isOdd, OF_IDENTIFIERS } from './odd-words.ts';
import { looksReceived, type Named } from './received.ts';

/** So far behind its name a value stands at most. */
const FURTHEST = 120;
/** The shortest value, and what introduces it. */
const SHORTEST = 6;
/** Where a member of JSON ends, and another begins. */
const MEMBER_END = /\\{0,3}["'][,:}\]]/;
const WORDS = /\S+/g;
const OPENING = /^["'`“«「([{<]{1,4}/;
const CLOSING = /["'`”»」)\]}>,.:;!?]{1,5}$/;
/** `:`, `=`, `->` at the end of a word, or as one. */
const SIGN = /(?:[:：=]|->|→|⇒|=>)$/;
/** A colon behind the first letters of an address, or in it. */
const ADDRESS = /^[a-z][a-z\d+.-]{1,20}:\/\//i;
const ASIDE = /^\([^()]+\)[.,:;]?$/;
const ALGORITHM = /^(?:aes|sha|rsa|hmac|[hrep]s|ecdsa|ed|pbkdf|x?chacha|argon|base|utf|tls|v)[-_]?\d/i;
const FILE = /^[\w.-]+(?:\/[\w.-]+)*\.[a-z]{1,5}$/i;
/** `admin:…`, `admin/…`. */
const LOGIN = /^[A-Za-z][\w.@+-]{0,60}[:/](?=([^\s:/]{6,80})$)/;
/** Words that say what follows is the value. */
const SAYS =
  /^(?:is|was|are|were|now|equals?|contains?|contained|tried|got|received|gave|found|entered|typed|input|value|ist|war|lautet|lautete|est|était|es|era|è|é|является|是|为)$/i;
/** Words of two, of which the first tells what the second leads to. */
const LEADS: ReadonlyMap<string, RegExp> = new Map([
  [
    'to',
    /^(?:(?:re)?set|changed|updated|rotated|resolve[sd]|default(?:s|ed)?|expand(?:s|ed)|evaluate[sd])$/i,
  ],
  ['from', /^(?:changed|updated|rotated|switched|altered)$/i],
  ['as', /^(?:decoded|read|parsed|entered|typed|given)$/i],
  ['von', /^geändert$/i],
  ['de', /^(?:changée?|modifiée?|cambiad[ao]|alterad[ao])$/i],
]);
const BETWEEN_PAIRS = /^(?:\/|,|:|and|und|et|y|e)$/i;
const USER = /^[A-Za-z][\w.@+-]{0,60}[,:/]?$/;
const SENTENCE_END = /[.!?;]$/;

/** How a word is introduced: by a sign or a word that says it is the value, as the second of a pair, or not at all. */
type Link = 'sign' | 'said' | 'pair' | '';

/** Marks the values of names that have none right behind them, each as far as the next name. */
export function markLater(page: Page): void {
  const { names } = page;
  for (let i = 0; i < names.length; i++) {
    const { end, meaning, isOpen = false } = names[i] as Named;
    const to = Math.min(end + FURTHEST, names[i + 1]?.start ?? page.text.length);
    if (isOpen && meaning.class !== 'signature' && to - end >= SHORTEST && nextDigit(page, end) < to) {
      markFirst(page, end, Math.min(to, nextOf(page, '\n', end)), meaning);
    }
  }
}

/** Marks the first value behind a name that the same sentence introduces. */
function markFirst(page: Page, nameEnd: number, to: number, meaning: KeyMeaning): void {
  const [part = ''] = page.text.slice(nameEnd, to).split(MEMBER_END, 1);
  let link: Link = '';
  let last = '';
  for (const { 0: whole, index } of part.matchAll(WORDS)) {
    const word = whole.replace(OPENING, '').replace(CLOSING, '');
    const introduced: Link = link === '' ? linkOf(whole, last) : link;
    if (word !== '' && index > 0) {
      if (OF_IDENTIFIERS.test(word)) {
        return;
      }
      const from =
        introduced !== '' && isValue(word, introduced, meaning, whole) ? 0 : loginAt(word, meaning);
      if (from >= 0) {
        const start = nameEnd + index + whole.indexOf(word);
        mark(page, start + from, start + word.length, 'near-name', meaning.class, STRUCTURE);
        return;
      }
    }
    if (word !== '' && SENTENCE_END.test(whole)) {
      return;
    }
    link = linkBehind(whole, word, last, introduced);
    last = word;
  }
}

/** A word in brackets behind the name of an owner is said of the name before that. */
function linkOf(whole: string, last: string): Link {
  return last !== '' && ASIDE.test(whole) ? 'said' : OPENING.test(whole) ? 'pair' : '';
}

function linkBehind(whole: string, word: string, last: string, before: Link): Link {
  if (SIGN.test(whole)) {
    return 'sign';
  }
  if (SAYS.test(word) || LEADS.get(word.toLowerCase())?.test(last)) {
    return 'said';
  }
  // `admin / …`, `admin, …`, `admin and …`: the first of two is a user.
  const isPair = before !== '' && (BETWEEN_PAIRS.test(whole) || USER.test(word));
  return isPair ? 'pair' : '';
}

function isValue(word: string, link: Link, meaning: KeyMeaning, whole: string): boolean {
  if (meaning.class === 'otp') {
    return link !== 'pair' && /^\d{4,10}$/.test(word);
  }
  if (ADDRESS.test(word) || FILE.test(word) || ALGORITHM.test(word) || /[=(]/.test(word)) {
    return false;
  }
  if (looksReceived(word)) {
    return true;
  }
  const isLast = whole.endsWith(word);
  return meaning.class === 'password' && link !== 'pair' && isOdd(word) && (isLast || !isSaidName(word));
}

/** Where the password starts in `admin:…`; -1 in anything else. */
function loginAt(word: string, { class: cls }: KeyMeaning): number {
  const [user, password = ''] = (/^(?:password|credentials)$/.test(cls) && LOGIN.exec(word)) || [];
  return user !== undefined && looksReceived(password) && !FILE.test(word) ? user.length : -1;
}
