/** Takes secrets that are known out of words, however they are written there. One pass, however many there are. */

import { createSecretFinder, type SecretPlace } from '@mayday/core/redact';
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
  let finder = createSecretFinder<undefined>();
  return {
    get isEmpty() {
      return known.size === 0;
    },
    add(secret) {
      if (secret.length < SHORTEST) return;
      if (!known.delete(secret)) finder.add(secret, undefined, SHORTEST);
      known.add(secret);
      if (known.size <= most) return;
      // Half of them at once: what is left has to be gone through.
      for (const oldest of [...known].slice(0, known.size >> 1)) known.delete(oldest);
      finder = createSecretFinder();
      for (const one of known) finder.add(one, undefined, SHORTEST);
    },
    hide(words, instead) {
      if (known.size === 0 || words.length < SHORTEST) return words;
      const closely = (part: string): string => cut(part, finder.places(part), instead);
      if (words.length <= CLOSELY || known.size > FEW) return closely(words);
      // Nobody is shown so much: as they are is how they are looked for there, and all of them at the speed of the machine.
      let left = words;
      for (const form of finder.forms) left = left.replaceAll(form, instead ?? (() => HIDDEN));
      return closely(left.slice(0, CLOSELY)) + left.slice(CLOSELY);
    },
  };
}

/** So much of a text is read in every spelling; answers of 20 MB would hold everybody up. */
const CLOSELY = 2 ** 19;
/** With more secrets than this, looking for each of them takes longer than reading. */
const FEW = 50;

type Place = Pick<SecretPlace<undefined>, 'start' | 'end' | 'quote'>;

/** Those that overlap go as one, those that follow each other each by itself; all in their order. */
function cut(words: string, places: readonly Place[], instead?: (secret: string) => string): string {
  let left = '';
  let from = 0;
  let last: Place | undefined;
  const put = ({ start, end, quote }: Place): void => {
    const there = instead?.(words.slice(start, end)) ?? quote + HIDDEN + quote;
    left += words.slice(from, start) + there;
    from = end;
  };
  for (const place of places) {
    if (last === undefined) last = place;
    else if (place.start < last.end) last = { ...last, end: Math.max(last.end, place.end) };
    else {
      put(last);
      last = place;
    }
  }
  if (last === undefined) return words;
  put(last);
  return left + words.slice(from);
}
