/**
 * Unique and foreign keys. Which value is taken, or stands for nothing, is the caller's to correct where it is among
 * the arguments; a key over anything else stays with the operator.
 */
import type { Kind } from '@mayday/core';
import type { OwnValue } from './callers-value.ts';
import { isCredentialName } from './credentials.ts';
import { isRecord, look } from './look.ts';
import { causesOf } from './operator.ts';
import { textsIn } from './sent.ts';

/** A key that was violated: its fields, and the values that a driver tells. */
interface Key {
  readonly fields: readonly string[];
  readonly values?: readonly string[] | undefined;
  readonly end?: keyof typeof KINDS | undefined;
}

const KINDS = {
  'already exists': 'conflict',
  'is still referenced': 'conflict',
  'is not present': 'not_found',
} as const satisfies { readonly [end: string]: Kind };

const POSTGRES =
  /^Key \(([^()]{1,200})\)=\((.{0,500})\) (already exists|is not present|is still referenced)(?: (?:in|from) table "[^"]{1,100}")?\.?$/s;
const MYSQL = /^Duplicate entry '(.{1,500})' for key '(?:[\w-]{1,100}\.)?([\w-]{1,100})'$/s;
const SQLITE = /\bUNIQUE constraint failed: ((?:\w{1,100}\.)?\w{1,100}(?:, (?:\w{1,100}\.)?\w{1,100}){0,9})$/;

/** What a violated key is when all of it is the caller's; `undefined` when it is not, or none was violated. */
export function overKey(reason: unknown, sent: unknown): OwnValue | undefined {
  for (const one of [reason, ...causesOf(reason)]) {
    const key = keyOf(one, sent);
    const values = key?.values ?? key?.fields.map((field) => argumentOf(field, sent));
    if (key === undefined || values === undefined) continue;
    const texts = textsIn(sent, isCredentialName);
    if (!values.every((value) => value !== undefined && texts.includes(value))) return undefined;
    const told = key.fields.map((field, at) => `${field}=${values[at]}`).join(', ');
    const end = key.end ?? 'already exists';
    return { kind: KINDS[end], words: `${told} ${end === 'is not present' ? 'does not exist' : end}` };
  }
  return undefined;
}

function keyOf(reason: unknown, sent: unknown): Key | undefined {
  const [message, detail] = [look(reason, 'message'), look(reason, 'detail')];
  const [, names, told = '', end] = typeof detail === 'string' ? (POSTGRES.exec(detail) ?? []) : [];
  if (names !== undefined) {
    const fields = names.split(', ');
    const values = fields.length === 1 ? [told] : told.split(', ');
    return values.length === fields.length ? { fields, values, end: end as Key['end'] } : undefined;
  }
  const pairs = look(reason, 'keyValue') ?? look(reason, 'fields');
  if (isRecord(pairs) && !Array.isArray(pairs) && Object.keys(pairs).length > 0)
    return { fields: Object.keys(pairs), values: Object.values(pairs).map(String) };
  const target = look(look(reason, 'meta'), 'target');
  if (look(reason, 'code') === 'P2002' && Array.isArray(target)) return { fields: target.map(String) };
  if (typeof message !== 'string') return undefined;
  const [, value, index = ''] = MYSQL.exec(message) ?? [];
  if (value !== undefined) return { fields: [nameOf(value, sent) ?? index], values: [value] };
  const columns = SQLITE.exec(message)?.[1];
  return columns === undefined
    ? undefined
    : { fields: columns.split(', ').map((name) => name.replace(/^\w+\./, '')) };
}

const DEEPEST = 4;

/** The argument of this name, however deep. */
function argumentOf(field: string, sent: unknown, depth = DEEPEST): string | undefined {
  if (!isRecord(sent) || depth === 0) return undefined;
  const value = Object.hasOwn(sent, field) ? sent[field] : undefined;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return firstOf(Object.values(sent), (inner) => argumentOf(field, inner, depth - 1));
}

/** The name of the argument with this value. */
function nameOf(value: string, sent: unknown, depth = DEEPEST): string | undefined {
  if (!isRecord(sent) || depth === 0) return undefined;
  return firstOf(Object.entries(sent), ([name, own]) =>
    isRecord(own) ? nameOf(value, own, depth - 1) : String(own) === value ? name : undefined,
  );
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items.slice(0, 100)) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
