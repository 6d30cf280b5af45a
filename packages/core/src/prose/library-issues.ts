/** Fields as validators, command lines, databases and compilers of schemas name them, each in its own wording. */
import type { Issue } from '../fault.ts';
import { stepsOf } from '../issue-path.ts';
import { type Form, formsTogether } from './forms.ts';

const MOST = 64;

const WORD = '[A-Za-z_][\\w$.[\\]-]{0,60}';
/** `'limt'`, `"--colour"`, `:limt`, `--colour`: a word of the sentence is none. */
const MARKED = `(?:["'\`](?:--?|[:$])?${WORD}(?: <[^>\\n]{1,40}>)?["'\`]|(?:--?|:)${WORD})`;
const MARKED_ALL = `\\[?(?<names>${MARKED}(?:(?:, and |, or |, | and | or | )${MARKED}){0,7})`;
const PART =
  '(?:arguments?|args?|attributes?|fields?|flags?|keys?|keywords?|kwargs?|options?|param(?:eter)?s?|propert(?:y|ies))(?:\\(s\\))?';
const STEP = '(?:[/.][A-Za-z_$\\d][\\w$-]{0,60}|\\[\\d{1,6}\\])';
/** What a document is called from which a path begins. */
const ROOT = `(?:(?:data|instance|#)(?<path>${STEP}{0,12})|(?:request/)?(?:body|querystring|query|params|headers)?(?<pointer>(?:/[A-Za-z_$\\d][\\w$-]{0,60}){0,12}))`;
/** Two fields of which a sentence says the same. */
const CODE = '[a-z][a-z\\d]{0,30}(?:_[a-z\\d]{1,30}){1,6}|[a-z]{1,30}(?:[A-Z][a-z\\d]{0,30}){1,6}';
const EITHER = `["'\`]${WORD}["'\`]|(?:${CODE})`;

const wordingOf = /* @__PURE__ */ formsTogether();

/** Without `said`, which is what it complains of, a wording tells of a field that is left out. */
const wordings = (...sources: readonly string[]): readonly Form[] =>
  sources.map((source) => wordingOf(new RegExp(source, 'gi')));

const LEFT_OUT = /* @__PURE__ */ wordings(
  `\\bthe (?<words>[\\w.]{1,40}(?: [a-z]{2,20}){0,2}) field is (?:mandatory|missing|required)\\b`,
  `(?:^|[\\s:;,])${ROOT} (?:(?:(?:must|should) have|is missing) (?:required )?property|requires property) ["'\`]?(?<name>${WORD})`,
  `\\bparam is missing or the value is empty(?: or invalid)?: (?<name>\\w{1,60})`,
  `\\brequired (?:[\\w-]{1,20} ){1,3}["'\`](?<name>${WORD})["'\`] (?:for [^\\n.]{1,80} )?is not present\\b`,
  `\\bmissing (?:\\d{1,2} )?(?:required )?(?:[a-z-]{4,12} )?${PART}(?: in (?:the )?(?:body|input|params|payload|query|request))?:? ${MARKED_ALL}`,
  `\\binvalid key: expected ["'](?<name>${WORD})["'] but received undefined`,
  `\\brequired arguments were not provided:(?<usage>(?:\\n {1,8}[-<[][^\\n]{1,80}){1,8})`,
  `\\bthe following arguments are required: (?<usage>[^\\n]{1,200})`,
  `\\brequired option ["'\`](?:-\\w, )?(?<name>--[\\w-]{1,60})[^"'\`\\n]{0,40}["'\`] not specified`,
  `\\brequired flag\\(s\\) ${MARKED_ALL} not set`,
  `\\bnull value in column ["'\`](?<name>${WORD})["'\`]`,
  `\\bcolumn ["'\`](?<name>${WORD})["'\`] cannot be null`,
  `\\bnot null constraint failed: (?:\\w{1,60}\\.)?(?<name>\\w{1,60})`,
  `\\bfield ["'\`](?<name>${WORD})["'\`] doesn't have a default value`,
  `\\bnotnull violation: (?:\\w{1,60}\\.)?(?<name>\\w{1,60}) cannot be null`,
);

const WRONG = /* @__PURE__ */ wordings(
  `["'\`](?<name>${WORD})["'\`] (?:argument|attribute|field|option|parameter|property) (?<said>(?:cannot|has to|is|may not|must|should)\\b[^\\n;]{0,120})`,
  `\\b(?:argument|attribute|field|option|parameter|property) ["'\`]?(?<name>${WORD})["'\`]? (?<said>(?:is |was )?(?:not in (?:the )?allowed|not of type|out of range)\\b[^\\n;]{0,80})`,
  `\\bthe (?<words>[\\w.]{1,40}(?: [a-z]{2,20}){0,2}) field (?<said>(?:must|may not|should|has to|cannot)\\b[^\\n;]{0,120})`,
  `(?<said>\\bcannot be (?:empty|negative|null|zero)[^\\n(]{0,80}) \\(parameter ["'](?<name>${WORD})["']\\)`,
  `\\bfor '(?:items|properties)/(?<pointer>[\\w/]{1,80})', (?<said>[^\\n]{1,120})`,
  `(?<said>\\bunknown name) "(?<name>${WORD})"`,
  `\\bat '(?<path>[\\w.[\\]]{1,80})' (?<said>failed to satisfy\\b[^\\n]{0,120})`,
  `(?<said>\\bfailed validating ["']\\w{1,40}["'])[\\s\\S]{0,2000}?\\bon instance(?<path>(?:\\[(?:'[^'\\n]{1,60}'|\\d{1,6})\\]){1,12}):`,
  `(?:^|[\\s:;,])(?!/ )${ROOT} (?<said>(?!(?:must|should) have (?:required )?property)(?:must|should|is not|does not)\\b[^\\n,;]{0,120})`,
  `\\bat path: (?<path>${WORD}) -- (?<said>[^\\n]{1,160})`,
  `(?<said>\\b(?:unexpected|unknown|unrecogni[sz]ed|extra|undeclared) (?:additional |extra |keyword |positional |named )?${PART}):? (?:in object: )?${MARKED_ALL}(?!["'\`]? on (?:field|type)\\b)`,
  `\\(${MARKED_ALL} (?<said>(?:was|were) unexpected)\\)`,
  `\\b(?:argument|attribute|block) named ["'\`](?<name>${WORD})["'\`] (?<said>is not expected\\b[^\\n.]{0,40})`,
  `\\bfield ["'\`](?<name>${WORD})["'\`] (?<said>is not defined (?:by|in|on) (?:input )?type\\b[^\\n.]{0,60})`,
  `(?<=^|error: |[.,] )"(?<name>${WORD})" (?<said>is not allowed)(?=[.,]|$)`,
  `\\bfield validation for ["'](?<name>${WORD})["'] (?<said>failed on the ["']\\w{1,40}["'] tag)`,
  `\\b(?:argument|variable) "\\$?(?<name>${WORD})" (?<said>(?:has|got) invalid value\\b[^\\n;]{0,80}?)(?: at "(?<path>[\\w.[\\]]{1,120})"|(?=[;\\n]|$))`,
  `\\binvalid [A-Z]\\w{1,60}\\.(?<path>[\\w.[\\]]{1,80}): (?<said>[^\\n]{1,160})`,
  `\\berror: argument (?:-\\w/)?(?<name>--?[\\w-]{1,60}): (?<said>[^\\n]{1,120})`,
  `(?<said>\\binvalid argument ["'][^"'\\n]{0,80}["']) for ["'](?:-\\w, )?(?<name>--[\\w-]{1,60})["'] flag`,
  `(?<said>\\bfailed to parse) field \\[(?<path>[\\w.]{1,80})\\]`,
  `(?<said>\\bcast to \\w{1,30} failed)\\b[^\\n]{0,160} at path "(?<path>[\\w.]{1,80})"`,
  `\\bobject\\([\\w\\\\]{1,120}\\)\\.(?<path>[\\w.[\\]]{1,80}): (?<said>[^\\n]{1,160})`,
  `(?<said>\\binvalid (?:type|length|range)) for parameter (?<path>[\\w.[\\]]{1,80})(?=[,;:])`,
  `(?<=^\\{|\\], )["'](?<name>\\w{1,60})["']: \\[["'](?<said>[^"'\\n]{1,160})["']\\]`,
);

/** Names as programs write them, so that capitals count. */
const BOTH = /* @__PURE__ */ wordingOf(
  new RegExp(
    `(?<both>(?:${EITHER}),? (?:and|or) (?:${EITHER})) (?:(?:must|should|have to|need to) be (?:defined|given|passed|present|provided|set|specified|supplied)|(?:is|are) (?:both )?(?:mandatory|missing|required))\\b`,
    'g',
  ),
);

/** On a line of its own. */
const BENEATH = /* @__PURE__ */ wordingOf(
  /(?<=^|\n)(?<said>[^\n]{1,160})\n\s{1,8}at (?<path>(?:\[(?:"[^"\n]{1,60}"|\d{1,6})\]){1,12})/g,
);

/** What models say of their attributes, in the words that people have for those. */
const OF_RECORD = /\bvalidation failed: (?=[A-Z])/i;
const OF_ATTRIBUTE =
  /^(?<words>[A-Z][\w ]{0,40}?) (?<said>(?:can't|cannot|must|should|doesn't|does not) [^\n]{1,120}|is (?:invalid|missing|not|reserved|the wrong|too)\b[^\n]{0,120}|has already been taken)$/;

/** The fields that a text names in the wording of a library; nothing where it has none of those. */
export function issuesOfLibraries(text: string): readonly Issue[] {
  const found = [...foundBy(leftOut(text), text), ...foundBy(wrong(text), text)];
  return found.length > 0 ? found.slice(0, MOST) : ofRecord(text);
}

function leftOut(text: string): readonly Form[] {
  return text.includes(' and ') || text.includes(' or ') ? [BOTH, ...LEFT_OUT] : LEFT_OUT;
}

function wrong(text: string): readonly Form[] {
  return text.includes('\n') ? [BENEATH, ...WRONG] : WRONG;
}

/** What the first wording finds that finds something. */
function foundBy(all: readonly Form[], text: string): readonly Issue[] {
  for (const wording of all) {
    const issues = wording.mayMatch(text) ? allBy(wording.expression, text) : [];
    if (issues.length > 0) return issues;
  }
  return [];
}

function allBy(expression: RegExp, text: string): readonly Issue[] {
  const issues: Issue[] = [];
  expression.lastIndex = 0;
  for (
    let found = expression.exec(text);
    found !== null && issues.length < MOST;
    found = expression.exec(text)
  )
    issues.push(...issuesOf(found.groups ?? {}));
  return issues;
}

type Groups = { readonly [name: string]: string | undefined };

function issuesOf({ path, pointer, name, names, both, usage, words, said }: Groups): readonly Issue[] {
  const steps = stepsIn(path ?? pointer ?? '');
  const one = name ?? words?.replaceAll(' ', '_');
  const all = one === undefined ? namesIn(names ?? both ?? '') : [one];
  const lists = usage === undefined ? all : usage.split(/\n|, /).flatMap((line) => namesIn(line).slice(0, 1));
  const paths =
    path !== undefined && said !== undefined ? [steps] : lists.map((step) => [...steps, ...stepsIn(step)]);
  return (paths.length > 0 ? paths : [steps])
    .filter(({ length }) => length > 0)
    .map((one) =>
      said === undefined
        ? { path: one, message: 'Required', code: 'required' }
        : { path: one, message: said.trim() },
    );
}

/** The steps of a path, without what marks an option or a variable. */
function stepsIn(path: string): (string | number)[] {
  return stepsOf(path.replace(/^(?:--?|[:$])/, '').replace(/["']/g, ''));
}

/** The names in a list of them. */
function namesIn(list: string): readonly string[] {
  return (list.match(/[A-Za-z_][\w$.[\]-]*(?: <[^>]*>)?/g) ?? [])
    .map((name) => name.replace(/ <.*$/, ''))
    .filter((name) => name !== 'and' && name !== 'or');
}

/** "Validation failed: First name is too short, Age is not a number" */
function ofRecord(text: string): readonly Issue[] {
  const start = OF_RECORD.exec(text);
  if (start === null) return [];
  const said = text.slice(start.index + start[0].length).split(', ', MOST);
  return said.flatMap((one) => {
    const { words, said: message = '' } = OF_ATTRIBUTE.exec(one.trim())?.groups ?? {};
    return words === undefined
      ? []
      : [{ path: [words.toLowerCase().replaceAll(' ', '_')], message: message.trim() }];
  });
}
