const MAX_REMEMBERED = 1000;

/** Adds to what is known of a connection, of which only the last are of interest. */
export function remember<T>(known: Set<T>, one: T): void {
  known.add(one);
  if (known.size > MAX_REMEMBERED) known.delete(known.values().next().value as T);
}
