/** Whose names are that do not say it themselves: what lists have told. */

/** A name, taken apart. */
export interface Owned {
  readonly upstream: string;
  readonly name: string;
}

/** Owners by joined name. */
export type LearnedNames = ReadonlyMap<string, Owned>;

/** Remembers owners: whoever is first to have a name keeps it. */
export interface NameMemory {
  ownerOf(joined: string): Owned | undefined;
  /** `false` when it is somebody else's. */
  remember(joined: string, owned: Owned): boolean;
  /** All of it, for the memory that takes the place of this one. */
  all(): LearnedNames;
}

/** No upstream has more tools than this. */
export const MAX_KNOWN = 20_000;

/** `before`: what was learned earlier. Of each of these upstreams it holds until that one lists again. */
export function createNameMemory(upstreams: readonly string[], before: LearnedNames = new Map()): NameMemory {
  const known = new Map<string, Owned>();
  const counts = new Map<string, number>();

  function holds({ upstream }: Owned): boolean {
    return upstreams.includes(upstream) && !counts.has(upstream);
  }

  function ownerOf(joined: string): Owned | undefined {
    const earlier = before.get(joined);
    return known.get(joined) ?? (earlier !== undefined && holds(earlier) ? earlier : undefined);
  }

  function remember(joined: string, owned: Owned): boolean {
    const owner = ownerOf(joined);
    if (owner !== undefined && !isSame(owner, owned)) return false;
    const count = counts.get(owned.upstream) ?? 0;
    if (known.has(joined) || count >= MAX_KNOWN) return true;
    counts.set(owned.upstream, count + 1);
    known.set(joined, owned);
    return true;
  }

  return {
    ownerOf,
    remember,
    all: () => new Map([...[...before].filter(([, owner]) => holds(owner)), ...known]),
  };
}

/** Do both stand for the same thing? */
export function isSame(one: Owned | undefined, other: Owned): boolean {
  return one?.upstream === other.upstream && one.name === other.name;
}
