/** Names in the joined endpoint: `files_read_file` is `read_file` of `files`. */

/** A name, taken apart. */
interface Owned {
  readonly upstream: string;
  readonly name: string;
}

/** Puts names together and takes them apart. */
export interface Names {
  join(upstream: string, name: string): string;
  /** `undefined` when it begins with no upstream's name. */
  split(joined: string): Owned | undefined;
}

/** Names of these upstreams. Where one upstream's name begins another's, the longer one wins. */
export function createNames(upstreams: readonly string[], separator: string): Names {
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
