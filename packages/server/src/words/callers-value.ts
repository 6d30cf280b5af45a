/**
 * Failures over a value that the caller sent, thrown by what only handles it: a parser of JSON, a database that takes
 * no such date, a mail server that knows no such recipient. The proof is the value itself: it is among the arguments.
 */
import type { Kind } from '@mayday/core';
import { overAddress } from './addresses.ts';
import { issuesInText } from './ajv.ts';
import { isOverPage } from './browser.ts';
import { overBuiltIn } from './built-in.ts';
import { type Given, overColumn } from './columns.ts';
import { overKey } from './constraints.ts';
import type { Described } from './describe.ts';
import { isOfTime } from './formats.ts';
import { isRecord, look } from './look.ts';
import { isOverQuery } from './operator.ts';
import { overReach } from './out-of-reach.ts';
import { areTrueOf } from './proof.ts';
import { overReply } from './redis-replies.ts';
import { isOverSearch } from './searches.ts';
import { isLongerSent, textsIn } from './sent.ts';
import { isOverSyntax } from './syntax.ts';

/** What a failure over a value is, and what is said of it where that is not as it was thrown. */
export interface OwnValue {
  readonly kind: Kind;
  readonly words?: string | undefined;
  /** What to do, where that is not as the kind has it. */
  readonly advice?: string | undefined;
}

/** What it is when the value is the caller's; `undefined` when it is not, or when it is about something else. */
export function overCallersValue(reason: unknown, about: Described, given: Given): OwnValue | undefined {
  const sent = given.arguments;
  if ([reason, look(reason, 'cause')].some((one) => isOverJson(one, sent)))
    return { kind: 'invalid_arguments' };
  const found = issuesInText(about.message);
  if (found !== undefined && areTrueOf(found, sent)) return { kind: 'invalid_arguments' };
  if (isOverInput(about, sent) || isOverQuery(reason, about, sent) || isOverSearch(reason, about, sent))
    return { kind: 'invalid_arguments' };
  if (isOverRecipient(about.message, sent) || isOverPage(about.message, sent))
    return { kind: 'unprocessable' };
  const words = overBuiltIn(about, sent);
  if (words !== undefined) return { kind: 'invalid_arguments', words };
  return (
    overTime(about, sent) ??
    overNamed(reason, about, sent) ??
    overKey(reason, sent) ??
    overColumn(reason, given) ??
    overAddress(reason, sent) ??
    overReach(reason, about.message, sent) ??
    (isOverSyntax(about.message, sent) ? { kind: 'invalid_arguments' } : undefined)
  );
}

/** What Mongoose and mathjs say of one value. What follows names fields and models of the server's own. */
const NAMED =
  /^(?:Cast to \w{1,40} failed for value "([^"\n]{1,200})"|Undefined (?:symbol|function) (\w{1,80})$)/;
/** What Prisma says of the record that was asked for. */
const RECORD =
  /\b(?:Record to (?:update|delete) not found|No '?\w{1,80}'? (?:record\(?s?\)? )?(?:was )?found)\b/;

/** Is it over a value that Mongoose or mathjs names, and that the caller has not sent? */
export function isOverOthersValue(message: string, sent: unknown): boolean {
  const value = namedIn(message)[1];
  return value !== undefined && !isOf(textsIn(sent), value);
}

/** The words of such a complaint, and the value in them. */
function namedIn(message: string): readonly string[] {
  return (NAMED.exec(message) ?? []).filter((part) => part !== undefined);
}

function isOf(texts: readonly string[], value: string): boolean {
  return texts.some((text) => text === value || isWithin(value, text));
}

/** A value, a record or a key that the caller has named. */
function overNamed(reason: unknown, { message, code }: Described, sent: unknown): OwnValue | undefined {
  const texts = textsIn(sent);
  const [words = '', value = ''] = namedIn(message);
  if (value !== '' && isOf(texts, value)) return { kind: 'invalid_arguments', words };
  const record = code === 'P2025' ? RECORD.exec(message)?.[0] : undefined;
  if (record !== undefined && texts.length > 0) return { kind: 'not_found', words: record };
  const kind = overReply(reason, message, sent);
  return kind && { kind };
}

/** `toISOString` of what is no date does not say what it was. */
function overTime({ name, message }: Described, sent: unknown): OwnValue | undefined {
  if (name !== 'RangeError' || message !== 'Invalid time value' || !isRecord(sent)) return undefined;
  const wrong = Object.entries(sent).find(
    ([key, value]) => isOfTime(key) && typeof value === 'string' && Number.isNaN(Date.parse(value)),
  );
  return wrong && { kind: 'invalid_arguments', words: `Invalid time value: ${wrong[0]}=${String(wrong[1])}` };
}

const MEANT_AS_JSON = /^\s*[[{"]/;
const LONGEST_JSON = 100_000;

/** The same text gives the same complaint. */
function isOverJson(reason: unknown, sent: unknown): boolean {
  const message = look(reason, 'message');
  if (look(reason, 'name') !== 'SyntaxError' || typeof message !== 'string' || !/JSON/.test(message))
    return false;
  return textsIn(sent).some((text) => {
    // What a backend answered may be as short and as wrong as any word: it has to be meant as JSON, or be quoted.
    const isMeant = MEANT_AS_JSON.test(text) || (text !== '' && message.includes(`"${text}"`));
    return isMeant && text.length <= LONGEST_JSON && complaintOver(text) === message;
  });
}

function complaintOver(text: string): unknown {
  try {
    JSON.parse(text);
    return undefined;
  } catch (complaint) {
    return look(complaint, 'message');
  }
}

/** PostgreSQL's words for a value of the wrong form or size, and nothing else: no table, no query. */
const INPUT =
  /^(?:invalid input (?:syntax|value) for (?:type|enum) [\w. ]{1,80}: "([^\n]{0,1000})"|date\/time field value out of range: "([^\n]{1,1000})"|value "([^\n]{1,1000})" is out of range for type [\w ]{1,80}|(?:syntax error|no operand) in tsquery: "([^\n]{0,1000})")$/;
const TOO_LONG = /^value too long for type (?:character|character varying|bit|bit varying)\((\d{1,9})\)$/;
const OUT_OF_RANGE = /^(smallint|integer|bigint) out of range$/;
const LARGEST: { readonly [type: string]: number } = { smallint: 2 ** 15, integer: 2 ** 31, bigint: 2 ** 63 };

/** What does not quote the value: the same one is refused here as well. */
const TRIED: readonly (readonly [RegExp, (text: string) => boolean])[] = [
  [
    /^invalid input syntax for type jsonb?$/,
    (text) => MEANT_AS_JSON.test(text) && complaintOver(text) !== undefined,
  ],
  [/^division by zero$/, (text) => text !== '' && Number(text) === 0],
  [/^invalid regular expression: [\w ()[\]{}]{1,100}$/, isNoExpression],
];

function isNoExpression(text: string): boolean {
  if (text.length > LONGEST_EXPRESSION) return false;
  try {
    return new RegExp(text) === undefined;
  } catch {
    return true;
  }
}

const LONGEST_EXPRESSION = 1000;

function isOverInput({ message, code }: Described, sent: unknown): boolean {
  if (typeof code !== 'string' || !/^22\w{3}$|^42601$/.test(code)) return false;
  const texts = textsIn(sent);
  const [, ...quoted] = INPUT.exec(message) ?? [];
  const value = quoted.find((one) => one !== undefined);
  if (value !== undefined) return texts.some((text) => text === value || isWithin(value, text));
  const tried = TRIED.find(([form]) => form.test(message));
  if (tried !== undefined) return texts.some(tried[1]);
  const length = TOO_LONG.exec(message)?.[1];
  if (length !== undefined) return isLongerSent(sent, Number(length));
  const type = OUT_OF_RANGE.exec(message)?.[1];
  return type !== undefined && texts.some((text) => Math.abs(Number(text)) >= (LARGEST[type] as number));
}

/** A piece must have this much, to tell it from any other. */
const SHORTEST = 3;

function isWithin(piece: string, text: string): boolean {
  return piece.length >= SHORTEST && text.includes(piece);
}

const REJECTED = /\brecipients were rejected: 5\d\d\b/i;
/** It is the sender that was refused. */
const SENDER = /\b5\.7\.\d|\brelay|\bauthenti|\bsender\b|\bspam\b|\bblocked\b|\bblack ?list/i;

function isOverRecipient(message: string, sent: unknown): boolean {
  if (!REJECTED.test(message) || SENDER.test(message)) return false;
  const named = [...message.slice(0, 2000).matchAll(/<([^<>\s]{1,254})>/g)].map(([, address]) => address);
  const texts = textsIn(sent);
  return named.every((address = '') => texts.some((text) => text.includes(address)));
}
