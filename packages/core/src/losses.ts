/**
 * Losses are measured, not declared: what was written is read back, and every member of the fault that came back
 * different is a loss, under its name in the fault document. A dialect cannot forget to mention one.
 */
import { type Fault, type Retry, soundFault } from './fault.ts';

/** What a fault says, in the document's order; the road that it took (`native`) is no part of that. */
const MEMBERS = [
  'kind',
  'reaction',
  'retryable',
  'retry',
  'executed',
  'origin',
  'message',
  'subject',
  'issues',
  'name',
  'advice',
  'details',
  'correlationId',
  'timestamp',
] as const satisfies readonly (keyof Fault)[];

const OF_RETRY: readonly (keyof Retry)[] = ['when', 'afterMs', 'maxAttempts', 'backoff', 'jitter'];

/** The paths into the fault document that did not survive; everything when nothing came back. */
export function measureLosses(said: Fault, heard: Fault | undefined): readonly string[] {
  const before = soundFault(said);
  const losses = MEMBERS.flatMap((name) => lossesIn(name, before[name], heard?.[name]));
  // A subject that only appears on the way back was invented, which is a loss of truth.
  return before.subject === undefined && heard?.subject !== undefined ? [...losses, 'subject'] : losses;
}

function lossesIn(name: (typeof MEMBERS)[number], before: unknown, after: unknown): readonly string[] {
  const isUnsaid = before === undefined || (name === 'issues' && isEmpty(before));
  if (isUnsaid || same(before, after)) return [];
  const isNested = name === 'subject' || name === 'retry' || name === 'details';
  if (!isNested || !isObject(before) || !isObject(after)) return [inDocument(name)];
  // Of something else, no member is the same, whatever it is called.
  if (name === 'subject' && before['type'] !== after['type']) return [name];
  return (name === 'retry' ? OF_RETRY : Object.keys(before))
    .filter((member) => before[member] !== undefined && !same(before[member], after[member]))
    .map((member) => `${name}.${name === 'retry' ? inDocument(member) : member}`);
}

/** `afterMs` → `after_ms`. */
function inDocument(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isObject(value: unknown): value is { readonly [member: string]: unknown } {
  return typeof value === 'object' && value !== null;
}

/** Do two values hold the same, whatever the order of their members? */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => same(a[key], b[key]));
}
