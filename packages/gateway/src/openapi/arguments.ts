/** Arguments that must not be sent as they are: each is an issue that names its field, and nothing is sent. */
import type { Issue } from '@mayday/core';
import { writeExact } from './exact-json.ts';

/** Something that would not arrive as the caller meant it. */
interface Refused {
  readonly refused: string;
}

/** What arguments look like before any schema has seen them. */
export interface Shape {
  readonly issues: readonly Issue[];
  /** How many values they hold. */
  readonly size: number;
}

/** What is wrong with arguments of any shape: too deep, or a number that may have lost its last digits. */
export function shapeOf(args: unknown, maxDepth: number): Shape {
  let size = 0;
  /** Calls itself no deeper than allowed, and gives the way to what is wrong. */
  function find(value: unknown, depth: number): { path: (string | number)[]; message: string } | undefined {
    size++;
    if (typeof value === 'number' && !isExact(value))
      return { path: [], message: 'Too large to be sure of its last digits; send it as text' };
    if (typeof value !== 'object' || value === null) return undefined;
    if (depth >= maxDepth) return { path: [], message: `Nested more than ${maxDepth} deep` };
    const isList = Array.isArray(value);
    for (const key in value) {
      const wrong = find((value as { readonly [key: string]: unknown })[key], depth + 1);
      if (wrong === undefined) continue;
      wrong.path.unshift(isList ? Number(key) : key);
      return wrong;
    }
    return undefined;
  }
  const wrong = find(args, 0);
  return { size, issues: wrong === undefined ? [] : [issue(wrong.path.slice(0, MAX_PATH), wrong.message)] };
}

/** Of the way to a value, this much is told. */
const MAX_PATH = 8;

/** A number that comes as a double would be written: a large one may have been rounded, and names another record then. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** An issue of one argument. */
export function issue(path: readonly (string | number)[], message: string): Issue {
  return { path, message, code: 'invalid_value' };
}

/** A value as text; lists are joined, objects become JSON. */
export function toText(value: unknown, separator = ','): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((item) => toText(item)).join(separator);
  return writeExact(value);
}

/** `name[key][0]=value`, as PHP, Rails and Stripe read it. The depth was checked before. */
export function inBrackets(name: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, member]) => inBrackets(`${name}[${key}]`, member));
}

/** Rounds of encoding that are taken off to look at what is underneath. */
const MAX_ROUNDS = 8;

/**
 * A value as part of a path, or why it cannot be one. What could lead to another place of the API, under the
 * operator's credentials, is refused however it is written: servers and proxies differ in what they decode.
 */
export function toPathText(value: unknown, spansSegments: boolean): string | Refused {
  const text = toText(value);
  if (!text.isWellFormed()) return { refused: 'Expected text; this holds half a character' };
  for (const form of decodings(text)) {
    const refused = wrongInPath(form);
    if (refused !== undefined) return { refused };
  }
  return spansSegments ? text.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(text);
}

function wrongInPath(text: string): string | undefined {
  if (/\p{Cc}/u.test(text)) return 'Expected text without control characters';
  if (text.includes('\\')) return 'Expected a path without backslashes';
  const isDots = (segment: string): boolean => /^[.\s]*(?:;.*)?$/.test(segment);
  if (text.split('/').some(isDots)) return 'Expected a name: not empty, and not only dots';
  return undefined;
}

/** The text, and what is left of it each time its percent signs are decoded. */
function decodings(text: string): readonly string[] {
  const forms = [text];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const last = forms.at(-1) ?? '';
    const next = last.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (next === last) break;
    forms.push(next);
  }
  return forms;
}

/** A value as a header, or why it cannot be one. */
export function toHeaderText(value: unknown): string | Refused {
  const text = toText(value);
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text)
    ? text
    : { refused: 'Expected the value of a header: one line of Latin-1' };
}

/** A value as that of a cookie, or why it cannot be one. What cookies cannot hold is percent-encoded. */
export function toCookieText(value: unknown): string | Refused {
  const text = toText(value);
  if (!text.isWellFormed()) return { refused: 'Expected text; this holds half a character' };
  return text.replace(/[^!#$&'()*+./0-9:<=>?@A-Z[\]^_`a-z{|}~-]/gu, encodeURIComponent);
}

/** A value as part of a query or a form, or why it cannot be one. */
export function toQueryText(value: unknown, separator?: string): string | Refused {
  const text = toText(value, separator);
  return text.isWellFormed() ? text : { refused: 'Expected text; this holds half a character' };
}
