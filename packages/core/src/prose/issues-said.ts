/** Fields that sentences name, each in its own way: `search requires "query"`, `file_base64 is not valid base64`, `Text is empty.` */
import type { Issue } from '../fault.ts';

/** A name as programs write it; a word of a language is none. */
const CODE = '[a-z][a-z\\d]{0,30}(?:_[a-z\\d]{1,30}){1,6}|[a-z]{1,30}(?:[A-Z][a-z\\d]{0,30}){1,6}';
const QUOTED = '["\'`](?<quoted>[A-Za-z_$][\\w$.[\\]-]{0,60})["\'`]';
const NAME = `(?:${QUOTED}|(?<code>${CODE})\\b(?![:.(]))`;
const GIVEN = '(?:given|passed|provided|specified|supplied)';

/** What something cannot do without. */
const NEEDS = new RegExp(
  `\\b(?:requires?|needs?) (?:(?:an?|the|at least|both|either|non-empty|valid) ){0,3}${NAME}`,
);
const AND_MORE =
  /,? (?:and|or) ["'`]([A-Za-z_$][\w$.[\]-]{0,60})["'`]|, ["'`]([A-Za-z_$][\w$.[\]-]{0,60})["'`]/y;
const NOT_GIVEN = new RegExp(
  `(?:^|: )(?:there (?:is|was) )?no ${QUOTED} (?:was |is |were )?${GIVEN}\\b`,
  'i',
);
/** What is wrong with it. */
const STATE = new RegExp(
  `(?:^|[.:;!] )(?:[Tt]he )?${NAME} (?<said>is (?:not (?:an? )?valid\\b[^\\n.;]{0,60}|invalid|empty|missing|malformed|blank)|(?:was|is) not ${GIVEN})`,
);
/** What arguments are called, where a sentence has nothing else to say of them. */
const EMPTY =
  /^(?:[Ee]rror: )?(?:[Tt]he )?(?<word>[A-Za-z]{2,20}) (?<said>is (?:empty|blank|missing)|was not (?:given|passed|provided|specified|supplied))[.!]?$/;
const ARGUMENTS =
  /^(?:address|amount|body|city|code|comment|content|country|date|description|email|end|expression|filename|filter|format|id|keyword|keywords|label|language|limit|location|message|name|page|path|pattern|phone|prompt|query|question|range|start|subject|symbol|term|text|ticker|title|topic|url|username|value)$/;
/** A value, and what it must be. */
const INVALID = new RegExp(
  `^(?:[Ee]rror: )?(?:[Ii]nvalid|[Uu]nknown|[Uu]nsupported|[Uu]nrecogni[sz]ed|[Ii]llegal|[Bb]ad) (?<code>${CODE}|[a-z]{2,24}): (?:["'\`][^"'\`\\n]{0,80}["'\`](?:[.!]?$|[.;,] )|[^\\s.;,]{1,60}[.;,] (?:[Mm]ust|[Ss]hould|[Vv]alid|[Aa]llowed|[Aa]ccepted|[Ss]upported|[Ee]xpected|[Aa]vailable|[Pp]ossible|[Uu]se|[Cc]hoose|[Oo]ne of)\\b)`,
);
/** The name in front, and the same in words: `order_id: Order ID must be a number`. */
const IN_FRONT = new RegExp(
  `(?:^|: )(?<code>${CODE}): (?<said>(?<words>[A-Z][\\w -]{1,60}?) (?:must|should|cannot|may not|is required|has to|needs to)\\b[^\\n;]{0,120})`,
);
/** Parts of a call that have no name of their own. */
const OF_ALL =
  /^(?:action_type|arguments?|call|command|data|fields?|id_or_name|input|inputs|json|options?|parameters?|params|payload|property|request|response|type|user_input|values?)$/;

interface Groups {
  readonly quoted?: string;
  readonly code?: string;
  readonly word?: string;
  readonly said?: string;
  readonly words?: string;
}

/** The fields that a sentence about them names. */
export function issuesSaid(text: string): Issue[] {
  return inFront(text) ?? needed(text) ?? wrong(text) ?? [];
}

function inFront(text: string): Issue[] | undefined {
  const { code = '', said = '', words = '' } = groupsOf(IN_FRONT, text);
  return code !== '' && plain(words) === plain(code) ? [{ path: [code], message: said.trim() }] : undefined;
}

function plain(name: string): string {
  return name.replace(/[\s_-]+/g, '').toLowerCase();
}

function needed(text: string): Issue[] | undefined {
  const found = NEEDS.exec(text) ?? NOT_GIVEN.exec(text);
  const { quoted, code } = (found?.groups ?? {}) as Groups;
  const first = quoted ?? code;
  if (found === null || first === undefined) return undefined;
  const names = [first];
  AND_MORE.lastIndex = found.index + found[0].length;
  for (let more = AND_MORE.exec(text); more !== null && names.length < MOST; more = AND_MORE.exec(text))
    names.push((more[1] ?? more[2]) as string);
  return names.map((name) => ({ path: [name], message: 'Required', code: 'required' }));
}

const MOST = 8;

function wrong(text: string): Issue[] | undefined {
  const state = groupsOf(STATE, text);
  const name = state.quoted ?? state.code;
  if (name !== undefined) return [{ path: [name], message: (state.said as string).trim() }];
  const empty = groupsOf(EMPTY, text.trim());
  const word = empty.word?.toLowerCase() ?? '';
  if (ARGUMENTS.test(word)) return [{ path: [word], message: empty.said as string }];
  const { code } = groupsOf(INVALID, text);
  return code === undefined || OF_ALL.test(code)
    ? undefined
    : [{ path: [code], message: text.slice(0, LONGEST) }];
}

const LONGEST = 200;

function groupsOf(form: RegExp, text: string): Groups {
  return (form.exec(text)?.groups ?? {}) as Groups;
}
