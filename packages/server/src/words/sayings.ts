/**
 * As much of a foreign value as is read for what it says: an exception with what its author hung on it, an answer. A plain
 * copy, what is near first, and nothing is looked at without an end.
 */
import { carriedBy, isListed, textCarried } from './carried.ts';

/** So many members, over all. */
const MOST = 5000;
/** So many letters, over all. */
const MOST_LETTERS = 256 * 1024;
const DEEPEST = 8;

type Copy = { [name: string]: unknown };
type Task = readonly [from: object, to: Copy | unknown[], depth: number];

/** The beginning of a value, as plain data. */
export function sayings(value: unknown): unknown {
  let [members, letters] = [MOST, MOST_LETTERS];
  const seen = new Set<object>();
  const tasks: Task[] = [];
  const copied = (member: unknown, depth: number): unknown => {
    if (typeof member === 'string') {
      const text = member.slice(0, letters);
      letters -= text.length;
      return text;
    }
    if (typeof member !== 'object' || member === null) return typeof member === 'number' ? member : undefined;
    if (depth > DEEPEST || seen.has(member)) return undefined;
    seen.add(member);
    const said = textCarried(member, letters);
    if (said !== undefined) return copied(said, depth);
    const to: Copy | unknown[] = isListed(member) ? [] : (Object.create(null) as Copy);
    tasks.push([member, to, depth]);
    return to;
  };
  const whole = copied(value, 0);
  for (let at = 0; at < tasks.length && members > 0 && letters > 0; at += 1) {
    const [from, to, depth] = tasks[at] as Task;
    for (const [name, member] of carriedBy(from, members)) {
      members -= 1;
      const copy = copied(member, depth + 1);
      if (Array.isArray(to)) to.push(copy);
      else to[name] = copy;
    }
  }
  return whole;
}
