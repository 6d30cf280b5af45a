/** Patterns of names: `*` stands for any characters, everything else for itself. */

/** Does a text fit? */
export type Fits = (text: string) => boolean;

/** Fits what one of these patterns fits. */
export function fitsAny(patterns: readonly string[]): Fits {
  const each = patterns.map(fitsOne);
  return (text) => each.some((fits) => fits(text));
}

/** What stands between the stars must stand in the text, in its order. No text takes longer than it is long. */
function fitsOne(pattern: string): Fits {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return text.length - at >= last.length && text.endsWith(last);
  };
}

/** Is there a text that both of these patterns fit? */
export function canMeet(one: string, other: string): boolean {
  // Where in `other` one may stand, having come so far in `one`: a star stays where it is, or lets the other side go on.
  let at = reachable(new Set([0]), other);
  for (const sign of one) {
    const next = new Set<number>();
    for (const i of at) {
      if (sign === '*') for (let j = i; j <= other.length; j++) next.add(j);
      else if (other[i] === '*') next.add(i);
      else if (other[i] === sign) next.add(i + 1);
    }
    at = reachable(next, other);
  }
  return at.has(other.length);
}

/** A star may stand for nothing. */
function reachable(from: Set<number>, pattern: string): Set<number> {
  for (const i of from) if (pattern[i] === '*') from.add(i + 1);
  return from;
}

/** Does the pattern fit everything below this prefix? */
export function fitsAllBelow(pattern: string, prefix: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  return rest.length > 0 && rest.every((part) => part === '') && prefix.startsWith(head);
}

/** Is there anything below this prefix that the pattern fits? */
export function canFitBelow(pattern: string, prefix: string): boolean {
  const star = pattern.indexOf('*');
  if (star < 0) return pattern.startsWith(prefix);
  const head = pattern.slice(0, star);
  return head.startsWith(prefix) || prefix.startsWith(head);
}
