/**
 * The cheap questions that decide whether an answer is opened at all. They may say yes to a success (then the
 * answer is parsed once and passed on as it came); they never say no to a failure.
 */
import type { Language } from '@mayday/core';
import { type Dialect, failureMarks, look, type Wire } from '@mayday/core/dialects';
import type { Clean } from './clean-end.ts';
import { withFewTexts } from './few-texts.ts';
import { decode, isMembers, type Members } from './json.ts';
import { eachMember, isKey } from './members.ts';
import { skipSpace } from './scan.ts';

const IS_ERROR: Buffer = Buffer.from('"isError"');
const ERROR: Buffer = Buffer.from('"error"');
/** Looked for with more care than by their letters. */
const COMMON: readonly string[] = ['"isError"', '"error"'];
const ESCAPE: Buffer = Buffer.from('\\u00');

/** Finds the failures among answers. */
export interface FailureFinder {
  /** Could these bytes hold a failing answer? */
  mayHaveFailed(bytes: Buffer): boolean;
  /** Is this parsed message a failing answer? */
  hasFailed(message: unknown): boolean;
  /** The failing answer in these bytes, parsed; `undefined` when they are a success. */
  failureIn(bytes: Buffer): Members | undefined;
}

/** Smaller answers are parsed as fast as they are looked through. */
const LARGE = 64 * 1024;

/** A text of this length is made sooner than its bytes are searched several times. */
const SMALL = 4096;

/** These bytes as a text of one letter each, for a pattern. */
function asPattern(word: Buffer): string {
  return word.toString('latin1').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * What all answers have in common is known here; what else is a failure, the dialects of the language say. Where a failing
 * answer is cut, `clean` takes out what must not be told by half.
 */
export function createFailureFinder(language: Language, clean?: Clean): FailureFinder {
  const hiding = language.dialects.filter(({ fails }) => fails !== undefined);
  const marks = failureMarks(hiding)
    .filter((mark) => !COMMON.includes(mark))
    .map((mark) => Buffer.from(mark));
  // One without marks can be anywhere.
  const isAnywhere = hiding.some((dialect) => dialect.failureMarks === undefined);
  const isMarked = (bytes: Buffer): boolean => isAnywhere || marks.some((mark) => bytes.includes(mark));
  const anyWord = new RegExp([IS_ERROR, ERROR, ESCAPE, ...marks].map(asPattern).join('|'));
  /** One look for all words: most answers have none of them. */
  const hasNoWord = (bytes: Buffer): boolean =>
    !isAnywhere && bytes.length <= SMALL && !anyWord.test(bytes.toString('latin1'));
  const finder: FailureFinder = {
    mayHaveFailed: (bytes) =>
      !hasNoWord(bytes) &&
      (bytes.includes(ERROR) || saysIsError(bytes) || hidesLetters(bytes) || isMarked(bytes)),
    hasFailed: (message) => saysFailure(message) || hidesFailure(message, hiding),
    failureIn(bytes) {
      if (!finder.mayHaveFailed(bytes)) return undefined;
      if (bytes.length >= LARGE && !isMarked(bytes) && !hasPlaceForFailure(bytes)) return undefined;
      const message = decode(bytes);
      return finder.hasFailed(message)
        ? withFewTexts(message as Members, bytes.length, { clean })
        : undefined;
    },
  };
  return finder;
}

/** Would a dialect call this answer a failure, though nothing that all have in common says so? */
function hidesFailure(message: unknown, hiding: readonly Dialect[]): boolean {
  if (hiding.length === 0 || !isMembers(message) || !isMembers(message['result'])) return false;
  if (typeof message['method'] === 'string') return false;
  const wire = look(message);
  return hiding.some((dialect) => saysFails(dialect, wire));
}

/** One that throws has nothing to say: it makes no failure of another's success. */
function saysFails(dialect: Dialect, wire: Wire): boolean {
  try {
    return dialect.fails?.(wire) === true;
  } catch {
    return false;
  }
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
const PLACES: readonly string[] = ['isError', 'error'];

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
 * Does a parsed message say in the protocol's own places that it is a failing answer? Whatever is said in the place of an error is one, also where it is not
 * what the protocol wants there. `input_required` is not: it is the protocol asking a question, and whoever
 * rewrites it breaks the conversation.
 */
function saysFailure(message: unknown): boolean {
  if (!isMembers(message) || typeof message['method'] === 'string') return false;
  if (says(message['error'])) return true;
  if (!('result' in message)) return true;
  const result = message['result'];
  if (!isMembers(result)) return false;
  return isTrue(result['isError']) || (isFailure(result) && !isTask(result));
}

/** An error with a number; any other one is data, as in `{"valid": false, "error": "…"}`, unless it is all that there is. */
function isFailure({ error, ...rest }: Members): boolean {
  if (!says(error)) return false;
  return (isMembers(error) && Number.isInteger(error['code'])) || Object.keys(rest).every(saysNothing);
}

/** Members that stand beside whatever a result says. */
function saysNothing(member: string): boolean {
  return member === '_meta' || member === 'isError' || member === 'resultType';
}

/** A task that failed has its error in it: whoever asks for a task is told of it, and that is no failure. */
function isTask({ taskId, status, content }: Members): boolean {
  return typeof taskId === 'string' && TASK_STATUS.has(status) && content === undefined;
}

const TASK_STATUS: ReadonlySet<unknown> = new Set([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);

function says(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0;
}

/** Some languages write their truths as text or as a number. */
function isTrue(value: unknown): boolean {
  return says(value) && !(typeof value === 'string' && /^\s*(?:false|no|off|0)?\s*$/i.test(value));
}
