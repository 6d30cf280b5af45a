/** What cannot be told from what a call was given: "Could not extract fileId from URL". It is the caller's to give otherwise. */
import { formOf } from './forms.ts';

/** What a call is given, whatever is to be read out of it. */
const GIVEN = '(?:arguments?|extension|file ?names?|inputs?|params?|parameters?|query)';
/** What it may be given; what stands behind an address is fetched. */
const ADDRESS = '(?:address|link|name|path|reference|string|text|ur[il]|value)s?';
/** What things are told apart by. */
const IDENTIFIES =
  '(?:[\\w/-]{1,30} ){0,5}?(?:[a-z]\\w{0,30}(?:I[Dd]|Key|Name|_id|_key|_name)|[\\w/]{0,30}\\b(?:codes?|date|hash|identifiers?|ids?|keys?|language|names?|numbers?|owner|repo(?:sitory)?|slugs?|type|usernames?))';
const WHICH = '(?:[\\w-]{1,30} ){0,4}?';
/** Something that is to be read out of what was given. */
const DRAWN = /* @__PURE__ */ formOf(
  new RegExp(
    `\\b(?:could not|couldn['’]t|cannot|can['’]t|can not|unable to|failed to) (?:(?:deduce|derive|determine|detect|extract|guess|identify|infer|parse) [^\\n.:;]{1,80} (?:from|in|out of|by) ${WHICH}${GIVEN}|(?:deduce|derive|determine|detect|extract|get|guess|identify|infer|obtain|parse|read|resolve) ${IDENTIFIES} (?:from|in|out of) ${WHICH}${ADDRESS})(?=[.!"']{0,3}(?:\\s{0,4}$|\\n)|:? ?["'\`(]|: ?(?:https?:|\\S*/))`,
    'i',
  ),
);

/** Could something not be told from what was given? */
export function isUntoldByInput(text: string): boolean {
  return DRAWN.test(text);
}
