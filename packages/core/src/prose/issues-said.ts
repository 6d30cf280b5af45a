/** Fields that sentences name, each in its own way: `search requires "query"`, `file_base64 is not valid base64`, `Text is empty.` */
import type { Issue } from '../fault.ts';
import { stepsOf } from '../issue-path.ts';

/** A name as programs write it; a word of a language is none. */
const CODE = '[a-z][a-z\\d]{0,30}(?:_[a-z\\d]{1,30}){1,6}|[a-z]{1,30}(?:[A-Z][a-z\\d]{0,30}){1,6}';
const QUOTED = '["\'`](?:\\$|--?)?(?<quoted>[A-Za-z_][\\w$.[\\]-]{0,60})["\'`]';
const NAME = `(?:${QUOTED}|(?<code>${CODE})\\b(?![:.(]))`;
const GIVEN = '(?:given|passed|provided|sent|specified|supplied)';
const PART = '(?:argument|attribute|field|input|key|option|param|parameter|property|variable)';
/** What is said of a part of the input. */
const WRONG = `(?:(?:is|are|was|were) (?:not (?:an? )?valid\\b[^\\n.;]{0,60}|invalid|empty|missing|malformed|blank|required|mandatory|too \\w{3,6})|(?:was|were|is|are)(?: not|n't) ${GIVEN}|(?:exceeds|has to be|have to be|cannot be|can't be)\\b[^\\n.;]{0,60})`;

/** What something cannot do without, or is asked for. */
const NEEDS = new RegExp(
  `\\b(?:[Rr]equires?|[Nn]eeds?|[Mm]issing|[Pp]rovide|[Ss]pecify|[Ss]upply|[Pp]ass|[Ee]ither):? (?:(?:an?|the|at least|one|of|both|either|non-empty|valid|required|your|explicit|value for|${PART}s?:?) ){0,4}${NAME}`,
);
const AND_MORE =
  /,? (?:and|or|and\/or) ["'`]([A-Za-z_$][\w$.[\]-]{0,60})["'`]|, ["'`]([A-Za-z_$][\w$.[\]-]{0,60})["'`]/y;
const NOT_GIVEN = new RegExp(
  `(?:^|: )(?:there (?:is|was) )?[Nn]o (?:${QUOTED}|(?<code>${CODE})|(?<word>[a-z]{2,20})) (?:was |is |were )?${GIVEN}\\b`,
);
/** What is wrong with it. */
const STATE = new RegExp(
  `(?:^|[.:;!] |\\n)(?:[Tt]he )?${NAME} (?<said>${WRONG}|too (?:big|large|long|short|small)\\b)`,
);
/** What is quoted and no valid something is rather the value. */
const IS_VALUE = /^\W{0,2}(?:[Tt]he )?["'][^"']{1,62}["'] \w{2,4} not (?:an? )?valid\b/;
const OF_PART = new RegExp(
  `(?:^|[\\s:])(?:[Tt]he )?(?:${PART}|${capital(PART)}) (?:named |called )?(?:${QUOTED}|(?<code>${CODE})|(?<word>[a-z][a-z\\d]{1,30})) (?<said>(?:of required type|must|should|${WRONG})[^\\n.;]{0,80})`,
);
/** The only thing that a sentence speaks of, by a word for arguments, or in small letters as programs write them. */
const ALONE = new RegExp(`^(?:[Ee]rror: )?(?:[Tt]he )?(?<word>[A-Za-z]{2,20}) (?<said>${WRONG})`);
const ARGUMENTS =
  /^(?:address|amount|body|city|code|comment|content|coordinates|country|date|depth|description|email|end|expression|filename|filter|format|id|ids|keyword|keywords|label|labels|language|latitude|limit|location|longitude|message|name|offset|page|path|pattern|phone|prompt|query|question|range|start|subject|symbol|symbols|tags|term|text|ticker|title|topic|url|username)$/;
const EXPECTED = new RegExp(`\\b[Ee]xpected ${QUOTED} (?<said>to [^\\n.;]{1,80})`);
/** A value, and what it must be. */
const ODD = '(?:[Ii]nvalid|[Uu]nknown|[Uu]nsupported|[Uu]nrecogni[sz]ed|[Uu]nexpected|[Ii]llegal|[Bb]ad)';
const INVALID = new RegExp(
  `(?:^|[Ee]rror: )${ODD} (?:(?<code>${CODE}|[a-z]{2,24})|\`(?<quoted>[A-Za-z_][\\w.-]{0,60})\`):? (?:["'\`][^"'\`\\n]{0,80}["'\`](?:[.!]?$|[.;,] )|[^\\s.;,]{1,60}[.;,] (?:[Mm]ust|[Ss]hould|[Vv]alid|[Aa]llowed|[Aa]ccepted|[Ss]upported|[Ee]xpected|[Aa]vailable|[Pp]ossible|[Uu]se|[Cc]hoose|[Oo]ne of)\\b)`,
);
const INVALID_FOR = new RegExp(
  `\\b${ODD} (?:[a-z]{2,20} )?(?:value|values|format|type) (?:for|of|in) (?:the )?(?:${PART} )?(?:${QUOTED}|(?<code>${CODE}|[a-z]{2,24}))(?=[:.,;!]|$| [("'])`,
);
const ODD_PART = new RegExp(
  `\\b${ODD} ${PART}s?(?:: ["'\`]?|:? ["'\`])(?<code>[A-Za-z_][\\w.-]{0,60})(?:["'\`](?! on (?:field|type)\\b)|(?=[.!]?$|[.,;] ))`,
);
/** The name in front, and the same in words: `order_id: Order ID must be a number`. */
const IN_FRONT = new RegExp(
  `(?:^|: )(?<code>${CODE}): (?<said>(?<words>[A-Z][\\w -]{1,60}?) (?:must|should|cannot|may not|is required|has to|needs to)\\b[^\\n;]{0,120})`,
);
const COMPLAINED = new RegExp(
  `(?:^|: )(?<code>${CODE}): (?<said>(?:invalid|missing|must|expected|should|cannot|too|not an?|not valid)\\b[^\\n;]{0,120})`,
);
/** Parts of a call that have no name of their own. */
const OF_ALL =
  /^(?:(?:bad|invalid|error|missing)_\w+|\w+_(?:error|failed)|anything|arguments?|call|character|element|end|entry|eof|flag|identifier|node|tag|token|variable|variant|command|data|everything|fields?|input|inputs|it|json|keys?|literal|nothing|one|options?|parameters?|params|payload|property|request|response|something|syntax|that|this|type|values?|what|which|you|your|either|both|least|all|none|only|api_key|apikey|access_token)$/i;

interface Groups {
  readonly quoted?: string;
  readonly code?: string;
  readonly word?: string;
  readonly said?: string;
  readonly words?: string;
}

function capital(words: string): string {
  return words.replace(/(?<=[(|:])[a-z](?=[a-z])/g, (letter) => letter.toUpperCase());
}

/** The fields that a sentence about them names. */
export function issuesSaid(text: string): Issue[] {
  return (
    inFront(text) ??
    wrongBy(INVALID_FOR, text) ??
    alone(text) ??
    (IS_VALUE.test(text) ? undefined : wrongBy(STATE, text)) ??
    ofPart(text) ??
    needed(text) ??
    wrong(text) ??
    []
  );
}

function inFront(text: string): Issue[] | undefined {
  const { code = '', said = '', words = '' } = groupsOf(IN_FRONT, text);
  if (code !== '' && plain(words) === plain(code)) return [{ path: [code], message: said.trim() }];
  return wrongBy(ODD_PART, text) ?? wrongBy(COMPLAINED, text);
}

function plain(name: string): string {
  return name.replace(/[\s_-]+/g, '').toLowerCase();
}

/** "Query is empty": a word for arguments is the name of one, however it is written. */
function alone(text: string): Issue[] | undefined {
  const { word = '', said } = groupsOf(ALONE, text.trim());
  return ARGUMENTS.test(word.toLowerCase())
    ? issueOf({ code: word.toLowerCase(), said: said ?? '' }, text)
    : undefined;
}

function ofPart(text: string): Issue[] | undefined {
  return wrongBy(OF_PART, text);
}

function needed(text: string): Issue[] | undefined {
  const found = NEEDS.exec(text) ?? NOT_GIVEN.exec(text);
  const { quoted, code, word } = (found?.groups ?? {}) as Groups;
  const first = quoted ?? code ?? (ARGUMENTS.test(word ?? '') ? word : undefined);
  if (found === null || first === undefined || OF_ALL.test(first)) return undefined;
  const names = [first];
  AND_MORE.lastIndex = found.index + found[0].length;
  for (let more = AND_MORE.exec(text); more !== null && names.length < MOST; more = AND_MORE.exec(text))
    names.push((more[1] ?? more[2]) as string);
  return names.map(required);
}

const MOST = 8;

function wrong(text: string): Issue[] | undefined {
  return wrongBy(EXPECTED, text) ?? wrongBy(INVALID, text);
}

function wrongBy(form: RegExp, text: string): Issue[] | undefined {
  return issueOf(groupsOf(form, text), text);
}

const LONGEST = 200;
const LEFT_OUT =
  /^(?:is|are|was|were)(?: required\b| mandatory\b| missing\b|(?: not|n't) (?:given|passed|provided|sent|specified|supplied)\b)/;

function required(name: string): Issue {
  return { path: stepsOf(name), message: 'Required', code: 'required' };
}

function issueOf({ quoted, code, word, said }: Groups, text: string): Issue[] | undefined {
  const name = quoted ?? code ?? word;
  if (name === undefined || OF_ALL.test(name)) return undefined;
  if (LEFT_OUT.test(said ?? '')) return [required(name)];
  return [{ path: stepsOf(name), message: (said ?? text.slice(0, LONGEST)).trim() }];
}

function groupsOf(form: RegExp, text: string): Groups {
  return (form.exec(text)?.groups ?? {}) as Groups;
}
