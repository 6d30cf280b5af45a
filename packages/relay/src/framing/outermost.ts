/** The outermost members of bytes that may be no JSON, as far as they can be followed. It may be wrong about bytes that are meant to mislead. */
import { isKey, type Range } from './members.ts';
import {
  BACKSLASH,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  NOT_JSON,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
  skipString,
} from './scan.ts';

const CLOSE_ARRAY = 0x5d;

/** Comes past the outermost keys, and says where each begins and ends, and where its value begins. True: all that was opened was closed. */
export function eachOutermost(
  bytes: Buffer,
  visit: (keyStart: number, keyEnd: number, valueStart: number) => void,
): boolean {
  let at = skipSpace(bytes, hasMark(bytes) ? MARK.length : 0);
  if (bytes[at] !== OPEN_OBJECT) return false;
  let depth = 0;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = skipLoosely(bytes, at);
      const colon = skipSpace(bytes, end);
      if (depth === 1 && bytes[colon] === COLON) visit(at, end, skipSpace(bytes, colon + 1));
      at = end;
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
    at++;
  }
  return depth === 0;
}

/**
 * Where the id of a request stands that nobody can read otherwise: the only one of a message that was not cut off, a string or an
 * integer that can be given back as it came. What may be an answer has none: under its id, the client that sent it may wait for something else.
 */
export function plainIdIn(bytes: Buffer): Range | undefined {
  const ids: (Range | undefined)[] = [];
  let isRequest = false;
  let isAnswer = false;
  const isWhole = eachOutermost(bytes, (keyStart, keyEnd, value) => {
    const isNamed = (name: string): boolean => isPlainKey(bytes, keyStart, keyEnd, name);
    if (isNamed('id')) ids.push(idAt(bytes, value));
    isRequest ||= isNamed('method');
    isAnswer ||= isNamed('result') || isNamed('error');
  });
  return isWhole && ids.length === 1 && (isRequest || !isAnswer) ? ids[0] : undefined;
}

/** Longer keys than the longest one that is looked for can be written are none of them. */
const LONGEST_KEY = 64;

function isPlainKey(bytes: Buffer, start: number, end: number, name: string): boolean {
  return end - start <= LONGEST_KEY && skipString(bytes, start) === end && isKey(bytes, start, end, name);
}

const LONGEST_ID = 64 * 1024;
const INTEGER = /^-?(?:0|[1-9]\d{0,15})(?=[\s,}])/;

function idAt(bytes: Buffer, start: number): Range | undefined {
  const isText = bytes[start] === QUOTE;
  const integer = isText ? undefined : INTEGER.exec(bytes.toString('latin1', start, start + 20))?.[0];
  if (!isText && (integer === undefined || !Number.isSafeInteger(Number(integer)))) return undefined;
  const end = isText ? skipString(bytes, start) : start + (integer?.length ?? 0);
  const next = end === NOT_JSON ? undefined : bytes[skipSpace(bytes, end)];
  const isWhole = (next === COMMA || next === CLOSE_OBJECT) && end - start <= LONGEST_ID;
  return isWhole ? { start, end } : undefined;
}

const MARK = Buffer.from('\uFEFF');

function hasMark(bytes: Buffer): boolean {
  return bytes.subarray(0, MARK.length).equals(MARK);
}

/** The position after a string, whatever it holds; the end of the bytes when it does not end. */
function skipLoosely(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}
