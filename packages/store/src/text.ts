/**
 * Names and values on their way in and out. Everything is kept as JSON: it is plain text without NUL and without
 * halves of surrogate pairs, which no engine keeps as they are, and no two names become one.
 */
import { createHash } from 'node:crypto';

/** A value as text that every engine keeps. */
export function packed(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** A fixed, short name for a name of any length and content. */
export function digestOf(name: string): string {
  return createHash('sha256').update(packed(name)).digest('base64url');
}
