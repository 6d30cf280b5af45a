/** Names in the joined endpoint: `files_read_file` is `read_file` of `files`. */
import { createHash } from 'node:crypto';

/** A name, taken apart. */
interface Owned {
  readonly upstream: string;
  readonly name: string;
}

/** Puts names together and takes them apart. */
export interface Names {
  /** Unique, and at most 64 characters long: what every client takes. */
  join(upstream: string, name: string): string;
  /** `undefined` when nobody is known to own it. */
  split(joined: string): Owned | undefined;
}

const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/** Names that had to be changed or owned are remembered; no upstream has more tools than this. */
const MAX_KNOWN = 20_000;

/**
 * Names of these upstreams. Where one upstream's name begins another's, the longer one wins. With an empty
 * separator names stay as they are: each belongs to the upstream that was first to list it, a second one of the same
 * name is prefixed, and everything unknown belongs to the only upstream there is.
 */
export function createNames(upstreams: readonly string[], separator: string): Names {
  const longestFirst = [...upstreams].sort((a, b) => b.length - a.length);
  const known = new Map<string, Owned>();
  const counts = new Map<string, number>();
  const only = upstreams.length === 1 ? upstreams[0] : undefined;

  function remember(joined: string, owned: Owned): boolean {
    const owner = known.get(joined);
    if (owner !== undefined) return owner.upstream === owned.upstream && owner.name === owned.name;
    const count = counts.get(owned.upstream) ?? 0;
    if (count >= MAX_KNOWN) return true;
    counts.set(owned.upstream, count + 1);
    known.set(joined, owned);
    return true;
  }

  function prefixed(upstream: string, name: string, between: string): string {
    const whole = `${upstream}${between}${name}`;
    if (whole.length <= MAX_LENGTH) return whole;
    const hash = createHash('sha256').update(whole).digest('hex').slice(0, HASH_LENGTH);
    return `${whole.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
  }

  function join(upstream: string, name: string): string {
    const owned = { upstream, name };
    if (separator === '' && name.length <= MAX_LENGTH && remember(name, owned)) return name;
    const joined = prefixed(upstream, name, separator === '' ? '_' : separator);
    if (separator === '' || joined.length < upstream.length + separator.length + name.length) {
      remember(joined, owned);
    }
    return joined;
  }

  function split(joined: string): Owned | undefined {
    const owned = known.get(joined);
    if (owned !== undefined) return owned;
    if (separator === '') return only === undefined ? undefined : { upstream: only, name: joined };
    const upstream = longestFirst.find((candidate) => joined.startsWith(candidate + separator));
    return upstream === undefined
      ? undefined
      : { upstream, name: joined.slice(upstream.length + separator.length) };
  }

  return { join, split };
}
