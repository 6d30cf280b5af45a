/**
 * The cheap questions that decide whether an answer is opened at all. They may say yes to a success (then the
 * answer is parsed once and passed on as it came); they never say no to a failure.
 */
import { TOOL_FAILURE_KEY } from '../protocol/meta-keys.ts';
import { isMembers } from './json.ts';
import { eachMember, isKey } from './members.ts';
import { skipSpace } from './scan.ts';

const IS_ERROR: Buffer = Buffer.from('"isError"');
const ERROR: Buffer = Buffer.from('"error"');
const TOOL_FAILURE: Buffer = Buffer.from('toolFailure');
const ESCAPE: Buffer = Buffer.from('\\u00');

/** Could these bytes hold a failing answer? */
export function mayHaveFailed(bytes: Buffer): boolean {
  return bytes.includes(ERROR) || saysIsError(bytes) || bytes.includes(TOOL_FAILURE) || hidesLetters(bytes);
}

/**
 * Does an answer have a member where a failure would stand? Most of what mentions errors only talks about them, and a
 * large one would hold everybody up while it is parsed.
 */
export function hasPlaceForFailure(bytes: Buffer): boolean {
  let result = -1;
  let hasError = false;
  eachMember(bytes, skipSpace(bytes, 0), (keyStart, keyEnd, start) => {
    if (isKey(bytes, keyStart, keyEnd, 'error')) hasError = true;
    else if (isKey(bytes, keyStart, keyEnd, 'result')) result = start;
  });
  if (hasError || result < 0) return true;
  let found = false;
  eachMember(bytes, result, (keyStart, keyEnd) => {
    found ||= PLACES.some((key) => isKey(bytes, keyStart, keyEnd, key));
  });
  return found;
}

/** Members of a result that can say that it is a failure. */
const PLACES: readonly string[] = ['isError', 'error', '_meta'];

/** Servers that write `"isError":false` into every success are common: that one is answered here. */
function saysIsError(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(IS_ERROR); at >= 0; at = bytes.indexOf(IS_ERROR, at + IS_ERROR.length)) {
    let next = at + IS_ERROR.length;
    while (bytes[next] === 0x3a || bytes[next] === 0x20) next++;
    if (bytes[next] !== 0x66) return true;
  }
  return false;
}

/** Nobody has to escape a letter: who does may be spelling `isErr\u006fr`. */
function hidesLetters(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(ESCAPE); at >= 0; at = bytes.indexOf(ESCAPE, at + ESCAPE.length)) {
    const code = Number.parseInt(bytes.toString('latin1', at + 4, at + 6), 16) & ~0x20;
    if (code >= 0x41 && code <= 0x5a) return true;
  }
  return false;
}

/**
 * Is this parsed message a failing answer? Whatever is said in the place of an error is one, also where it is not
 * what the protocol wants there. `input_required` is not: it is the protocol asking a question, and whoever
 * rewrites it breaks the conversation.
 */
export function hasFailed(message: unknown): boolean {
  if (!isMembers(message) || typeof message['method'] === 'string') return false;
  if (says(message['error'])) return true;
  if (!('result' in message)) return true;
  const result = message['result'];
  if (!isMembers(result)) return false;
  if (isTrue(result['isError']) || says(result['error'])) return true;
  const meta = result['_meta'];
  return isMembers(meta) && meta[TOOL_FAILURE_KEY] !== undefined;
}

function says(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0;
}

/** Some languages write their truths as text or as a number. */
function isTrue(value: unknown): boolean {
  return says(value) && !(typeof value === 'string' && /^\s*(?:false|no|off|0)?\s*$/i.test(value));
}
