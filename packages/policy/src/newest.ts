/** Maps and sets that know what came last: whoever names what is remembered must not be able to fill the memory with it. */

/** Sets a member as the newest; of more than `max`, the oldest go. */
export function setLast<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  dropOldest(map, max);
}

/** The same for a set. */
export function addLast<T>(set: Set<T>, value: T, max: number): void {
  set.delete(value);
  set.add(value);
  dropOldest(set, max);
}

/** Of more than `max`, those go that have been there for longest; `onDrop` is told of each before it does. */
export function dropOldest<K>(
  known: Map<K, unknown> | Set<K>,
  max: number,
  onDrop?: (oldest: K) => void,
): void {
  if (known.size <= max) return;
  for (const oldest of known.keys()) {
    onDrop?.(oldest);
    known.delete(oldest);
    if (known.size <= max) return;
  }
}
