/**
 * What a database does not store: nothing, too much, or what a rule of a column refuses. The caller's to correct where the
 * column is an argument and the complaint can be true of it; a column of the server's own stays with the operator.
 */
import { type Argument, argumentNamed, argumentsIn, plainly } from './argument-of.ts';
import type { OwnValue } from './callers-value.ts';
import { isRecord, look } from './look.ts';
import { causesOf, messagesOf } from './operator.ts';
import type { JsonSchema } from './tool-schema.ts';

/** What the caller sent, and what its tool says that it takes. */
export interface Given {
  readonly arguments: unknown;
  readonly schema?: (() => JsonSchema | undefined) | undefined;
}

/** What it is when the column is the caller's; `undefined` when it is not, or when it is about something else. */
export function overColumn(reason: unknown, given: Given): OwnValue | undefined {
  for (const one of [reason, ...causesOf(reason)]) {
    const words = ofNothing(one, given) ?? ofValue(one, given) ?? ofCheck(one, given) ?? ofPrisma(one, given);
    if (words !== undefined) return { kind: 'invalid_arguments', words };
  }
  return undefined;
}

const NULL =
  /\bNOT NULL constraint failed: (?:\w{1,100}\.)?(\w{1,100})$|^null value in column "(\w{1,100})"|^Column '(\w{1,100})' cannot be null$|^Field '(\w{1,100})' doesn't have a default value$|^Cannot insert the value NULL into column '(\w{1,100})'|\bNull constraint violation on the fields: \(`(\w{1,100})`\)/;

function ofNothing(reason: unknown, { arguments: sent, schema }: Given): string | undefined {
  const column = groupIn(NULL, reason);
  if (column === undefined) return undefined;
  const own = argumentNamed(column, sent);
  if (own !== undefined) return isNothing(own.value) ? `${own.name} must not be null` : undefined;
  const takes = Object.keys(Object(schema?.()?.['properties']));
  const left = takes.find((name) => plainly(name) === plainly(column));
  return left === undefined ? undefined : `${left} must not be null`;
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

/** Words of databases that name the column, what is said instead, and what can be wrong in that way. */
const VALUES: readonly (readonly [RegExp, string, (value: unknown) => boolean])[] = [
  [
    /^Data too long for column '(\w{1,100})'|\bwould be truncated in table '[^'\n]{1,200}', column '(\w{1,100})'|\btoo long for the column's type\. Column: (\w{1,100})\b/,
    'is too long',
    (value) => typeof value === 'string',
  ],
  [/^Out of range value for column '(\w{1,100})'/, 'is out of range', isNumeric],
  [
    /^Incorrect [\w ]{1,40} value: '[^\n]{0,1000}' for column (?:`[^`\n]{1,100}`\.){0,2}['`](\w{1,100})['`]|^Data truncated for column '(\w{1,100})'/,
    'is not accepted',
    (value) => !isNothing(value) && !isRecord(value),
  ],
];

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d/.test(value));
}

function ofValue(reason: unknown, { arguments: sent }: Given): string | undefined {
  for (const [form, said, canBe] of VALUES) {
    const column = groupIn(form, reason);
    const own = column === undefined ? undefined : argumentNamed(column, sent);
    if (own !== undefined && canBe(own.value)) return `${own.name} ${said}`;
  }
  return undefined;
}

const CHECK =
  /\bCHECK constraint failed: ([^\n]{1,300})$|\bviolates check constraint "(\w{1,100})"|^Check constraint '(\w{1,100})' is violated|\bconflicted with the CHECK constraint "(\w{1,100})"/;

/** Words of SQL in the rule of a column. */
const OF_SQL =
  /^(?:and|or|not|in|is|null|between|like|glob|regexp|length|lower|upper|trim|abs|true|false|any|array|text|integer|numeric|char_length)$/i;

function ofCheck(reason: unknown, { arguments: sent }: Given): string | undefined {
  const rule = groupIn(CHECK, reason);
  if (rule === undefined) return undefined;
  if (!/^\w+$/.test(rule)) return ofExpression(rule, sent);
  const table = look(reason, 'table');
  const name =
    typeof table === 'string' && rule.startsWith(`${table}_`) ? rule.slice(table.length + 1) : rule;
  const own = argumentsIn(name, sent).filter(isValue);
  return own.length === 0 ? undefined : `${namesOf(own)} is not accepted`;
}

/** A rule may be told where it speaks of nothing but arguments. */
function ofExpression(rule: string, sent: unknown): string | undefined {
  const names = (rule.replaceAll(/'[^'\n]{0,100}'/g, '').match(/[A-Za-z_]\w*/g) ?? []).filter(
    (name) => !OF_SQL.test(name),
  );
  const own = names.map((name) => argumentNamed(name, sent));
  if (own.length === 0 || !own.every((one) => one !== undefined && isValue(one))) return undefined;
  return `${namesOf(own as readonly Argument[])} is not accepted: ${rule}`;
}

function isValue({ value }: Argument): boolean {
  return !isNothing(value) && !isRecord(value);
}

function namesOf(own: readonly Argument[]): string {
  return [...new Set(own.map(({ name }) => name))].join(', ');
}

const PROVIDED =
  /\bArgument `(\w{1,100})`: Invalid value provided\. Expected ([\w ]{1,100}), provided (\w{1,40})\./g;
const TYPES: { readonly [provided: string]: string } = {
  String: 'string',
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
};

/** What Prisma finds in what it was given, before it asks its database. What stands above is the server's own program. */
function ofPrisma(reason: unknown, { arguments: sent }: Given): string | undefined {
  const message = look(reason, 'message');
  if (look(reason, 'name') !== 'PrismaClientValidationError' || typeof message !== 'string') return undefined;
  const found = [...message.slice(-LONGEST).matchAll(PROVIDED)].map(
    ([, column = '', expected, type = '']) => {
      const own = argumentNamed(column, sent);
      const isSent = own !== undefined && typeof own.value === TYPES[type];
      return isSent ? `${own.name}: Expected ${expected}, provided ${type}` : undefined;
    },
  );
  return found.length > 0 && found.every((words) => words !== undefined) ? found.join('; ') : undefined;
}

const LONGEST = 10_000;

/** The first group of a form that is found in what a database said. */
function groupIn(form: RegExp, reason: unknown): string | undefined {
  for (const message of messagesOf(reason)) {
    const found = form.exec(message)?.slice(1);
    const group = found?.find((one) => one !== undefined);
    if (group !== undefined) return group;
  }
  return undefined;
}
