/** Members that are there twice: of two of the same name, one reader takes the first and another the last. */
import { decode } from '@mayday/relay';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Is there an object in this JSON with two members of the same name? Every member has a colon; a parser keeps one of two. */
export function hasTwins(json: Buffer): boolean {
  return countColons(json) !== countMembers(decode(json));
}

function countColons(json: Buffer): number {
  let count = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText && byte === BACKSLASH) at++;
    else if (!isText && byte === COLON) count++;
  }
  return count;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce<number>((sum, one) => sum + countMembers(one), 0);
  return Array.isArray(value) ? inside : inside + Object.keys(value).length;
}
