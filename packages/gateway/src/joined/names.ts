/** Names in the joined endpoint: `files_read_file` is `read_file` of `files`. */
import { isOtherName, otherName } from '../shape/tool-name.ts';

/** A name, taken apart. */
export interface Owned {
  readonly upstream: string;
  readonly name: string;
}

/** Puts names together and takes them apart. */
export interface Names {
  /** Unique, and at most 64 characters long: what every client takes. */
  join(upstream: string, name: string): string;
  /** `undefined` when nobody is known to own it. */
  split(joined: string): Owned | undefined;
  /** Is it such a name that only a list can tell what it stands for, and was it not listed yet? */
  isToBeListed(joined: string): boolean;
}

/** Of which characters names are made. */
export interface NamesOptions {
  /** Of those alone that every client takes: for tools, which models are given by name. */
  readonly areSafe?: boolean | undefined;
}

const MAX_LENGTH = 64;

/** Names that had to be changed or owned are remembered; no upstream has more tools than this. */
const MAX_KNOWN = 20_000;

/**
 * Names of these upstreams. Where one upstream's name begins another's, the longer one wins. With an empty
 * separator names stay as they are: each belongs to the upstream that was first to list it, a second one of the same
 * name is prefixed, and everything unknown belongs to the only upstream there is.
 */
export function createNames(
  upstreams: readonly string[],
  separator: string,
  { areSafe = false }: NamesOptions = {},
): Names {
  const longestFirst = [...upstreams].sort((a, b) => b.length - a.length);
  const known = new Map<string, Owned>();
  const counts = new Map<string, number>();
  const only = upstreams.length === 1 ? upstreams[0] : undefined;

  function remember(joined: string, owned: Owned): boolean {
    const owner = known.get(joined);
    if (owner !== undefined) return isSame(owner, owned);
    const count = counts.get(owned.upstream) ?? 0;
    if (count >= MAX_KNOWN) return true;
    counts.set(owned.upstream, count + 1);
    known.set(joined, owned);
    return true;
  }

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
      separator === '' ? remember(plain, owned) : isSame(known.get(plain) ?? prefixed(plain), owned);
    if (fits(plain) && isFree()) return plain;
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
    const owned = known.get(joined);
    if (owned !== undefined) return owned;
    if (separator === '') return only === undefined ? undefined : { upstream: only, name: joined };
    return prefixed(joined);
  }

  return { join, split, isToBeListed: (joined) => !known.has(joined) && isOtherName(joined) };
}

const NOT_SAFE = /[^A-Za-z0-9_-]/g;
const NOT_WITH_DOTS = /[^A-Za-z0-9_.-]/g;
const NOT_WITH_SLASHES = /[^A-Za-z0-9_/-]/g;

function isSame(one: Owned | undefined, other: Owned): boolean {
  return one?.upstream === other.upstream && one.name === other.name;
}
