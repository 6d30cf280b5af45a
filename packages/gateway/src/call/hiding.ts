/** Takes secrets that are known out of words, however they are written there. One pass, however many there are. */

import { asRead } from './as-read.ts';
import { secretsIn } from './secrets-in.ts';

/** Takes the secrets that are known out of words; `instead` says what stands in the place of each, else it is `[hidden]`. */
export type Hide = (words: string, instead?: (secret: string) => string) => string;

/** Secrets that become known one by one. */
export interface Hiding {
  add(secret: string): void;
  readonly hide: Hide;
  /** Is none known yet? */
  readonly isEmpty: boolean;
}

/** The secrets of servers, by name: they outlive the settings, as conversations do that were opened with them. */
export interface Hidings {
  of(upstream: string): Hiding;
}

/** Anything shorter may stand in any sentence. */
const SHORTEST = 6;
const HIDDEN = '[hidden]';
/** Of more than this, the ones that were added last. */
const MOST = 10_000;
/** So much of the beginning says where it is worth looking closer. */
const HEAD = 4;
const HEADS = 0xffff;

/** Hides these, and the secrets that they are made of, beside those that are known. */
export function hiderOfSecrets(given: readonly string[], known: Hiding = createHiding()): Hide | undefined {
  for (const secret of given.flatMap((value) => [value, ...secretsIn(value)])) known.add(secret);
  return known.isEmpty ? undefined : known.hide;
}

/** No server has any yet. */
export function createHidings(): Hidings {
  const known = new Map<string, Hiding>();
  return {
    of(upstream) {
      const hiding = known.get(upstream) ?? createHiding();
      known.set(upstream, hiding);
      return hiding;
    },
  };
}

/** Hides none at first. */
export function createHiding({ most = MOST }: { readonly most?: number } = {}): Hiding {
  const known = new Set<string>();
  let index = createIndex();
  /** Those that are said in whatever capitals, in small letters. */
  let odd = createIndex();
  const addTo = (secret: string): void => {
    for (const form of formsOf(secret)) if (form.length >= SHORTEST) index.add(form);
    if (isOdd(secret)) odd.add(inSmallLetters(secret));
  };

  /** Where they stand as they are; those that overlap as one, those that follow each other each by itself. */
  const foundIn = (words: string): readonly Place[] => {
    const places: Place[] = [];
    const small = odd.isEmpty ? '' : inSmallLetters(words);
    for (let at = 0; at + SHORTEST <= words.length; at++) {
      const length = Math.max(index.longestAt(words, at), odd.isEmpty ? 0 : odd.longestAt(small, at));
      if (length > 0) places.push({ start: at, end: at + length });
    }
    return places;
  };
  /** In whatever spelling. */
  const placesIn = (words: string): readonly Place[] => {
    const read = asRead(words);
    const more = read === undefined ? [] : foundIn(read.text);
    const there = more.map(({ start, end }) => ({
      start: read?.starts[start] ?? 0,
      end: read?.ends[end - 1] ?? 0,
    }));
    return [...foundIn(words), ...there];
  };
  return {
    get isEmpty() {
      return known.size === 0;
    },
    add(secret) {
      if (secret.length < SHORTEST) return;
      if (!known.delete(secret)) addTo(secret);
      known.add(secret);
      if (known.size <= most) return;
      // Half of them at once: what is left has to be gone through.
      for (const oldest of [...known].slice(0, known.size >> 1)) known.delete(oldest);
      index = createIndex();
      odd = createIndex();
      for (const one of known) addTo(one);
    },
    hide(words, instead = () => HIDDEN) {
      if (known.size === 0 || words.length < SHORTEST) return words;
      const closely = (part: string): string => cut(part, placesIn(part), instead);
      if (words.length <= CLOSELY || known.size > FEW) return closely(words);
      // Nobody is shown so much: as they are is how they are looked for there, and all of them at the speed of the machine.
      let left = words;
      for (const form of index.all()) left = left.replaceAll(form, instead);
      return closely(left.slice(0, CLOSELY)) + left.slice(CLOSELY);
    },
  };
}

/** So much of a text is read in every spelling; answers of 20 MB would hold everybody up. */
const CLOSELY = 2 ** 19;
/** With more secrets than this, looking for each of them takes longer than reading. */
const FEW = 50;

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Those that overlap go as one, those that follow each other each by itself. */
function cut(words: string, places: readonly Place[], instead: (secret: string) => string): string {
  let left = '';
  let from = 0;
  let last: Place | undefined;
  const put = ({ start, end }: Place): void => {
    left += words.slice(from, start) + instead(words.slice(start, end));
    from = end;
  };
  for (const place of places.toSorted((a, b) => a.start - b.start)) {
    if (last === undefined) last = place;
    else if (place.start < last.end) last = { start: last.start, end: Math.max(last.end, place.end) };
    else {
      put(last);
      last = place;
    }
  }
  if (last === undefined) return words;
  put(last);
  return left + words.slice(from);
}

/** Which of many texts begins where. Many may begin alike, as keys of one maker do; they are of few lengths. */
function createIndex() {
  const texts = new Set<string>();
  const heads = new Uint8Array(HEADS + 1);
  const lengths = new Map<string, Set<number>>();
  return {
    get isEmpty(): boolean {
      return texts.size === 0;
    },
    all(): readonly string[] {
      return [...texts];
    },
    add(text: string): void {
      const head = text.slice(0, HEAD);
      texts.add(text);
      heads[headOf(text, 0)] = 1;
      lengths.set(head, (lengths.get(head) ?? new Set()).add(text.length));
    },
    longestAt(words: string, at: number): number {
      if (heads[headOf(words, at)] === 0) return 0;
      let longest = 0;
      for (const length of lengths.get(words.slice(at, at + HEAD)) ?? []) {
        // What is cut off at the end may be another of them, and a shorter one.
        const isWhole = at + length <= words.length;
        if (isWhole && length > longest && texts.has(words.slice(at, at + length))) longest = length;
      }
      return longest;
    },
  };
}

/** Nobody would take it for a word, however it is written. */
function isOdd(secret: string): boolean {
  return secret.length >= ODD && /\p{L}/u.test(secret) && /[\d\s]/.test(secret);
}

const ODD = 8;

/** Of the same length: the few letters that become more when they are small stay as they are. */
function inSmallLetters(text: string): string {
  return text.replace(/[A-Z]+|[^\P{Lu}A-Z]/gu, (capitals) => {
    const small = capitals.toLowerCase();
    return small.length === capitals.length ? small : capitals;
  });
}

function headOf(words: string, at: number): number {
  let head = 0;
  for (let i = 0; i < HEAD; i++) head = head * 31 + words.charCodeAt(at + i);
  return head & HEADS;
}

/** As a message of JSON, an address or a header may have it, and as it is read where letters are escaped without need. */
function formsOf(secret: string): ReadonlySet<string> {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const inAddress = encodeURIComponent(secret.toWellFormed());
  const inSmall = inAddress.replace(/%../g, (byte) => byte.toLowerCase());
  const spelt = [secret, secret.normalize('NFC'), secret.normalize('NFD'), bytes.toString('latin1')];
  return new Set([
    ...spelt,
    ...spelt.map((words) => asRead(words)?.text ?? words),
    JSON.stringify(secret).slice(1, -1),
    ...[inAddress, inSmall].flatMap((written) => [written, written.replaceAll('%20', '+')]),
    secret.replaceAll(' ', '+'),
    ...asNumber(secret),
    ...inWideLetters(secret),
    hex,
    hex.toUpperCase(),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    ...inBase64(bytes, 0),
    ...inBase64(bytes, 1),
    ...inBase64(bytes, 2),
  ]);
}

/** As languages print the number that digits are read as: without zeros before it, with an exponent, with as many digits as it can have. */
function asNumber(secret: string): readonly string[] {
  if (!/^\d+(?:\.\d+)?$/.test(secret)) return [];
  const exponent = Number(secret).toExponential();
  const spelt = [exponent, exponent.replace('+', ''), exponent.replace(/\+(?=\d$)/, '+0')];
  return [String(Number(secret)), ...spelt.flatMap((written) => [written, written.toUpperCase()])];
}

/** UTF-16, as whoever reads a letter in each byte sees it. */
function inWideLetters(secret: string): readonly string[] {
  const wide = Buffer.from(secret, 'utf16le');
  const low = wide.toString('latin1').replace(/\0$/, '');
  return [low, wide.swap16().toString('latin1').replace(/^\0/, '')];
}

/** What base64 makes of it behind so many other bytes, as far as these have no part in it. */
function inBase64(bytes: Buffer, before: number): readonly string[] {
  const all = Buffer.concat([Buffer.alloc(before), bytes]);
  const [from, to] = [Math.ceil((before * 4) / 3), Math.floor((all.length * 4) / 3)];
  return [all.toString('base64').slice(from, to), all.toString('base64url').slice(from, to)];
}
