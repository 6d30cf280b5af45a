/**
 * A JSON-RPC message as bytes, and the little that a relay must know about it. A message is never parsed to
 * be passed on: `peek` walks its outermost members once, allocates nothing for their values, and remembers
 * where the id stands so that it can be exchanged in place.
 */

/** What a message is. */
export type MessageKind = 'request' | 'notification' | 'response' | 'batch' | 'invalid';

/** The outside of a message. */
export interface Peek {
  readonly kind: MessageKind;
  /** The method; empty for a response. */
  readonly method: string;
  /** Where the id's bytes begin and end; -1 where there is none. */
  readonly idStart: number;
  readonly idEnd: number;
  /** The message has a top-level `error`. */
  readonly hasError: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** Longer strings are searched by the runtime, shorter ones byte by byte: a call costs more than they do. */
const SHORT_STRING = 48;

const INVALID: Peek = { kind: 'invalid', method: '', idStart: -1, idEnd: -1, hasError: false };
const BATCH: Peek = { ...INVALID, kind: 'batch' };

/** Looks at the outside of a message. Total: bytes that are no message are `invalid`. */
export function peek(bytes: Buffer): Peek {
  let at = skipSpace(bytes, 0);
  if (bytes[at] === OPEN_ARRAY) return endsWith(bytes, CLOSE_ARRAY) ? BATCH : INVALID;
  if (bytes[at] !== OPEN_OBJECT) return INVALID;
  at = skipSpace(bytes, at + 1);
  let method = '';
  let idStart = -1;
  let idEnd = -1;
  let hasResult = false;
  let hasError = false;
  let hasMethod = false;
  for (let first = true; bytes[at] !== CLOSE_OBJECT; first = false) {
    if (!first) {
      if (bytes[at] !== COMMA) return INVALID;
      at = skipSpace(bytes, at + 1);
    }
    if (bytes[at] !== QUOTE) return INVALID;
    const keyEnd = skipString(bytes, at);
    if (keyEnd < 0) return INVALID;
    const key = at;
    at = skipSpace(bytes, keyEnd);
    if (bytes[at] !== COLON) return INVALID;
    const start = skipSpace(bytes, at + 1);
    const end = skipValue(bytes, start);
    if (end < 0) return INVALID;
    if (isKey(bytes, key, keyEnd, 'id')) {
      idStart = start;
      idEnd = end;
    } else if (isKey(bytes, key, keyEnd, 'method')) {
      if (bytes[start] !== QUOTE) return INVALID;
      hasMethod = true;
      method = stringAt(bytes, start, end);
    } else if (isKey(bytes, key, keyEnd, 'result')) hasResult = true;
    else if (isKey(bytes, key, keyEnd, 'error')) hasError = true;
    at = skipSpace(bytes, end);
  }
  if (skipSpace(bytes, at + 1) !== bytes.length) return INVALID;
  const kind = kindOf(bytes, idStart, hasMethod, hasResult || hasError);
  return kind === 'invalid' ? INVALID : { kind, method, idStart, idEnd, hasError };
}

function kindOf(bytes: Buffer, idStart: number, hasMethod: boolean, isAnswer: boolean): MessageKind {
  if (!hasMethod) return isAnswer ? 'response' : 'invalid';
  if (idStart < 0) return 'notification';
  const first = bytes[idStart] ?? 0;
  // A request id is a string or a number; `null` was never allowed by MCP.
  return first === QUOTE || first === 0x2d || (first >= 0x30 && first <= 0x39) ? 'request' : 'invalid';
}

/** The id of a message, decoded; `undefined` when it has none or one that MCP does not allow. */
export function idOf(bytes: Buffer, seen: Peek): string | number | undefined {
  if (seen.idStart < 0) return undefined;
  const id = parse(bytes.subarray(seen.idStart, seen.idEnd));
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** The same message with other bytes for its id. */
export function withId(bytes: Buffer, seen: Peek, id: Buffer): Buffer {
  if (seen.idStart < 0) return bytes;
  const size = bytes.length - (seen.idEnd - seen.idStart) + id.length;
  const out = Buffer.allocUnsafe(size);
  bytes.copy(out, 0, 0, seen.idStart);
  id.copy(out, seen.idStart);
  bytes.copy(out, seen.idStart + id.length, seen.idEnd);
  return out;
}

/** The bytes as JSON; `undefined` when they are none. */
export function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined; // the caller decides what broken bytes mean
  }
}

/** A JSON value as bytes. */
export function encode(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value), 'utf8');
}

function isKey(bytes: Buffer, start: number, end: number, key: string): boolean {
  if (end - start !== key.length + 2) return false;
  for (let i = 0; i < key.length; i++) if (bytes[start + 1 + i] !== key.charCodeAt(i)) return false;
  return true;
}

function stringAt(bytes: Buffer, start: number, end: number): string {
  const raw = bytes.toString('latin1', start + 1, end - 1);
  if (!/[\\\x80-\xff]/.test(raw)) return raw;
  const decoded = parse(bytes.subarray(start, end));
  return typeof decoded === 'string' ? decoded : raw;
}

function endsWith(bytes: Buffer, byte: number): boolean {
  let at = bytes.length - 1;
  while (at >= 0 && isSpace(bytes[at] ?? 0)) at--;
  return bytes[at] === byte;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at] ?? 0)) at++;
  return at;
}

/** The position after the string that begins here; -1 when it does not end. */
function skipString(bytes: Buffer, from: number): number {
  const near = Math.min(bytes.length, from + SHORT_STRING);
  let at = from + 1;
  while (at < near) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  for (let quote = bytes.indexOf(QUOTE, at); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let slashes = 0;
    while (quote - 1 - slashes >= at && bytes[quote - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return -1;
}

/** The position after the value that begins here; -1 when it does not end. Iterative: nesting costs no stack. */
function skipValue(bytes: Buffer, from: number): number {
  const first = bytes[from];
  if (first === QUOTE) return skipString(bytes, from);
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return skipScalar(bytes, from);
  let depth = 0;
  for (let at = from; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = skipString(bytes, at);
      if (at < 0) return -1;
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth--;
      if (depth === 0) return at + 1;
    }
    at++;
  }
  return -1;
}

function skipScalar(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || isSpace(byte)) break;
    at++;
  }
  return at === from ? -1 : at;
}
