/** Exceptions whose words are the operator's, whatever they sound like. */
import type { Kind } from '@mayday/core';
import type { Described } from './describe.ts';
import { isRecord, look } from './look.ts';

const BUG_CLASSES: ReadonlySet<string> = new Set([
  'TypeError',
  'ReferenceError',
  'RangeError',
  'SyntaxError',
  'EvalError',
  'URIError',
  'AssertionError',
]);

/** How JavaScript engines and Node word a programming mistake. */
const BUG =
  /^(?:cannot (?:read|set|destructure|convert|access|assign|add|define|delete|redefine|mix|perform)\b|class constructor|(?:undefined|null) is not|maximum call stack|assignment to constant|reduce of empty|converting circular|do not know how to|invalid (?:array length|time value|string length|count value)|the "[\w.]+" (?:argument|property))|\bis not (?:a function|defined|iterable|a constructor|an object|extensible|callable|async iterable)\b/i;

/** A mistake in the server's own program, unless a code or a status proves otherwise. */
export function isBug({ name, message, code }: Described): boolean {
  if (typeof code === 'string' && /^ERR_/.test(code)) return true;
  return BUG_CLASSES.has(name) && (name === 'ReferenceError' || BUG.test(message));
}

const DATABASE_CLASS =
  /^(?:Sequelize|Prisma|Mongo|Postgres|Sqlite|QueryFailed|Drizzle|Knex|TypeORM|Database|Mysql|Oracle|Cassandra)/i;

const DATABASE_WORDS =
  /\bdeadlock\b|\bSQLSTATE\b|\bE11000\b|\bORA-\d{5}\b|\bdisk (?:quota|(?:is )?full)\b|\bno space left\b/i;

/** What a database driver threw: it names tables, columns and constraints, and often has a number of its own. */
export function isDatabase(reason: unknown, { name, message, code }: Described): boolean {
  if (DATABASE_CLASS.test(name) || DATABASE_WORDS.test(message)) return true;
  if (typeof code === 'number' && isDriverNumber(reason, code)) return true;
  if (typeof code === 'string' && /^(?:SQLITE_|ER_|ORA-)/.test(code)) return true;
  if (look(reason, 'sqlState') !== undefined || look(reason, 'sqlMessage') !== undefined) return true;
  return look(reason, 'severity') !== undefined && look(reason, 'routine') !== undefined;
}

/** A number that an exception was given: not one of JSON-RPC's, of HTTP's, or of every DOM exception's. */
function isDriverNumber(reason: unknown, code: number): boolean {
  const ofWire = code >= -32768 && code <= -32000;
  const ofHttp = code >= 400 && code < 600;
  return !ofWire && !ofHttp && isRecord(reason) && Object.hasOwn(reason, 'code');
}

/** What the operator's database says of itself, by SQLSTATE: nothing in it is about the query. */
const STATES: readonly (readonly [RegExp, Kind])[] = [
  [/^08|^57P0/, 'unavailable'],
  [/^53/, 'overloaded'],
  [/^57014$/, 'timeout'],
];

/** What a database's failure is: how the database itself is, else a failure inside the server. */
export function databaseKind({ code }: Described): Kind {
  const state = typeof code === 'string' ? STATES.find(([pattern]) => pattern.test(code)) : undefined;
  return state?.[1] ?? 'internal';
}

const QUERY =
  /^\s*(?:select|insert|update|delete|with|create|alter|drop|explain|pragma|show|describe|merge)\s/i;

/** Did the caller write the query itself? Then the names in the answer are its own. */
export function asksInSql(args: unknown): boolean {
  if (!isRecord(args)) return false;
  return Object.values(args).some((value) => typeof value === 'string' && QUERY.test(value));
}
