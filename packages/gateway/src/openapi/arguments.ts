/** Arguments that must not be sent as they are: each is an issue that names its field, and nothing is sent. */
import type { Issue } from '@mayday/core';

/** The path of an argument, and what is in it. */
type Visit = { readonly path: readonly (string | number)[]; readonly value: unknown };

/** Something that would not arrive as the caller meant it. */
interface Refused {
  readonly refused: string;
}

/** What is wrong with a value of any shape: too deep, or a number that has already lost its last digits. */
export function checkArguments(args: unknown, maxDepth: number): readonly Issue[] {
  const waiting: Visit[] = [{ path: [], value: args }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { path, value } = next;
    if (typeof value === 'number' && !isExact(value))
      return [issue(path, 'Too large to be passed on exactly; send it as text')];
    if (typeof value !== 'object' || value === null) continue;
    if (path.length >= maxDepth) return [issue(path.slice(0, 1), `Nested more than ${maxDepth} deep`)];
    for (const [key, member] of Object.entries(value)) {
      waiting.push({ path: [...path, Array.isArray(value) ? Number(key) : key], value: member });
    }
  }
  return [];
}

/** JSON allows numbers that a double cannot hold: rounded, they name another record. */
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
  return JSON.stringify(value) ?? '';
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
    const refused = wrongInPath(form, spansSegments);
    if (refused !== undefined) return { refused };
  }
  return spansSegments ? text.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(text);
}

function wrongInPath(text: string, spansSegments: boolean): string | undefined {
  if (/\p{Cc}/u.test(text)) return 'Expected text without control characters';
  if (!spansSegments && /[/\\]/.test(text)) return 'Expected one segment of a path: no slashes';
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

/** A value as part of a query or a form, or why it cannot be one. */
export function toQueryText(value: unknown, separator?: string): string | Refused {
  const text = toText(value, separator);
  return text.isWellFormed() ? text : { refused: 'Expected text; this holds half a character' };
}
