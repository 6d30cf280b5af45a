/**
 * Losses are measured, not declared: what was written is read back, and every member of the fault document
 * that came back different is a loss. A dialect cannot forget to mention one.
 */
import { toDocument } from './document.ts';
import type { Fault, Json, JsonObject } from './fault.ts';

/** The road a fault took is not part of what it says. */
const IGNORED: ReadonlySet<string> = new Set(['native']);

/** Members whose own members are worth naming. */
const NESTED: ReadonlySet<string> = new Set(['subject', 'retry', 'details']);

/** The paths into the fault document that did not survive; everything when nothing came back. */
export function measureLosses(said: Fault, heard: Fault | undefined): readonly string[] {
  const before = toDocument(said);
  const after = heard === undefined ? {} : toDocument(heard);
  const losses: string[] = [];
  for (const key of Object.keys(before)) {
    if (IGNORED.has(key) || same(before[key], after[key])) continue;
    if (!NESTED.has(key) || !isObject(before[key]) || !isObject(after[key])) losses.push(key);
    else losses.push(...nestedLosses(key, before[key], after[key]));
  }
  // A subject that only appears on the way back was invented, which is a loss of truth.
  if (before['subject'] === undefined && after['subject'] !== undefined) losses.push('subject');
  return losses;
}

function nestedLosses(key: string, before: JsonObject, after: JsonObject): string[] {
  if (key === 'subject' && before['type'] !== after['type']) return ['subject'];
  return Object.keys(before)
    .filter((member) => !same(before[member], after[member]))
    .map((member) => `${key}.${member}`);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Do two JSON values hold the same, whatever the order of their members? */
function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [one, other] = [a as JsonObject, b as JsonObject];
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => same(one[key], other[key]));
}
