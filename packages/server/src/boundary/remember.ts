const MAX_REMEMBERED = 1000;

/** Adds to what is known of a connection, of which only the last are of interest. */
export function remember<T>(known: Set<T> | undefined, ones: readonly T[]): Set<T> {
  const all = known ?? new Set<T>();
  for (const one of ones) {
    all.add(one);
    if (all.size > MAX_REMEMBERED) all.delete(all.values().next().value as T);
  }
  return all;
}
