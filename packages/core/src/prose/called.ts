/**
 * One line that calls itself a failure, in the form that programs give it: by a label, a mark, the name of a program or
 * of an exception; and what looks like one and is an answer: a field of what was fetched, a line of a checker, a count.
 */

/** Where nothing but one line is said. */
const LINE = '[^\\n]{1,200}$';
/** Of these it is told that they failed when somebody asks. */
const TOLD_OF =
  '(?:backups?|builds?|checks?|deliver(?:y|ies)|deploy\\w*|imports?|jobs?|logins?|migrations?|payments?|pipelines?|runs?|specs?|stages?|steps?|suites?|tasks?|tests?|transactions?|workflows?)';
/** These errors are somebody else’s, or of another time. */
const OTHERS =
  '(?:clear(?:ed)?|common|console|example|expected|first|first-order|known|last|latest|logged|medium|no|page|previous|recent|rounding|sample|standard|test|top|typical|unresolved)';

/** What an error is numbered or named by. */
const CODED = '(?: (?:code )?(?:[[(<][\\w.-]{1,60}[\\])>]|[a-z]\\w{0,40}(?:_\\w{1,40}|\\d)))';

const CALLED = [
  // A label.
  `^\\W{0,6}(?:error|failure|fatal|exception)(?: (?:occurred|raised)|${CODED})?\\*{0,2}(?:: ?| - )\\*{0,2} ?\\S${LINE}`,
  '^\\W{0,6}error[:.!]?\\W{0,3}$',
  `^\\W{0,6}(?!(?:\\w+ )?${OTHERS} )(?:[\\w.-]{1,30} ){1,3}error: \\S${LINE}`,
  `^\\W{0,6}(?!(?:\\w+ )?${OTHERS} )(?:[\\w.-]{1,30} ){0,2}error at (?:position|line|offset|column) \\d${LINE.replace('1,', '0,')}`,
  `^\\W{0,6}(?!(?:\\w+ ){0,2}${TOLD_OF} )(?:[a-z]{2,20} ){1,3}failed: \\S${LINE}`,
  `^\\W{0,6}failed to [a-z]${LINE}`,
  // What is set in signs.
  `^\\(error\\) \\S${LINE}`,
  '^<(?:\\w{1,20}_)?error>[^\\n<]{1,200}</',
  // The name of a program, and what it complains of.
  `^(?!\\S{1,80}\\.\\w{1,5}[:(])[a-z][\\w-]{1,30}: (?:fatal error|error|fatal|cannot|failed to|unable to): ?\\S${LINE}`,
  `^(?!\\S{1,80}\\.\\w{1,5}[:(])[a-z][\\w-]{1,30}: error response from ${LINE}`,
  `^[a-z][\\w-]{1,30}: ["'\`][^"'\`\\n]{1,60}["'\`] is not an? [^\\n]{1,60}`,
  // The name of an exception.
  `^(?:[a-z][\\w.]{0,80})?(?:Error|Exception): \\S${LINE}`,
  "^thread '[^'\\n]{1,60}' (?:\\(\\d{1,9}\\) )?panicked at\\b",
  '^panic: \\S',
  '^segmentation fault\\b[^\\n]{0,40}$',
  '^out of memory[.!]?$',
  '^(?:net::)?ERR_[A-Z_]{4,60}$',
  '^near "[^"\\n]{1,80}": syntax error',
  '^syntax error (?:at|near)\\b[^\\n]{1,200}$',
  // Gently.
  '^(?:unfortunately|sorry|oops)\\b[^\\w\\n]{1,4}(?:but )?(?:the|your|this) (?:call|command|operation|query|request|search|tool call) failed[.!]?$',
].map((form) => new RegExp(form, 'i'));

/** The mark of a failure before a sentence; before a name it is a check that did not pass. */
const MARKED = /^\s{0,4}(?:❌|✗|✘|🚫|⛔|🔴|❗)\W{0,4}(?=\S[^\n]{1,200}$)/u;
const LABEL = /^\W{0,6}error\b/i;
const COULD_NOT =
  /\b(?:could not|couldn't|cannot|can't|unable to|failed|not found|denied|invalid|no \w[\w ]{1,30} (?:found|exists?))\b/i;
const OF_CHECK = new RegExp(
  `\\b(?:assert\\w*|lint\\w*|passed|of \\d|\\d ms|${TOLD_OF.slice(3, -1)})\\b`,
  'i',
);

/** Does a line call itself a failure? */
export function callsItself(text: string): boolean {
  if (MARKED.test(text) && !LABEL.test(text)) return COULD_NOT.test(text) && !OF_CHECK.test(text);
  return CALLED.some((form) => form.test(text));
}

const ANSWERS = [
  // A field of what was fetched, and what stands in it.
  '^(?:page )?(?:author|caption|comment|description|headline|label|name|note|quote|subject|summary|title|topic|translation)\\s?: \\S',
  // Columns.
  '^\\S{1,60}(?: \\S{1,40}){0,3}(?:\\t| {2,8})\\S{1,60}(?: \\S{1,40}){0,3}(?:\\t| {2,8})\\S',
  // A compiler, and where it found that.
  '^(?:error|warning)(?:\\[\\w{1,20}\\])?: [^\\n]{1,200}\\n\\s{0,8}-->',
  // How often, and to how many.
  '\\b\\d[\\d,]{0,12} (?:events?|occurrences?|users?)\\b[^\\n]{0,80}$',
  // What is counted, and there is none.
  '^(?:invalid|missing|unknown|expired|failed|unsupported|broken|unresolved) [\\w -]{1,40}: (?:none|nothing|n/a|-|\\[\\])\\s{0,4}$',
  // What a browser wrote into its console, and what is done instead.
  '\\bfailed to load resource: the server responded\\b',
  '^[^\\n]{1,100}[:;,.–-] (?:continuing|creating|falling back|ignoring|proceeding|skipping|using)\\b',
  // An issue with its number.
  '^#\\d{1,9}[: ]',
  // Works of art.
  '\\((?:album|band|book|ep|film|game|novel|song|tv series|\\d{4} film)\\)\\s{0,4}$',
  '^(?:error|status)(?: code)? \\d{3} (?:indicates|is an?|means)\\b',
  '^(?:error|exception|failure) (?:analysis|bars?|boundar(?:y|ies)|classes|correction|detection|distribution|guide|hierarchy|levels?|logs?|margins?|modes|names|patterns?|prevention|rates?|statistics|summary|thresholds?|tolerance|tracking|trends?)\\b',
].map((form) => new RegExp(form, 'i'));

/** Is it an answer, whatever its words say? */
export function looksLikeAnswer(text: string): boolean {
  return ANSWERS.some((form) => form.test(text));
}
