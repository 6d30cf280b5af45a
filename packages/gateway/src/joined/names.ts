/** Names in the joined endpoint: `files_read_file` is `read_file` of `files`. */
import { isOtherName, otherName } from '../shape/tool-name.ts';
import { createNameMemory, isSame, type LearnedNames, MAX_KNOWN, type Owned } from './learned-names.ts';

/** Puts names together and takes them apart. */
export interface Names {
  /** Unique, and at most 64 characters long: what every client takes. */
  join(upstream: string, name: string): string;
  /** `undefined` when nobody is known to own it. */
  split(joined: string): Owned | undefined;
  /** Is it such a name that only a list can tell what it stands for, and was it not listed yet? */
  isToBeListed(joined: string): boolean;
  /** What only lists could tell, for the names that take the place of these. */
  learned(): LearnedNames;
}

/** Of which characters names are made, and what is known of them. */
export interface NamesOptions {
  /** Of those alone that every client takes: for tools, which models are given by name. */
  readonly areSafe?: boolean | undefined;
  /** What was learned before. It holds for each upstream until that one lists again. */
  readonly learned?: LearnedNames | undefined;
}

const MAX_LENGTH = 64;

/**
 * Names of these upstreams. Where one upstream's name begins another's, the longer one wins. With an empty
 * separator names stay as they are: each belongs to the upstream that was first to list it, a second one of the same
 * name is prefixed, and everything unknown belongs to the only upstream there is.
 */
export function createNames(
  upstreams: readonly string[],
  separator: string,
  { areSafe = false, learned }: NamesOptions = {},
): Names {
  const longestFirst = [...upstreams].sort((a, b) => b.length - a.length);
  const { ownerOf, remember, all } = createNameMemory(upstreams, learned);
  const only = upstreams.length === 1 ? upstreams[0] : undefined;
  /** Names that look as if they had been made for something else, and were listed as they are. */
  const asTheyAre = new Set<string>();

  /** What no client takes is left out of the names of tools; a separator was chosen by somebody who knows better. */
  function cleaned(name: string): string {
    return areSafe
      ? name.replace(separator === '.' ? NOT_WITH_DOTS : separator === '/' ? NOT_WITH_SLASHES : NOT_SAFE, '_')
      : name;
  }

  function fits(name: string): boolean {
    return name.length > 0 && name.length <= MAX_LENGTH && cleaned(name) === name;
  }

  function join(upstream: string, name: string): string {
    const owned = { upstream, name };
    const plain = separator === '' ? name : `${upstream}${separator}${name}`;
    const isFree = (): boolean =>
      separator === '' ? remember(plain, owned) : isSame(ownerOf(plain) ?? prefixed(plain), owned);
    if (fits(plain) && isFree()) {
      if (isOtherName(plain) && asTheyAre.size < MAX_KNOWN) asTheyAre.add(plain);
      return plain;
    }
    const beside = separator === '' && fits(plain) ? `${upstream}_${name}` : plain;
    if (beside !== plain && fits(beside) && remember(beside, owned)) return beside;
    const other = otherName(cleaned(beside), `${upstream}/${name}`);
    remember(other, owned);
    return other;
  }

  function prefixed(joined: string): Owned | undefined {
    const upstream = longestFirst.find((candidate) => joined.startsWith(candidate + separator));
    return upstream === undefined
      ? undefined
      : { upstream, name: joined.slice(upstream.length + separator.length) };
  }

  function split(joined: string): Owned | undefined {
    const owned = ownerOf(joined);
    if (owned !== undefined) return owned;
    if (separator === '') return only === undefined ? undefined : { upstream: only, name: joined };
    return prefixed(joined);
  }

  function isToBeListed(joined: string): boolean {
    if (ownerOf(joined) !== undefined || asTheyAre.has(joined)) return false;
    return isOtherName(joined) || (separator === '' && only === undefined);
  }

  return { join, split, isToBeListed, learned: all };
}

const NOT_SAFE = /[^A-Za-z0-9_-]/g;
const NOT_WITH_DOTS = /[^A-Za-z0-9_.-]/g;
const NOT_WITH_SLASHES = /[^A-Za-z0-9_/-]/g;
