/** Exceptions whose words are the operator's, whatever they sound like. */
import type { Kind } from '@mayday/core';
import { plainlySaid } from './database-words.ts';
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
  /^(?:cannot (?:read|set|destructure|convert|access|assign|add|define|delete|redefine|mix|perform)\b|class constructor|(?:undefined|null) is not|maximum call stack|assignment to constant|reduce of empty|converting circular|do not know how to|invalid (?:array length|time value|string length|count value)|missing named parameter\b|too (?:few|many) parameter values\b|this statement does(?: not|n't) return data\b|cannot open database because\b|the "[\w.]+" (?:argument|property))|\bis not (?:a function|defined|iterable|a constructor|an object|extensible|callable|async iterable)\b/i;

/** A part of the server's own program that could not be loaded. */
const MODULE =
  /\bcannot find (?:module|package) ['"][^'"\n]{1,1000}['"] imported from\b|\bcannot find module [^\n]{1,1000}\n\s*require stack:|\b(?:load|resolve) [^\s/\\]{0,100}[/\\]\S{1,500} imported (?:from|by)\b/i;

/** Does the server lack a part of itself? Nothing of what the caller asked for has to do with it. */
export function lacksModule({ message, code }: Described): boolean {
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' || MODULE.test(message);
}

/** What `node:sqlite` throws has one code for all; the number that SQLite gives it stands beside. */
const NODE_SQLITE = 'ERR_SQLITE_ERROR';

/** A mistake in the server's own program, unless a code or a status proves otherwise. */
export function isBug({ name, message, code }: Described): boolean {
  if (typeof code === 'string' && /^ERR_/.test(code)) return code !== NODE_SQLITE;
  return BUG_CLASSES.has(name) && (name === 'ReferenceError' || BUG.test(message));
}

/** An assertion with its author's own sentence, and not one that Node has made of the code: `assert(n > 0, 'n must be positive')`. */
export function isAsserted(reason: unknown): boolean {
  return look(reason, 'code') === 'ERR_ASSERTION' && look(reason, 'generatedMessage') === false;
}

const DATABASE_CLASS =
  /^(?:Sequelize|Prisma|Mongo|Postgres|Sqlite|QueryFailed|Drizzle|Knex|TypeORM|Database|Mysql|Oracle|Cassandra)/i;

/** Of SQLite, MySQL, Oracle, SQL Server. */
const DATABASE_CODE = /^(?:(?:ERR_)?SQLITE_|ER_|WARN_DATA_|ORA-|EREQUEST$)/;

const DATABASE_WORDS =
  /\bsyntax error at or near "|^(?:error: )?column reference "[^"\n]{1,100}" is ambiguous\b|\bcould not serialize access\b|\bdeadlock\b|\bSQLSTATE\b|\bE11000\b|\bORA-\d{5}\b/i;

/** A statement, as mappers put it before what went wrong: its `select` asks nothing of the caller. */
const STATEMENT =
  /\bSELECT\b.{1,400}\bFROM\b|\bINSERT INTO\b|\bDELETE FROM\b|\bUPDATE\b.{1,200}\bSET\b|\bselect (?:\*|["`]|distinct\b|count\(|[\w.]+(?:, [\w.]+){0,30} from [\w.]+ where\b)|\b(?:insert into|delete from|update) ["`]/;

/** What a database driver threw: it names tables, columns and constraints, and often has a number of its own. */
export function isDatabase(reason: unknown, { name, message, code }: Described): boolean {
  if (DATABASE_CLASS.test(name) || DATABASE_WORDS.test(message) || STATEMENT.test(message)) return true;
  if (typeof code === 'number' && isDriverNumber(reason, code)) return true;
  if (typeof code === 'string' && (DATABASE_CODE.test(code) || LOST.test(code))) return true;
  if (look(reason, 'sqlState') !== undefined || look(reason, 'sqlMessage') !== undefined) return true;
  return look(reason, 'severity') !== undefined && look(reason, 'routine') !== undefined;
}

/** What no interface says on purpose: it handed on what its database said. */
export function namesTables(message: string): boolean {
  return TABLES.test(message);
}

const TABLES =
  /\bSQLSTATE\b|\bE11000\b|\bORA-\d{5}\b|\bviolates [a-z -]{3,30} constraint\b|\b(?:relation|column) "[^"]{1,100}" does not exist\b/i;

/** Does a database say which of its constraints a row would break? */
export function violatesKey(message: string): boolean {
  return KEY.test(message);
}

const KEY = /\bviolates [a-z -]{3,30} constraint\b/i;

/** What only an operator has: tables, buckets and topics of the server's own, accounts of a directory, certificates. */
const STOCK: readonly RegExp[] = [
  // What databases say of what they hold, and of who may use it, to the letter.
  /\b(?:role|type|index|extension|trigger|keyspace) (?:"|')([\w.$-]{1,100})["'] does(?: not|n't) exist\b/i,
  /\b(?:function|procedure) ([\w$]{1,60}(?:\.[\w$]{1,60}(?=[( ])|(?=\())[^\n]{0,200}) does(?: not|n't) exist\b/i,
  /\b(?:unknown database|invalid (?:object|column) name|could not find stored procedure) ["'`]([\w.$-]{1,100})/i,
  /\bno such index \[([\w.$-]{1,100})\]/i,
  /\b(?:permission denied for|must be owner of) (?:table|relation|schema|sequence|view|function|database) ([\w.$-]{1,100})/i,
  /\bcommand denied to user [^\n]{1,200} for (?:table|column|routine) ["'`]([\w.$-]{1,100})/i,
  /\bpermission was denied on the object ["'`]([\w.$-]{1,100})/i,
  /\b(?:relation|column|schema|database) ["'`]?([\w.$-]{1,100})["'`]? does(?: not|n't) exist\b/i,
  /\btable ["'`]?(\w+\.[\w.$-]{1,100})["'`]? does(?: not|n't) exist\b/i,
  /\b(?:unknown column|no such (?:table|column)):? ["'`]?([\w.$-]{1,100})/i,
  /\bbucket(?: does not exist)?:? ["'`]?([\w.-]{3,63})["'`]?(?=$| (?:does not|not found))/i,
  /\b(base de (?:données|datos|dados)|datenbank|modul[eo]?|módulo|serveur|servidor)\b[^.]{0,60} (?:n['’]existe|no existe|não existe|non esiste|existiert nicht)/i,
  /\b(arn:aws[\w-]*:\S{1,300})/i,
  /\b(projects\/[\w-]{1,60}\/(?:topics|subscriptions|secrets|instances)\/[\w-]{1,100})/i,
  /\b(?:certificate (?:for|of)|LDAP bind (?:as|for)) (\S{1,200})/i,
];

/** Does it name what only an operator has, and no argument does? */
export function namesStock(message: string, args: unknown): boolean {
  const sent = (JSON.stringify(args ?? '') ?? '').toLowerCase();
  return STOCK.some((form) => {
    const name = form.exec(message)?.[1];
    return name !== undefined && !sent.includes(name.toLowerCase());
  });
}

/** A number that an exception was given: not one of JSON-RPC's, of HTTP's, or of every DOM exception's. */
function isDriverNumber(reason: unknown, code: number): boolean {
  const ofWire = code >= -32768 && code <= -32000;
  const ofHttp = code >= 400 && code < 600;
  return !ofWire && !ofHttp && isRecord(reason) && Object.hasOwn(reason, 'code');
}

/** A transaction that lost against another one: SQLSTATE. */
const LOST = /^(?:40001|40P01|55P03)$/;

/**
 * What the operator's database says of itself, by SQLSTATE, by the names of MySQL, SQLite and Prisma and by the numbers
 * of MongoDB and SQL Server. Nothing in it is about the query; what lost against another transaction passes by repeating.
 */
const STATES: readonly (readonly [RegExp, Kind])[] = [
  [/^P100[03]$|^53100$|^SQLITE_FULL$|^ER_DISK_FULL$/, 'misconfigured'],
  [/^08(?!P01)|^57P0|^P1001$|^(?:10107|11600|11602|13435|13436)$/, 'unavailable'],
  [
    /^53|^SQLITE_(?:BUSY|LOCKED)|^ER_(?:LOCK_DEADLOCK|LOCK_WAIT_TIMEOUT|CON_COUNT_ERROR|TOO_MANY_USER_CONNECTIONS)$|^P20(?:24|34)$|^ORA-00060$|^112$|^1205$/,
    'overloaded',
  ],
  [LOST, 'overloaded'],
  [/^57014$|^ER_(?:QUERY|STATEMENT)_TIMEOUT$|^P100[28]$/, 'timeout'],
  [/^PROTOCOL_CONNECTION_LOST$|^P1017$/, 'disconnected'],
];

/** The same in words, for drivers that have no code. */
const LOST_WORDS =
  /\bdeadlock\b|\bdatabase (?:table )?is locked\b|\bcould not serialize access\b|\block wait timeout\b|\bwrite ?conflict\b|\bORA-00060\b/i;

/** How mappers call it when a record has changed since it was read: mongoose, Sequelize, TypeORM, MikroORM. */
const LOST_RACES = /^(?:Sequelize)?OptimisticLock(?:VersionMismatch)?Error$/;
const STALE = /^No matching document found for id "[^"\n]{1,200}" version \d/;

/** The same in the words of mappers and databases, whoever throws them: Hibernate, Rails, Entity Framework, MongoDB, Firestore, CockroachDB. */
const LOST_AGAINST =
  /\b(?:updated|deleted|modified|changed) by another transaction\b|\bupdate a stale (?:object|model instance|record|entity)\b|\bunexpected row count from update\b|\bexpected to affect \d+ rows?(?:\(s\))?, but actually affected 0\b|\boptimistic lock(?:ing)?\b[^.\n]{0,60}\bfail(?:ed|ure)\b|\bwrite ?conflict\b|\btoo much contention on\b|\btransaction\b[^.\n]{0,40}\baborted\b[^.\n]{0,40}\b(?:conflict|concurrent|retry)|\btransaction conflict\b|\bTransactionRetry\w*Error\b|\brecord has changed since last read in table\b|\bcould not obtain lock on row\b|\bconcurrent (?:update|modification) detected\b|^ConcurrentModificationException\b/i;

/** Did it lose against somebody else's change? */
export function isLostRace({ name, message }: Described): boolean {
  if (LOST_RACES.test(name) || (name === 'VersionError' && STALE.test(message))) return true;
  return message.length <= LONGEST_RACE && LOST_AGAINST.test(message);
}

const LONGEST_RACE = 1000;

const VERSION = /^(?:if[_-]?match|(?:\w+_)?(?:version|revision|rev|etag)|\w+(?:Version|Revision|ETag))$/i;

/** Which state the caller has seen is among the arguments: then it is for the caller to look again. */
export function namesVersion(args: unknown): boolean {
  return isRecord(args) && Object.keys(args).some((name) => VERSION.test(name));
}

/** What a database's failure is: how the database itself is, else a failure inside the server. */
export function databaseKind(reason: unknown, { message }: Described): Kind {
  const codes = [reason, ...causesOf(reason)].flatMap((one) => [
    look(one, 'code'),
    look(one, 'errorCode'),
    look(one, 'sqlState'),
    look(one, 'number'),
    ofSqlite(one),
  ]);
  for (const code of codes) {
    const known = typeof code === 'string' || typeof code === 'number';
    const state = known ? STATES.find(([pattern]) => pattern.test(String(code))) : undefined;
    if (state !== undefined) return state[1];
  }
  return LOST_WORDS.test(message) ? 'overloaded' : 'internal';
}

/** Extended numbers hold the plain one in their last byte. */
function ofSqlite(reason: unknown): string | undefined {
  const number = look(reason, 'code') === NODE_SQLITE ? look(reason, 'errcode') : undefined;
  return typeof number === 'number' ? SQLITE_NAMES[number % 256] : undefined;
}

const SQLITE_NAMES: { readonly [number: number]: string } = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  13: 'SQLITE_FULL',
};

/** What a database said, without the statement that mappers put before it. */
export function messagesOf(reason: unknown): readonly string[] {
  const message = look(reason, 'message');
  const said = [look(reason, 'sqlMessage'), message];
  if (typeof message === 'string' && message.includes(' - '))
    said.push(message.slice(message.lastIndexOf(' - ') + 3));
  return said
    .filter((one) => typeof one === 'string')
    .map((one) => plainlySaid(one.trim().slice(-LONGEST_SAID)));
}

const LONGEST_SAID = 4000;

/** Where mappers keep what the driver threw. */
export function causesOf(reason: unknown): readonly unknown[] {
  return ['cause', 'original', 'parent', 'driverError'].map((name) => look(reason, name));
}

const QUERY =
  /^\s*(?:select|insert|update|delete|with|create|alter|drop|explain|pragma|show|describe|merge)(?=[\s;]|$)/i;
/** Arguments that hold nothing else. */
const QUERY_NAME = /(?:^|[_-])(?:sql|stmt|statement)(?:[_-]?(?:query|text|string))?$/i;
const NEAR = /\bnear ["'`]([^"'`\n]{1,200})["'`]/;

/**
 * Did the caller write the query itself? Then the names in the answer are its own. A text at whose first word a database
 * stumbled was its query, whatever it looks like.
 */
export function asksInSql(args: unknown, message: string): boolean {
  if (!isRecord(args)) return false;
  const near = NEAR.exec(message)?.[1];
  return Object.entries(args).some(([name, value]) => {
    if (typeof value !== 'string') return false;
    const stumbled = near !== undefined && /\w/.test(near) && value.trimStart().startsWith(near);
    return QUERY.test(value) || QUERY_NAME.test(name) || stumbled;
  });
}

/** How databases say that they could not even read a query. */
const UNREADABLE = /\bsyntax error\b|^incomplete input$|\bmultiple commands\b|^unrecognized token\b/i;
const STATEMENTS = /\bSQL string contains (?:more than one|no) statements?\b/i;

/** Is it the caller's query that could not be read? */
export function isOverQuery(reason: unknown, about: Described, args: unknown): boolean {
  const { message } = about;
  const unreadable = STATEMENTS.test(message) || (UNREADABLE.test(message) && isDatabase(reason, about));
  return unreadable && asksInSql(args, message);
}

/** What PostgreSQL adds to a complaint over the caller's own query. */
export function hintFor(reason: unknown, about: Described, args: unknown): string {
  const hint = look(reason, 'hint');
  const isTold = typeof hint === 'string' && hint !== '' && !about.message.includes(hint);
  return isTold && isDatabase(reason, about) && asksInSql(args, about.message) ? ` Hint: ${hint}` : '';
}
