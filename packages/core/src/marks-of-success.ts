/** Members that say that nothing is wrong: beside words of a limit, the limit is about something else. */
import { isRecord } from './json.ts';
import { wordsOf } from './plain-words.ts';

const MAX_DEPTH = 6;

/** Members that say what is wrong; nothing in them says that nothing is. */
const OF_FAILURE =
  /^(?:(?:is|has|was) )?(?:errs?|errors?|failed|failures?|failing|exceptions?|faults?|(?:rate )?limited|rate ?limit(?:ed)?|throttled|exceeded|limit exceeded|blocked|denied|rejected|refused|overloaded|busy)$/;

/** Members that hold its number: nought is none, and an empty one says nothing. */
const OF_NUMBER =
  /^(?:(?:err|error|ret|return|result|response|status|sub|biz|exit|fault) ?)?(?:code|no|number)$|^(?:errno|ret|rc)$/;

/** Members that say that somebody was let in. */
const OF_ADMISSION =
  /^(?:(?:is|was) )?(?:accepted|admitted|allowed|approved|executed|granted|handled|ok|passed|permitted|processed|served|success(?:ful)?|succeeded)$/;

const NOTHING = /^(?:|0+|false|nil|none|null|ok|success|undefined)$/i;
/** Said of an error, "no" may be all that a server has to say; of whether it was one, it answers the question. */
const NAMES_ERROR = /^(?:errs?|errors?|failures?|exceptions?|faults?)$/;
const NO = /^no?$/i;
const NOUGHT = /^(?:0+|ok|success)$/i;
const SO = /^(?:1|true|y|yes)$/i;

/** Does a member say that all is well, whatever the words beside it say? */
export function marksSuccess(value: unknown, depth: number = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  if (Array.isArray(value)) return value.slice(0, 100).some((item) => marksSuccess(item, depth - 1));
  return Object.entries(value).some(
    ([name, member]) => isMark(wordsOf(name).join(' '), member) || marksSuccess(member, depth - 1),
  );
}

function isMark(name: string, value: unknown): boolean {
  if (OF_FAILURE.test(name)) return isNothing(value) || (!NAMES_ERROR.test(name) && isNo(value));
  if (OF_NUMBER.test(name)) return isPlain(value) && NOUGHT.test(String(value));
  return OF_ADMISSION.test(name) && isPlain(value) && SO.test(String(value));
}

function isNothing(value: unknown): boolean {
  if (value === null || value === false) return true;
  if (isPlain(value)) return NOTHING.test(String(value).trim());
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

function isNo(value: unknown): boolean {
  return typeof value === 'string' && NO.test(value.trim());
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
