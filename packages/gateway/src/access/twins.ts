/** Members that are there twice: of two of the same name, one reader takes the first and another the last. */
import { decode, eachMember, elementsOf, type Range, skipSpace } from '@mayday/relay';

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

const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;

/** What this JSON says to whichever reader: members of the same name are a list of them. Each is walked once for every object around it. */
export function withTwins(json: Buffer, at: Range = { start: 0, end: json.length }): unknown {
  const start = skipSpace(json, at.start);
  if (json[start] === OPEN_ARRAY) return elementsOf(json, start).map((element) => withTwins(json, element));
  if (json[start] !== OPEN_OBJECT) return decode(json.subarray(start, at.end));
  const said = new Map<string, unknown[]>();
  eachMember(json, start, (keyStart, keyEnd, valueStart, end) => {
    const key = String(decode(json.subarray(keyStart, keyEnd)));
    const value = withTwins(json, { start: valueStart, end });
    const before = said.get(key);
    if (before === undefined) said.set(key, [value]);
    else before.push(value);
  });
  return Object.fromEntries(
    [...said].map(([key, values]) => [key, values.length === 1 ? values[0] : values]),
  );
}
