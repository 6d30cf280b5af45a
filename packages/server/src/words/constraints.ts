/**
 * Unique and foreign keys. Which value is taken, or stands for nothing, is the caller's to correct where it is among
 * the arguments; a key over anything else stays with the operator.
 */
import type { Kind } from '@mayday/core';
import { isCredentialName } from '@mayday/core/redact';
import { argumentNamed, argumentsIn, nameOf } from './argument-of.ts';
import type { OwnValue } from './callers-value.ts';
import { isRecord, look } from './look.ts';
import { causesOf, messagesOf } from './operator.ts';
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
const SQL_SERVER = /\bCannot insert duplicate key .{1,300} The duplicate key value is \((.{1,500})\)\.?$/s;
const REFERENCE =
  /^Cannot (?:add or update|delete or update) a (child|parent) row: .{1,500} FOREIGN KEY \(`(\w{1,100})`\) REFERENCES `[^`]{1,100}` \(`(\w{1,100})`\)/s;
const SQLITE = /\bUNIQUE constraint failed: ((?:\w{1,100}\.)?\w{1,100}(?:, (?:\w{1,100}\.)?\w{1,100}){0,9})$/;

/** What a violated key is when all of it is the caller's; `undefined` when it is not, or none was violated. */
export function overKey(reason: unknown, sent: unknown): OwnValue | undefined {
  for (const one of [reason, ...causesOf(reason)]) {
    const reference = ofReference(one, sent);
    if (reference !== undefined) return reference;
    const key = keyOf(one, sent);
    const values = key?.values ?? key?.fields.map((field) => valueNamed(field, sent));
    if (key === undefined || values === undefined) continue;
    const texts = textsIn(sent, isCredentialName);
    if (!values.every((value) => value !== undefined && texts.includes(value))) return undefined;
    const told = key.fields.map((field, at) => `${field}=${values[at]}`).join(', ');
    const end = key.end ?? 'already exists';
    return { kind: KINDS[end], words: `${told} ${end === 'is not present' ? 'does not exist' : end}` };
  }
  return undefined;
}

/** SQLite tells neither the column nor which end of the reference is missing. */
const SQLITE_REFERENCE = /\bFOREIGN KEY constraint failed\b/;

function ofReference(reason: unknown, sent: unknown): OwnValue | undefined {
  if (!isRecord(sent) || !messagesOf(reason).some((said) => SQLITE_REFERENCE.test(said))) return undefined;
  const told = Object.entries(sent).filter(
    ([name, value]) => /(?:^|_)id$|[a-z]Id$/.test(name) && ['string', 'number'].includes(typeof value),
  );
  if (told.length === 0) return undefined;
  const words = told.map(([name, value]) => `${name}=${value}`).join(' or ');
  return { kind: 'conflict', words: `${words} does not exist, or is still referenced` };
}

function keyOf(reason: unknown, sent: unknown): Key | undefined {
  const detail = look(reason, 'detail');
  const [, names, told = '', end] = typeof detail === 'string' ? (POSTGRES.exec(detail) ?? []) : [];
  if (names !== undefined) {
    const fields = names.split(', ');
    const values = fields.length === 1 ? [told] : told.split(', ');
    return values.length === fields.length ? { fields, values, end: end as Key['end'] } : undefined;
  }
  const pairs = look(reason, 'keyValue') ?? look(reason, 'fields');
  if (isRecord(pairs) && !Array.isArray(pairs) && Object.keys(pairs).length > 0)
    return { fields: Object.keys(pairs), values: Object.values(pairs).map(String) };
  const meta = look(reason, 'meta');
  const target = look(meta, 'target');
  if (look(reason, 'code') === 'P2002' && Array.isArray(target)) return { fields: target.map(String) };
  if (look(reason, 'code') === 'P2003') return ofPrisma(meta, sent);
  for (const message of messagesOf(reason)) {
    const key = keyIn(message, sent);
    if (key !== undefined) return key;
  }
  return undefined;
}

/** Which reference stands for nothing; newer versions tell only how its constraint is called. */
function ofPrisma(meta: unknown, sent: unknown): Key | undefined {
  const field = look(meta, 'field_name');
  const constraint = look(meta, 'constraint');
  const end = 'is not present';
  if (typeof field === 'string' && argumentNamed(field, sent) !== undefined) return { fields: [field], end };
  const own = typeof constraint === 'string' ? argumentsIn(constraint, sent) : [];
  return own.length === 1 ? { fields: own.map(({ name }) => name), end } : undefined;
}

function keyIn(message: string, sent: unknown): Key | undefined {
  const [, value, index = ''] = MYSQL.exec(message) ?? [];
  const taken = value ?? SQL_SERVER.exec(message)?.[1];
  if (taken !== undefined) return { fields: [nameOf(taken, sent) ?? index], values: [taken] };
  const [, row, child = '', parent = ''] = REFERENCE.exec(message) ?? [];
  if (row !== undefined)
    return row === 'child'
      ? { fields: [child], end: 'is not present' }
      : { fields: [parent], end: 'is still referenced' };
  const columns = SQLITE.exec(message)?.[1];
  return columns === undefined
    ? undefined
    : { fields: columns.split(', ').map((name) => name.replace(/^\w+\./, '')) };
}

/** The value of the argument of this name. */
function valueNamed(field: string, sent: unknown): string | undefined {
  const value = argumentNamed(field, sent)?.value;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
