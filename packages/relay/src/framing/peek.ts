/**
 * A JSON-RPC message as bytes, and the little that a relay must know about it. A message is never parsed to be
 * passed on: `peek` walks it once, allocates nothing for its values, and remembers where its id and its params
 * stand. It is strict, because everybody behind the relay must read the message as the relay did.
 */
import { isUtf8 } from 'node:buffer';
import {
  ATTEMPT_KEY,
  CALL_KEY,
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  DEADLINE_KEY,
  DIALECT_KEY,
  EXECUTED_KEY,
  IDEMPOTENCY_KEY,
  LOG_LEVEL_KEY,
  PROTOCOL_VERSION_KEY,
  RELATED_TASK_KEY,
  SUBSCRIPTION_KEY,
} from '@mayday/core/protocol';
import { eachMember, foldedKey, isKey, type Range, stringAt } from './members.ts';
import {
  BACKSLASH,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  MAX_DEPTH,
  NOT_JSON,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
  skipString,
  skipValue,
  TOO_DEEP,
} from './scan.ts';

/** What a message is. */
export type MessageKind = 'request' | 'notification' | 'response' | 'invalid';

/**
 * Why bytes are no message. `ambiguous`: it is request and answer at once, or a member that decides what happens is
 * there twice, or in a spelling that only some parsers take for it, so that two readers could understand two
 * messages. `bad_id`: an id that is neither
 * a string nor an integer, or that cannot be given back as it came.
 */
export type Invalid =
  | 'not_utf8'
  | 'not_json'
  | 'too_deep'
  | 'batch'
  | 'not_a_message'
  | 'ambiguous'
  | 'bad_id';

/** The outside of a message. */
export interface Peek {
  readonly kind: MessageKind;
  /** Why it is invalid; `undefined` when it is not. */
  readonly why: Invalid | undefined;
  /** The method; empty for a response. */
  readonly method: string;
  /** Where the id's bytes begin and end; -1 where there is none. */
  readonly idStart: number;
  readonly idEnd: number;
  /** Where the params begin and end; -1 where there are none. */
  readonly paramsStart: number;
  readonly paramsEnd: number;
  /** The message has a top-level `error`. */
  readonly hasError: boolean;
  /** It says `"jsonrpc": "2.0"`. */
  readonly isVersion2: boolean;
  /** It has members that JSON-RPC does not know. */
  readonly hasExtras: boolean;
  /** Where the params that decide about a call stand; absent where there are no such params. */
  readonly deciding: Deciding;
}

/** Where the params that decide about a call stand. */
interface Deciding {
  readonly name?: Range | undefined;
  readonly arguments?: Range | undefined;
  readonly uri?: Range | undefined;
  readonly _meta?: Range | undefined;
  readonly taskId?: Range | undefined;
  readonly ref?: Range | undefined;
  readonly notifications?: Range | undefined;
}

/** The same message after so many bytes were put in at one place. Members are named one by one: every call comes here. */
export function movedBy(seen: Peek, at: number, by: number): Peek {
  const move = (offset: number): number => (offset >= at ? offset + by : offset);
  const moved = (range: Range | undefined): Range | undefined =>
    range === undefined ? undefined : { start: move(range.start), end: move(range.end) };
  const { kind, why, method, hasError, isVersion2, hasExtras, deciding: before } = seen;
  const deciding: Deciding =
    before === NOTHING
      ? NOTHING
      : {
          name: moved(before.name),
          arguments: moved(before.arguments),
          uri: moved(before.uri),
          _meta: moved(before._meta),
          taskId: moved(before.taskId),
          ref: moved(before.ref),
          notifications: moved(before.notifications),
        };
  return {
    kind,
    why,
    method,
    idStart: move(seen.idStart),
    idEnd: move(seen.idEnd),
    paramsStart: move(seen.paramsStart),
    paramsEnd: move(seen.paramsEnd),
    hasError,
    isVersion2,
    hasExtras,
    deciding,
  };
}

/** The same message without the members that JSON-RPC does not know. */
export function withoutExtras(bytes: Buffer): Buffer {
  const known: string[] = [];
  eachMember(bytes, skipSpace(bytes, 0), (keyStart, keyEnd, _start, end) => {
    if (memberAt(bytes, keyStart, keyEnd, MEMBERS) !== NONE)
      known.push(bytes.toString('utf8', keyStart, end));
  });
  return Buffer.from(`{${known.join(',')}}`);
}

/** How far to look. */
export interface PeekOptions {
  /** Deeper nesting is `too_deep`. */
  readonly maxDepth?: number | undefined;
}

/** Members that are looked for, and how a parser that ignores case knows them. */
interface Known {
  readonly names: readonly string[];
  readonly folded: ReadonlySet<string>;
}

function known(names: readonly string[]): Known {
  return { names, folded: new Set(names.map((name) => name.toLowerCase())) };
}

const MEMBERS: Known = known(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
/** What decides about a call, inside its params, and is looked at for every call. */
const DECIDING: readonly (keyof Deciding)[] = [
  ...(['name', 'arguments', 'uri', '_meta'] as const),
  ...(['taskId', 'ref', 'notifications'] as const),
];
/** All that decides about some call, inside its params. */
const PARAMS: Known = known([
  ...DECIDING,
  ...['task', 'inputResponses', 'requestState', 'requestId', 'progressToken'],
]);
/** What decides inside of these. */
const INSIDE: { readonly [param: string]: Known } = {
  _meta: known([
    ...['progressToken', PROTOCOL_VERSION_KEY, CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY, LOG_LEVEL_KEY],
    ...[RELATED_TASK_KEY, SUBSCRIPTION_KEY],
    ...[IDEMPOTENCY_KEY, EXECUTED_KEY, DEADLINE_KEY, ATTEMPT_KEY, CALL_KEY, DIALECT_KEY],
  ]),
  ref: known(['type', 'name', 'uri']),
  notifications: known(['resourceSubscriptions', 'taskIds']),
};
const NOTHING: Deciding = {};
const MAX_ID_BYTES = 64 * 1024;

/** Looks at the outside of a message. Total: bytes that are no message are `invalid`, and it says why. */
export function peek(bytes: Buffer, options?: PeekOptions): Peek {
  if (!isUtf8(bytes)) return INVALID.not_utf8;
  const maxDepth = options?.maxDepth ?? MAX_DEPTH;
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== OPEN_OBJECT) return otherThanAnObject(bytes, start, maxDepth);
  const found = new Outside();
  let at = skipSpace(bytes, start + 1);
  for (let first = true; bytes[at] !== CLOSE_OBJECT; first = false) {
    if (!first) {
      if (bytes[at] !== COMMA) return INVALID.not_json;
      at = skipSpace(bytes, at + 1);
    }
    const keyEnd = bytes[at] === QUOTE ? skipString(bytes, at) : NOT_JSON;
    if (keyEnd < 0) return INVALID.not_json;
    const colon = skipSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) return INVALID.not_json;
    const value = skipSpace(bytes, colon + 1);
    const end = skipValue(bytes, value, maxDepth - 1);
    if (end < 0) return end === TOO_DEEP ? INVALID.too_deep : INVALID.not_json;
    found.see(bytes, at, keyEnd, value, end);
    at = skipSpace(bytes, end);
  }
  if (skipSpace(bytes, at + 1) !== bytes.length) return INVALID.not_json;
  return found.judge(bytes);
}

/**
 * Is this the method of a message? Most messages need not be walked for that: the word is in none of them, nor anything
 * that it could be escaped with.
 */
export function hasMethod(bytes: Buffer, method: string): boolean {
  const mayHave = bytes.includes(BACKSLASH) || bytes.includes(method);
  return mayHave && peek(bytes).method === method;
}

/** What the walk has come past. */
class Outside {
  method = '';
  idStart = -1;
  idEnd = -1;
  paramsStart = -1;
  paramsEnd = -1;
  /** One bit a member of `MEMBERS`. */
  seen = 0;
  isVersion2 = false;
  hasExtras = false;
  wrong: Invalid | undefined;

  see(bytes: Buffer, key: number, keyEnd: number, start: number, end: number): void {
    const member = memberAt(bytes, key, keyEnd, MEMBERS);
    if (member === NONE) {
      this.hasExtras = true;
      return;
    }
    if (member === MISSPELT || (this.seen & (1 << member)) !== 0) this.wrong ??= 'ambiguous';
    this.seen |= 1 << member;
    if (member === 0) this.isVersion2 = bytes[start] === QUOTE && isKey(bytes, start, end, '2.0');
    else if (member === 1) {
      this.idStart = start;
      this.idEnd = end;
    } else if (member === 2) {
      if (bytes[start] === QUOTE)
        this.method = isKey(bytes, start, end, CALL) ? CALL : stringAt(bytes, start, end);
      else this.wrong ??= 'not_a_message';
    } else if (member === 3) {
      this.paramsStart = start;
      this.paramsEnd = end;
    }
  }

  judge(bytes: Buffer): Peek {
    if (this.wrong !== undefined) return INVALID[this.wrong];
    const { method, idStart, idEnd, paramsStart, paramsEnd } = this;
    const hasMethod = (this.seen & 0b000100) !== 0;
    const isAnswer = (this.seen & 0b110000) !== 0;
    if (hasMethod === isAnswer) return isAnswer ? INVALID.ambiguous : INVALID.not_a_message;
    if (idStart >= 0 && !isId(bytes, idStart, idEnd) && (hasMethod || !isNull(bytes, idStart, idEnd))) {
      return INVALID.bad_id;
    }
    const deciding = hasMethod ? decidingIn(bytes, paramsStart) : NOTHING;
    if (deciding === undefined) return INVALID.ambiguous;
    const kind = !hasMethod ? 'response' : idStart < 0 ? 'notification' : 'request';
    const hasError = (this.seen & 0b100000) !== 0;
    const { isVersion2, hasExtras } = this;
    return {
      kind,
      why: undefined,
      method,
      idStart,
      idEnd,
      paramsStart,
      paramsEnd,
      hasError,
      isVersion2,
      hasExtras,
      deciding,
    };
  }
}

/** Which of these members a key names; `NONE`, or `MISSPELT` when only some parsers would say that it names one. */
function memberAt(bytes: Buffer, start: number, end: number, { names, folded }: Known): number {
  const length = end - start - 2;
  let isAsLong = false;
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? '';
    if (name.length !== length) continue;
    if (isWritten(bytes, start + 1, name)) return i;
    isAsLong = true;
  }
  // Most are no text that would have to be made for this.
  if (!isAsLong && isPlain(bytes, start + 1, end - 1)) return NONE;
  // What is written with escapes is longer than what it stands for.
  const escaped = names.indexOf(stringAt(bytes, start, end));
  if (escaped >= 0) return escaped;
  return folded.has(foldedKey(bytes, start, end)) ? MISSPELT : NONE;
}

/** Is each letter of it one byte, which stands for itself? */
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) >= 0x80 || bytes[at] === BACKSLASH) return false;
  return true;
}

/** Does this word stand there, to the letter? */
function isWritten(bytes: Buffer, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word.charCodeAt(i)) return false;
  return true;
}

/** The method of almost every message, which need not be made a text each time. */
const CALL = 'tools/call';

const NONE = -1;
const MISSPELT = -2;

/** The members that decide about a call; `undefined` when one of them is there twice, or misspelt. */
function decidingIn(bytes: Buffer, params: number): Deciding | undefined {
  if (bytes[params] !== OPEN_OBJECT) return NOTHING;
  const found: { -readonly [key in keyof Deciding]: Deciding[key] } = {
    name: undefined,
    arguments: undefined,
    uri: undefined,
    _meta: undefined,
    taskId: undefined,
    ref: undefined,
    notifications: undefined,
  };
  const isClear = eachOnce(bytes, params, PARAMS, (member, start, end) => {
    const key = DECIDING[member];
    if (key !== undefined) found[key] = { start, end };
    const inside = INSIDE[PARAMS.names[member] ?? ''];
    return inside === undefined || eachOnce(bytes, start, inside, () => true);
  });
  return isClear ? found : undefined;
}

/** Comes past those members of an object that are known. False: one of them is there twice, or misspelt, or is said to be wrong. */
function eachOnce(
  bytes: Buffer,
  object: number,
  members: Known,
  visit: (member: number, start: number, end: number) => boolean,
): boolean {
  let seen = 0;
  let isClear = true;
  eachMember(bytes, object, (keyStart, keyEnd, start, end) => {
    const member = memberAt(bytes, keyStart, keyEnd, members);
    if (member === NONE) return;
    if (member === MISSPELT || (seen & (1 << member)) !== 0) isClear = false;
    else if (!visit(member, start, end)) isClear = false;
    seen |= 1 << member;
  });
  return isClear;
}

/** A string, or an integer that every parser reads as the same one. */
function isId(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > MAX_ID_BYTES) return false;
  const first = bytes[start] ?? 0;
  if (first === QUOTE) return true;
  const isNumber = first === 0x2d || (first >= 0x30 && first <= 0x39);
  if (isNumber && isFewDigits(bytes, start, end)) return true;
  return isNumber && Number.isSafeInteger(Number(bytes.toString('latin1', start, end)));
}

/** So few that nobody rounds them. */
function isFewDigits(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > 15) return false;
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) < 0x30 || (bytes[at] ?? 0) > 0x39) return false;
  return true;
}

function isNull(bytes: Buffer, start: number, end: number): boolean {
  return end - start === 4 && bytes[start] === 0x6e;
}

/** An array is a batch; the rest is no message, or not even JSON. */
function otherThanAnObject(bytes: Buffer, start: number, maxDepth: number): Peek {
  const end = skipValue(bytes, start, maxDepth);
  if (end === TOO_DEEP) return INVALID.too_deep;
  if (end < 0 || skipSpace(bytes, end) !== bytes.length) return INVALID.not_json;
  return bytes[start] === OPEN_ARRAY ? INVALID.batch : INVALID.not_a_message;
}

const INVALID: { readonly [why in Invalid]: Peek } = {
  not_utf8: invalid('not_utf8'),
  not_json: invalid('not_json'),
  too_deep: invalid('too_deep'),
  batch: invalid('batch'),
  not_a_message: invalid('not_a_message'),
  ambiguous: invalid('ambiguous'),
  bad_id: invalid('bad_id'),
};

function invalid(why: Invalid): Peek {
  return {
    kind: 'invalid',
    why,
    method: '',
    idStart: -1,
    idEnd: -1,
    paramsStart: -1,
    paramsEnd: -1,
    hasError: false,
    isVersion2: false,
    hasExtras: false,
    deciding: NOTHING,
  };
}
