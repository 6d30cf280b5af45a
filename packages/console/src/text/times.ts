/** Times as people in a hurry read them. The exact one is in a title. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something takes or took: `3 min`. The largest unit is enough. */
export function span(ms: number): string {
  const long = Math.max(0, ms);
  if (long < MINUTE) return `${Math.floor(long / SECOND)} s`;
  if (long < HOUR) return `${Math.floor(long / MINUTE)} min`;
  if (long < 2 * DAY) return `${Math.floor(long / HOUR)} h`;
  return `${Math.floor(long / DAY)} days`;
}

/** `12 s ago`, `in 4 min`; clocks differ a little, and what is new is new. */
export function ago(at: string, now: number): string {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return at;
  const past = now - time;
  if (Math.abs(past) < 2 * SECOND) return 'now';
  return past > 0 ? `${span(past)} ago` : `in ${span(-past)}`;
}

/** A duration in one figure: `38 ms`, `2.5 s`. */
export function duration(ms: number): string {
  return ms < SECOND ? `${Math.round(ms)} ms` : `${(ms / SECOND).toFixed(1)} s`;
}

/** `1 failure`, `2 failures`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
