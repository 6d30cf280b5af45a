/**
 * Names of things in sentences about them. "Login page not found" is about a page, "Token USDC not found" about a coin,
 * and what they are called says nothing of the failure: the predicate does. What is missing itself ("API key not found")
 * is no name.
 */
import type { Kind } from '../kinds.ts';
import { CANCELLED, cancelledThings } from './cancelled.ts';
import { type Form, formOf, mayMatchOne } from './forms.ts';
import { namesEnvironment } from './looks.ts';
import { setOf } from './thing-words.ts';

/** A text without the names in it, and what its predicates say. */
export interface Predicate {
  /** The same length, with names blotted out. */
  readonly text: string;
  readonly kind: Kind | undefined;
}

/** Longer texts are dumps; their sentences are read as they are. */
const LONGEST = 1000;

/** The rest of a clause: a stop inside a name or a number ends nothing. */
const CLAUSE = String.raw`(?:[^.;:!?\n()]|[.:](?=\S)){1,120}`;
const ENDS = String.raw`(?=[.;:!?\n()]|$)`;
const START = String.raw`(?:^\W{0,6}|[.;:!?(]\s{1,4}|\n\s{0,4})`;

/** What is said of the subject before it. */
const SAID = /* @__PURE__ */ formOf(
  /(?:(?:not|n't|cannot) (?:be )?(?:found|exists?)|no longer exists?|been (?:deleted|removed)|(already exists?|exists already|overlaps?))\b/gi,
);
const BEGINS = /^.*(?:[.,;:!?(]\s|\n)\s{0,3}/s;
const FURTHEST = 120;

/** Without these nothing is looked for. */
const NAMED = /key|token|secret|passw|login|signature|credential|session/i;
const NOTHING = /\bfind\b|\blocate\b|\bunknown\b|\bno \w/i;

/** What is said of the subject after it. */
const ABSENT = /* @__PURE__ */ formOf(
  new RegExp(
    `(?:\\b(?:not|cannot|can't|couldn't|unable to|failed to) (?:find|locate)|${START}(?:error: )?(?:no such|(?<unknown>unknown))) (?<subject>${CLAUSE})${ENDS}`,
    'gi',
  ),
);

/** What should have been there, and how it was told apart. */
const NONE = /* @__PURE__ */ formOf(
  new RegExp(
    `(?<lead>${START}(?:error: )?(?:there (?:is|are) )?no )(?<subject>${CLAUSE}?)(?: (?:was |were )?(?:found|exists?)${ENDS}| (?:named|called|titled|with (?:the )?(?:id|name|title|subject|label|key|number)|where|whose|match(?:es|ing)?) (?<told>${CLAUSE}))`,
    'gi',
  ),
);

/** One word after a colon is what was asked for; more of them explain. */
const ASKED = /* @__PURE__ */ formOf(
  /^(?:error: )?(?:no such|unknown) (?!error|exception|reason|failure|status|problem|issue|response)[a-z][\w -]{1,40}: (\S{1,80}?)(?=[.!]?$)/gi,
);

const OF_NOTHING = [ABSENT, NONE, ASKED];

/** So it is after what it was given for: "Invalid event type: timeout". */
const GIVEN = /* @__PURE__ */ formOf(
  /^(?:error: )?(?:invalid|unsupported|unrecognized|illegal|unexpected|wrong) (?!(?:[\w-]+ )?(?:response|request|answer|reply|gateway|state|status|token|credentials?|api|json|server|error|argument|arguments|params|parameters?|input|configuration)\b)[a-z][\w -]{1,40}: (\S{1,80}?)(?=[.!]?$)/gi,
);

/** A part of the input, and its name. */
const FIELD = /* @__PURE__ */ formOf(
  /\b(?:field|param(?:eter)?|argument|property|option|column|attribute)s? (["'`]?[\w.$[\]-]{1,80}["'`]?)(?= (?:is|are|was|must|should|cannot|has|does|required|missing|not)\b)/gi,
);

/** A credential's word before another one that it only describes: an address of a token, the name of a secret. */
const DESCRIBED = /* @__PURE__ */ formOf(
  /\b(?:invalid|wrong|bad|unsupported|illegal) ((?:api key|access key|token|secret|password|login|signature|credentials?))(?= (?!(?:provided|supplied|specified|given|passed|sent|used|received|or|and|for|in|from|on|when|was|is|has|error|exception|failure|attempt|format|signature|issuer|audience|claims?|payload|header|type|response|request|detected|please|check|value|string|length|scopes?|expired|ids?|to|by|with)\b)[a-z]{3,})/gi,
);

const ANYTHING = [SAID, ...OF_NOTHING, GIVEN, FIELD, DESCRIBED, CANCELLED];

/** What a thing is told apart by: quoted, or not like a word. */
const NAME = /^["'`“].*["'`”]$|[\d_/@#.\\]|\w-\w|[a-z][A-Z]|^[A-Z]{2,}$/;
const QUALIFIES = setOf(
  'for of in on at from with by to under within via as or and is are was were has have could can cannot does do did that which',
);
const DETERMINES = setOf(
  'the a an this that your our any such requested given specified current active open valid default error mcp could cannot',
);

/** What is missing, or refused, itself: by these words the failure is known. */
const ITSELF =
  /(?:keys?|tokens?|secrets?|passwords?|credentials?|logins?|signatures?|jwts?|bearer|usernames?|oauth|certificates?|authority|permissions?|privileges?|access|variables?|envvars?|config\w*|settings?)$/i;
/** Whose names are looked for by kind: "Tool x not found". */
const KNOWN =
  /^(?:tools?|prompts?|resources?|sessions?|tasks?|methods?|modules?|packages?|commands?|executables?|binary|browsers?|chrom\w+|exports?|envvar|environment|env|capability|protocol|certificate|host(?:name)?s?|domain|dns|errors?|exception|failure|reason|problem|status|config\w*|credentials|json|response|arguments?|param\w*|match)$/i;
/** What else sounds like a failure. */
const LURES = /^(?:timeout|rate|limit|quota|billing|payment|deadline|connection|network|server|service)$/i;
/** Things that have names. */
const THING =
  /^(?:tables?|columns?|fields?|files?|folders?|branch|tags?|templates?|workflows?|pages?|documents?|issues?|tickets?|labels?|topics?|channels?|queues?|collections?|views?|projects?|repository|notes?|rules?|policy|secret|group)$/i;
/** Somebody tells what happened; the subject begins after it. */
const TELLS = setOf('failed because but when while since error request requests response server api');

type Blot = readonly [from: number, to: number];

/** What the sentences of a text are about is blotted out; the same text when nothing is. */
export function predicateOf(text: string): Predicate {
  if (text.length > LONGEST || !mayMatchOne(ANYTHING, text)) return { text, kind: undefined };
  const blots: Blot[] = [];
  let kind: Kind | undefined;
  const learn = (names: readonly Blot[], says: Kind | undefined): void => {
    blots.push(...names);
    if (names.length > 0) kind ??= says;
  };
  each(SAID, text, ({ index, 1: conflict }) =>
    learn(namesBefore(text, index), conflict === undefined ? 'not_found' : 'conflict'),
  );
  const isOfNothing = mayMatchOne(OF_NOTHING, text) && NOTHING.test(text);
  if (isOfNothing)
    for (const form of [ABSENT, NONE]) each(form, text, (found) => learn(namesIn(found), 'not_found'));
  const last = (form: Form, says?: Kind): void => {
    each(form, text, ({ 0: all, 1: name = '', index }) =>
      learn([[index + all.length - name.length, index + all.length]], says),
    );
  };
  if (isOfNothing) last(ASKED);
  last(GIVEN);
  if ((FIELD.mayMatch(text) || DESCRIBED.mayMatch(text)) && NAMED.test(text)) {
    last(FIELD);
    last(DESCRIBED, 'invalid_arguments');
  }
  learn(cancelledThings(text), 'conflict');
  return { text: blots.reduce(blotted, text), kind };
}

/** Calls back for every match. `matchAll` would make a new expression each time, which costs more than the matching. */
function each(form: Form, text: string, visit: (found: RegExpExecArray) => void): void {
  if (!form.mayMatch(text)) return;
  const { expression } = form;
  expression.lastIndex = 0;
  for (let found = expression.exec(text); found !== null; found = expression.exec(text)) visit(found);
}

/** The names in the subject of a predicate. */
function namesBefore(text: string, at: number): readonly Blot[] {
  const before = text.slice(Math.max(0, at - FURTHEST), at);
  const subject = before.replace(BEGINS, '');
  return namesOf(wordsOf(subject, Math.max(0, at - FURTHEST) + before.length - subject.length));
}

function blotted(text: string, [from, to]: Blot): string {
  const name = text.slice(from, to);
  const blot = /\s/.test(name) ? name.replace(/\S/g, 'x') : 'x'.repeat(name.length);
  return text.slice(0, from) + blot + text.slice(to);
}

/** The names in what there is none of, and what it is told apart by. */
function namesIn({ 0: all, index, groups }: RegExpExecArray): readonly Blot[] {
  const { lead, subject = '', told, unknown } = groups ?? {};
  const end = index + all.length;
  const words = wordsOf(subject, lead === undefined ? end - subject.length : index + lead.length);
  const names = namesOf(words);
  // What is unknown is more often a value than a thing.
  const isLure =
    unknown === undefined ||
    words.some(({ said }) => KNOWN.test(said) || ITSELF.test(said) || LURES.test(said));
  return told === undefined ? (isLure ? names : []) : [...(isLure ? names : []), [end - told.length, end]];
}

interface Word {
  readonly said: string;
  readonly from: number;
}

const WORD = /"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”|[^\s,]+/g;

/** The words of a subject, without what leads up to it or qualifies it; a quotation is one. */
function wordsOf(subject: string, offset: number): readonly Word[] {
  let words: Word[] = [];
  WORD.lastIndex = 0;
  for (let found = WORD.exec(subject); found !== null; found = WORD.exec(subject)) {
    const { 0: said, index } = found;
    const small = said.toLowerCase();
    if (words.length > 0 && QUALIFIES.has(small)) break;
    if (TELLS.has(small)) words = [];
    else if (words.length > 0 || !DETERMINES.has(small)) words.push({ said, from: offset + index });
  }
  return words;
}

/** The names in a subject. */
function namesOf(words: readonly Word[]): readonly Blot[] {
  const from = words[0]?.from ?? 0;
  const to = nameEnd(words);
  return to > from ? [[from, to]] : [];
}

/** Where the names of a subject end; its head stays, unless that is a name too. */
function nameEnd(words: readonly Word[]): number {
  const last = words[words.length - 1];
  const before = words[words.length - 2];
  if (last === undefined || before === undefined || words.some(({ said }) => namesEnvironment(said)))
    return -1;
  const end = last.from + last.said.length;
  if (words.some(({ said }, at) => KNOWN.test(said) && isMeant(said, at, words))) return -1;
  if (/^(?:files?|path)$/i.test(last.said) && ITSELF.test(before.said)) return -1;
  const quoted = /^["'`“]/.test(last.said);
  if (ITSELF.test(last.said) && !quoted) return THING.test(before.said) && NAME.test(last.said) ? end : -1;
  return NAME.test(last.said) ? end : last.from;
}

/** A method of payment is none of an interface, nor is the group of a host a host. */
function isMeant(said: string, at: number, words: readonly Word[]): boolean {
  if (/^methods?$/i.test(said))
    return at === 0 || /^(?:rpc|json-rpc|mcp|api|http)$/i.test(words[at - 1]?.said ?? '');
  return (
    !/^(?:host|domain|config)/i.test(said) ||
    at === words.length - 1 ||
    /^(?:files?|path)$/i.test(words[at + 1]?.said ?? '') ||
    NAME.test(words[at + 1]?.said ?? '')
  );
}
