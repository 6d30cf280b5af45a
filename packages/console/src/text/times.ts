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

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
  [SECOND, 's'],
];

/** A span as somebody has set it, and not rounded: `1 min`, `90 s`, `1500 ms`. */
export function exactSpan(ms: number): string {
  const [size, name] = UNITS.find(([unit]) => ms >= unit && ms % unit === 0) ?? [1, 'ms'];
  return `${ms / size} ${name}`;
}

/** How much that is: `16 MiB`, `1.5 KiB`. */
export function bytes(count: number): string {
  const power = Math.min(3, Math.floor(Math.log2(Math.max(1, count)) / 10));
  const size = Math.round((count / 2 ** (10 * power)) * 10) / 10;
  return `${size} ${['B', 'KiB', 'MiB', 'GiB'][power]}`;
}

/** `1 failure`, `2 failures`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
