/**
 * As much of a foreign value as is read for what it says: an exception with what its author hung on it, an answer. A plain
 * copy, what is near first. No getter is run, and nothing is looked at without an end.
 */

/** So many members, over all. */
const MOST = 5000;
/** So many letters, over all. */
const MOST_LETTERS = 256 * 1024;
const DEEPEST = 8;
/** Where it was thrown says nothing of what was. */
const STACK = 'stack';

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
    if (depth > DEEPEST || seen.has(member) || ArrayBuffer.isView(member)) return undefined;
    seen.add(member);
    const to: Copy | unknown[] = Array.isArray(member) ? [] : (Object.create(null) as Copy);
    tasks.push([member, to, depth]);
    return to;
  };
  const whole = copied(value, 0);
  for (let at = 0; at < tasks.length && members > 0 && letters > 0; at += 1) {
    const [from, to, depth] = tasks[at] as Task;
    for (const [name, member] of membersOf(from, members)) {
      members -= 1;
      const copy = copied(member, depth + 1);
      if (Array.isArray(to)) to.push(copy);
      else to[name] = copy;
    }
  }
  return whole;
}

/** What it holds itself, hidden or not where it is an exception. Anything may throw while it is looked at. */
function membersOf(holder: object, most: number): readonly (readonly [name: string, member: unknown])[] {
  try {
    const entries = holder instanceof Map ? [...holder].slice(0, most) : undefined;
    if (entries !== undefined) return entries.map(([name, member]) => [String(name), member] as const);
    const names = holder instanceof Error ? Object.getOwnPropertyNames(holder) : Object.keys(holder);
    return names
      .slice(0, most)
      .filter((name) => name !== STACK)
      .map((name) => [name, Object.getOwnPropertyDescriptor(holder, name)?.value as unknown] as const);
  } catch {
    return []; // a trap
  }
}
