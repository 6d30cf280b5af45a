/** Members that a body names more than once: of what they say, a parser keeps one. */

import type { Wire } from './wire.ts';

const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** Has the text more members than what was parsed from it? */
export function namesTwice(json: string, parsed: unknown): boolean {
  if (json.length > MAX_JSON) return true; // nobody refuses at such length
  let named = 0;
  for (const [, colon] of json.matchAll(STRINGS)) if (colon !== undefined) named += 1;
  return named > membersIn(parsed, MAX_DEPTH);
}

/** Does the body of an answer name a member twice? What a parser has dropped may say anything. */
export function saysTwice({ http }: Wire): boolean {
  return http?.json !== undefined && namesTwice(http.json, http.said);
}

const MAX_JSON = 1_000_000;
const MAX_DEPTH = 32;

function membersIn(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null || depth === 0) return 0;
  const inner = Object.values(value).reduce((sum: number, item) => sum + membersIn(item, depth - 1), 0);
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}
