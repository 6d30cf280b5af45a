/** Names in the joined endpoint: `files_read_file` is `read_file` of `files`. */

/** A name, taken apart. */
interface Owned {
  readonly upstream: string;
  readonly name: string;
}

/** Puts names together and takes them apart. */
export interface Names {
  join(upstream: string, name: string): string;
  /** `undefined` when nobody is known to own it. */
  split(joined: string): Owned | undefined;
}

/**
 * Names of these upstreams. Where one upstream's name begins another's, the longer one wins. With an empty
 * separator names stay as they are: each belongs to the upstream that was first to list it, and everything to the
 * only one there is.
 */
export function createNames(upstreams: readonly string[], separator: string): Names {
  return separator === '' ? bareNames(upstreams) : prefixedNames(upstreams, separator);
}

function prefixedNames(upstreams: readonly string[], separator: string): Names {
  const longestFirst = [...upstreams].sort((a, b) => b.length - a.length);
  return {
    join: (upstream, name) => `${upstream}${separator}${name}`,
    split(joined) {
      const upstream = longestFirst.find((candidate) => joined.startsWith(candidate + separator));
      return upstream === undefined
        ? undefined
        : { upstream, name: joined.slice(upstream.length + separator.length) };
    },
  };
}

function bareNames(upstreams: readonly string[]): Names {
  const owners = new Map<string, string>();
  const only = upstreams.length === 1 ? upstreams[0] : undefined;
  return {
    join(upstream, name) {
      if (!owners.has(name)) owners.set(name, upstream);
      return name;
    },
    split(joined) {
      const upstream = only ?? owners.get(joined);
      return upstream === undefined ? undefined : { upstream, name: joined };
    },
  };
}
