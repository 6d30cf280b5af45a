/**
 * Answers that cannot be used: text of a backend that is no JSON, and JSON of another shape than the program wanted.
 * Whoever called has done nothing wrong, and the same call meets the same answer again. JSON that the caller wrote is
 * the caller's.
 */
import { formOf, matchesOne } from './forms.ts';
import type { Look } from './looks.ts';

const MARKUP = /token '?<|character '?<|<!doctype|<html/i;
const ANSWER = /\bresponse|\bend of JSON|\bend of data|\bfrom (?:the )?(?:api|server|upstream)|\bbody\b/i;
/** Nobody writes half of a document: it was cut off on its way. */
const CUT_OFF = /\bunterminated string|\bunexpected end\b/i;
/** Plainly the caller's: a part of the call that is named, or what was given. */
const GIVEN =
  /\b(?:arguments?|parameters?|params?) ["'`]|\b(?:json|input|value|string) (?:provided|supplied|given)\b|\b(?:your|provided|supplied|given) (?:json|input)\b|\brequest(?:'s)? (?:body|payload)\b/i;
/** What else a text calls the caller's own words. */
const INPUT =
  /\b(?:inputs?|arguments?|parameters?|params?|(?<!struct )fields?|options?|your|provided|supplied|parsing (?!(?:an? )?(?:value|object|list|string)\b)|invalid json (?:in|for)|(?:invalid|malformed|bad) (?!json|(?:[\w-]+ ){0,2}(?:response|reply|answer|result|json)|token|character|control|escape|unicode|number|start)[a-z]\w*:)|\b(?:must|should|needs to|has to) be\b|\bstruct field \w{0,40}(?:args|arguments|input|options|params|request)\b/i;

/** Text that is not JSON: an answer from upstream that will come again, or something the caller wrote. */
export function lookAtJson(text: string): Look {
  if (MARKUP.test(text)) return { kind: 'upstream_failed', weight: 94, never: true };
  if (GIVEN.test(text)) return { kind: 'invalid_arguments', weight: 90 };
  if (ANSWER.test(text)) return { kind: 'upstream_failed', weight: 86, never: true };
  if (INPUT.test(text)) return { kind: 'invalid_arguments', weight: 78 };
  if (CUT_OFF.test(text)) return { kind: 'upstream_failed', weight: 80, never: true };
  return { kind: 'invalid_arguments', weight: 62 };
}

/** What parsers say, each in its own words. A word in quotes, whole and alone, is rather what somebody typed. */
const UNPARSED = [
  // V8, JavaScriptCore, SpiderMonkey
  /\b(?:in|after) JSON at (?:position|line) \d|\bin JSON$|\bend of JSON input\b|"(?:\[object \w{1,40}\]|undefined|NaN|null)" is not valid JSON/i,
  /\bunexpected token .{1,12}, (?:\.\.\.|"[{[<\s]|"[^"\n]{0,40}"\.\.\.).{0,80} is not valid JSON/i,
  /\bJSON\.parse: |\bJSON Parse error: /,
  // Python, Ruby
  /\bJSONDecodeError\b|\bJSON::ParserError\b|\b(?:expecting (?:value|property name\b.{0,40}|'.' delimiter)|extra data|unterminated string starting at|invalid (?:control character(?: at)?|\\escape)): line \d/i,
  // Go, Rust
  /\binvalid character .{1,8} (?:looking for beginning of|after (?:object key|array element|top-level value)|in (?:string|literal|numeric))|\b(?:expected (?:value|ident|`.{1,12})|EOF while parsing (?:a|an) \w{1,10}|key must be a string|trailing (?:characters|comma)|control character .{0,60}) at line \d{1,9} column \d/i,
  /\bcannot unmarshal \w{1,12} into Go (?:value|struct field)/,
  // Java, .NET
  /\bJson(?:Parse|Syntax|Mapping|Reader|EOF)?Exception\b|\bMalformedJsonException\b|\bexpected BEGIN_(?:OBJECT|ARRAY) but was\b|\binvalid start of a (?:value|property name)\b|\bthe JSON value could not be converted\b|\bwhile parsing value: .{1,12} Path '/i,
].map(formOf);
/** What is not about JSON is no parser's. */
const OF_JSON = /json|unmarshal|line \d|looking for|character|BEGIN_|start of a/i;

/** What parsers of markup say: sax, fast-xml-parser, libxml2, expat, Go, Java, .NET, readers of feeds. */
const UNPARSED_MARKUP = [
  /\bnon-whitespace before first tag\b|\btext data outside of root node\b|\bunclosed root tag\b|\bunexpected close tag\b|\battribute without value\b|\bunquoted attribute value\b|\binvalid character in (?:entity|tag) name\b|\bclosing tag '[^'\n]{1,80}' (?:is expected inplace of|doesn't have|can't have)/i,
  /\bstart tag expected, '<' not found\b|\bopening and ending tag mismatch\b|\b(?:premature end of data in tag|extra content at the end of the document)\b|\b(?:not well-formed \(invalid token\)|no element found|mismatched tag|junk after document element|unclosed token): line \d{1,9}, column \d/i,
  /\bXML syntax error on line \d|\bcontent is not allowed in (?:prolog|trailing section)\b|\bdata at the root level is invalid\b|\broot element is missing\b|\bfeed not recognized as (?:RSS|Atom)\b|\bnot a valid (?:RSS|Atom|XML) (?:feed|document)\b/i,
].map(formOf);

/** What parsers of tables and of YAML say. */
const UNPARSED_DATA = [
  /\binvalid record length: |\bquote not closed: |\binvalid (?:opening|closing) quote: |\berror tokenizing data\b|\brecord on line \d{1,9}: |\bparse error on line \d{1,9}, column \d{1,9}: |\bbare " in non-quoted|\btoo (?:few|many) fields: expected \d/i,
  /\bbad indentation of a mapping|\bmapping values are not allowed\b|\byaml: (?:line \d{1,9}: |unmarshal errors)|\b(?:could|did) not find expected (?:key|node content|['‘][:,}\]-])|\bfound character .{1,12} that cannot start any token\b|\bend of the stream or a document separator is expected\b/i,
].map(formOf);
/** People write such data themselves: it came from a backend where something was to be fetched, and no file of theirs. */
const FETCHED =
  /\b(?:failed|failure|unable|could not|couldn't|cannot|can't|error)(?: to)? (?:download|fetch|get|list|load|quer|retriev|sync)\w{0,4}\b(?![^\n:]{0,80}\b(?:config\w*|file|manifest|settings|template|workflow|your)\b)[^\n:]{0,80}: /i;

function saysUnparsedData(text: string): boolean {
  return matchesOne(UNPARSED_DATA, text) && FETCHED.test(text) && !GIVEN.test(text);
}

function saysUnparsed(text: string): boolean {
  return matchesOne(UNPARSED, text) && OF_JSON.test(text);
}

/** Who answers. */
const BACKEND =
  '(?:(?:[\\w.-]{1,40} )?(?:api|server|upstream|backend|service|provider|endpoint|remote|host|gateway)|https?://\\S{1,200})';
const SAID = '(?:response|reply|answer)';
const ODD =
  '(?:unexpected|invalid|malformed|unknown|unrecognized|unrecognised|wrong|incomplete|different|unparsable|unparseable|unsupported|bad)';
const FORM =
  '(?:shape|format|structure|type|types|data|schema|body|content|object|value|payload|results?|fields?)';

const FORMAT = '(?:body|content|csv|data|document|feed|html|json|payload|xml|ya?ml)';
const GARBAGE = '(?:garbage|gibberish|nonsense|rubbish)';
const BROKEN = `(?:${ODD}|broken|corrupt|corrupted|empty|garbled|truncated|unreadable)`;
/** Whose words they are, if not the backend's. */
const OWN =
  '(?!(?:(?:the|your|an?|this) )?(?:[\\w-]+ )?(?:agent|argument|caller|cell|client|clipboard|column|command|config|disk|editor|field|file|form|input|line|model|parameter|path|query|request|row|sheet|stdin|step|url|user)s?\\b|["\'`/])';
const CAME = '(?:from|received from|returned by|sent by)';

const MAY_HAVE = '(?:(?:may|might|could|must|probably|seems? to|appears? to) have )';

const MISSHAPEN = [
  `\\b(?:${SAID}|(?:upstream|backend|remote|api) (?:body|data|document|payload)) (?:could not|couldn't|cannot|can't) be (?:decoded|deseriali[sz]ed|parsed|read|understood)\\b`,
  `\\b(?:missing|unexpected|unknown|no (?:element|field|key|member|property)) (?:[\\w\`'"-]{1,30} ){1,3}in (?:the )?${SAID}\\b`,
  `\\b(?:${BROKEN} (?:${FORMAT}|${SAID})|${GARBAGE})(?: back| received)? ${CAME} ${OWN}`,
  `\\b${BROKEN} ${FORMAT} in (?:the |its )?(?:[\\w-]{1,30} )?${SAID}\\b`,
  `(?<!\\b(?:agent|caller|client|user|you) (?:has |have )?)\\b(?:sent|returned|gave|answered with|responded with|replied with|delivered)(?: back| us)? (?:an? |some |the )?(?:${BROKEN} (?:[\\w-]{1,30} )?${FORMAT}|${GARBAGE}|(?:html|xml|text|an? page) instead of)\\b`,
  `\\b(?:decod|deseriali[sz]|pars|read|unmarshal)\\w{0,6} (?:the )?${FORMAT} ${CAME} ${OWN}`,
  `\\b${SAID}(?: (?:body|data|payload|schema))? (?:validation|parsing|decoding|deserialization|deserialisation|mapping)(?: (?:has|was))? (?:failed|error|failure|unsuccessful)`,
  `\\b${SAID}(?: (?:body|data|payload|object))?(?: from ${BACKEND})? (?:(?:is|was|has|did|does|were|had)(?: not|n't)? )?(?:missing|lacks?|lacking|match|matched|conform|contain|contained|include|included|no|of (?:the )?wrong|in (?:the )?wrong)\\b(?! match)`,
  `\\b${ODD} (?:[\\w-]{1,30} ){0,2}(?:${SAID}|shape|payload)(?: (?:[\\w-]{1,30} )?(?:from|of|by) | ${FORM}\\b|: )`,
  `\\b${ODD} (?:[\\w-]{1,30} ){3,6}${SAID} ${FORM}\\b`,
  `\\b${SAID}(?: (?:body|data|payload|object))? (?:is|was) not (?:an? )?(?:array|list|map|number|object|string|valid (?!to\\b)\\w+)\\b`,
  `\\b${BACKEND} (?:has )?(?:returned|sent|answered with|responded with) (?:null|undefined)\\b`,
  `\\bno [\\w\`'"-]{1,30} (?:array|element|field|key|list|member|node|object|property) in (?:the )?(?:api |server )?${SAID}\\b`,
  `\\b${ODD} (?:api|backend|server|upstream) results?\\b`,
  // What a client of GraphQL says.
  '\\binvalid execution result: ',
  `\\b(?:the )?${BACKEND} (?:has )?(?:returned|sent|gave|answered with|responded with|replied with) (?:an? |some |the )?${ODD} ${FORM}\\b`,
  `\\b(?:failed|unable|could not|couldn't|cannot|can't|error|problem|exception)(?: to)?(?: while| when)? (?:decod|pars|deseriali[sz]|unmarshal|validat|interpret|understand|map)\\w{0,6} (?:the )?(?:[\\w.'-]{1,30} ){0,3}${SAID}\\b`,
  `\\bexpected (?:an? )?(?:[\\w-]{1,30} ){1,3}(?:in|from) (?:the )?(?:${SAID}\\b|${BACKEND}\\b)`,
  "\\bmismatch types '[^\\n]{0,200}' and '",
].map((form) => formOf(new RegExp(form, 'i')));
/** What is said of pages and answers that are others' and are no longer as they were: nothing can be found in them then. */
const RESHAPED = [
  `\\b(?:api|document|feed|html|markup|page|site|web ?page|website)(?:'s)? (?:structure|layout|format|html|markup|schema|response) (?:${MAY_HAVE}|(?:has|have) )changed\\b`,
  `\\b(?:structure|layout|format|html|markup|schema) of (?:the|its|this) (?:[\\w-]{1,30} )?(?:api|answer|document|feed|html|page|reply|response|site|web ?page|website) (?:${MAY_HAVE}|(?:has|have) )changed\\b`,
  `\\b(?:api|site|website|upstream) ${MAY_HAVE}changed\\b`,
  '\\b(?:layout|(?:html|page|site) structure|markup) changed\\b',
  `\\bselectors? (?:(?:is|are|may be|might be|seems?(?: to be)?) (?:outdated|stale|out of date)|need updating)\\b`,
].map((form) => formOf(new RegExp(form, 'i')));
/** What is not about an answer is about something else. */
const OF_ANSWERS =
  /respon|repl|answer|returned|\bfrom\b|delivered|\bsent\b|\bgave\b|expected|mismatch types|payload|shape|execution result/i;
/** Words about what was asked, not about what came. */
const OF_CALLS =
  /\b(?:arguments?|params?|parameters?|input|request(?! to (?:get|put|post|patch|delete|head) https?:)) (?:for|of|to|is|are|was|were|valid)\b/i;

/** An answer that came in a form that the program cannot use: how it is so, and nothing when the text says no such thing. */
export function unusableIn(text: string): 'unparsed' | 'ill-formed' | 'misshapen' | 'reshaped' | undefined {
  if (matchesOne(RESHAPED, text)) return 'reshaped';
  if (isMisshapen(text)) return 'misshapen';
  if (saysUnparsedData(text)) return 'ill-formed';
  if (matchesOne(UNPARSED_MARKUP, text) && !isOfCaller(text)) return 'ill-formed';
  return saysUnparsed(text) && !isOfCaller(text) ? 'unparsed' : undefined;
}

function isOfCaller(text: string): boolean {
  return !MARKUP.test(text) && (GIVEN.test(text) || (INPUT.test(text) && !ANSWER.test(text)));
}

function isMisshapen(text: string): boolean {
  return matchesOne(MISSHAPEN, text) && OF_ANSWERS.test(text) && !OF_CALLS.test(text);
}
