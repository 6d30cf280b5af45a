/** Which thing a failure is about: what was not found, is there already, has expired, is too large, is not ready, may not be touched. */
import type { Subject } from '../fault.ts';
import type { Kind } from '../kinds.ts';
import { codedThing } from './coded-things.ts';
import { isName, keptId, thingOf } from './noun-phrase.ts';
import { BARE_NAME, CLAUSES } from './thing-words.ts';

/** The thing is named at the beginning; what follows explains. */
const FIRST = 400;
/** How far before its predicate a thing is looked for. */
const FURTHEST = 160;
/** Of several sentences, the first that names a thing counts. */
const MOST = 4;

const AUX = '(?:(?:was|were|is|are|has|have|could|can|does|do|did|wurde|wurden|konnte|ist|est|fue) )?';
const NOT = "(?:not|cannot|(?:was|is|could|ca|does|do|did)n['’]t)";
/** A letter or a digit of the languages below: `\w` knows no accents, and `\p{L}` costs three times as much. */
const LETTER = '[\\wÀ-ÿ]';

const said = (words: string): RegExp => new RegExp(` (?:${words})(?!${LETTER})`, 'gi');
const asked = (words: string): RegExp => new RegExp(`(?<!${LETTER})(?:${words}) (?=\\S)`, 'gi');

/** What is done to a thing that is named right behind it. */
const TOUCHES =
  'access|join|view|see|read|open|use|edit|change|modify|update|delete|remove|archive|rename|move|share|publish|download|manage';

/** "Not found: getting pull request 1": what was to be done with a thing that is named then. */
const WORK_ON =
  '(?:clos|delet|download|edit|fetch|gett|inspect|load|merg|mov|open|remov|renam|retriev|updat|view)ing ';

interface Forms {
  /** What is said of a thing before it. */
  readonly said?: RegExp;
  /** What a thing follows. */
  readonly asked?: RegExp;
}

const FORMS: { readonly [K in Kind]?: Forms } = {
  not_found: {
    said: said(
      `${AUX}${NOT} (?:be |been )?(?:found|exists?|located)|(?:does |do )?no longer exists?|(?:has|have) been (?:deleted|removed)|(?:was|were) (?:deleted|removed)|is unknown|(?:is|are) not (?:available|installed|known|recogni[sz]ed|registered)|${AUX}nicht gefunden|existiert nicht|existieren nicht|n['’]existe pas|(?:est )?introuvable|(?:n['’]a pas été|non) trouvée?|no existe|no (?:fue |ha sido )?encontrad[oa]`,
    ),
    asked: asked(
      String.raw`(?:could not|couldn['’]t|can not|cannot|can['’]t|did not|didn['’]t|unable to|failed to) (?:find|locate)|could not resolve to|not_?found:|not found:(?= ${WORK_ON})|there (?:is|are|was|were) no|(?:do not|don['’]t) (?:have|know)(?= an? | any | that )|(?<=^|[.:;!?(=\n]\s{0,3}|\s[-–—]\s)(?:no se (?:encontr[oó]|ha encontrado)|no existen?|no such|unknown|unrecogni[sz]ed|no(?! encontrad)|keine?|aucune?)`,
    ),
  },
  conflict: {
    said: said(
      `already exists?|exists already|${AUX}already (?:been )?${LETTER}+|overlaps?|(?:is|are) (?:locked|in use|being ${LETTER}+|still in use)|(?:is|are) (?:archived|attached|closed|full|protected|read-only|referenced|sold out|used)|(?:is|are|was|were) (?:currently |fully |just )?(?:booked|occupied|rented|reserved|taken)|(?:is|are) (?:no longer|not) (?:free|open)|(?:is )?not empty|(?:cannot|could not) be ${LETTER}+|(?:has|have) been ${LETTER}+ed|(?:was|were) (?:changed|modified|updated)|existiert bereits|existe déjà|ya existe`,
    ),
    asked: asked(
      "(?:cannot|can not|can['’]t|could not|couldn['’]t|unable to|failed to) (?:archive|book|cancel|change|close|deactivate|delete|drop|edit|merge|modify|move|publish|remove|rename|reopen|restore|start|stop|unpublish|update)|(?:cannot|could not|unable to|failed to) [a-z]{2,20}(?:_[a-z]{2,20}){0,3}(?= [a-z]{3,20} #\\d)|already_?exists:",
    ),
  },
  expired: {
    said: said(
      '(?:has |have |is |was )?(?:already )?expired|is no longer valid|ist abgelaufen|a expiré|ha (?:caducado|expirado)',
    ),
  },
  too_large: { said: said('(?:is |was )?too (?:large|big|long)|exceeds|is larger than') },
  not_ready: {
    said: said(
      `(?:(?:is|are) not|(?:is|are)n['’]t|not) (?:yet |${LETTER}+ yet|ready)|(?:is|are) (?:still |currently |now )?(?:being |${LETTER}+ing|queued|pending|in progress)|is still ${LETTER}+|(?:has|have) not (?:been|finished|started)`,
    ),
  },
  forbidden: {
    said: said('(?:is|are) (?:off[ -]limits|private|protected|read-only|restricted)'),
    asked: asked(
      `(?:(?:permissions?|allowed|permitted|authori[sz]ed|rights?) to|cannot|can['’]t|may not|must not) (?:(?:${TOUCHES})(?! (?:to|into|in|on|from) )|${LETTER}+ (?:(?!to |the |this )${LETTER}+ ){0,3}?(?:to|into|in|on|from))|(?:access|rights) to|(?:permissions?|rights|role|delete|edit|read|view|write) (?:on|for)|(?:do not|don['’]t) own|you are not (?:in|on)|(?:denied|forbidden)(?: (?:for|on|to)|:)|(?:admin|administrator|collaborator|editor|member|owner|part(?! of (?:the|our|your|an?) (?:[\\w-]+ ){0,2}(?:edition|plan|subscription|tier)s?\\b)|subscriber|viewer) of|only [a-z' ]{2,30} (?:can|may) (?:${TOUCHES})`,
    ),
  },
};

/** The thing that a failure of this kind is about, where the text plainly names one. */
export function thingIn(kind: Kind, text: string): Subject | undefined {
  const forms = FORMS[kind];
  if (forms === undefined) return undefined;
  const first = text.length > FIRST ? text.slice(0, FIRST) : text;
  const head = first.replace(first.includes('=') ? EQUALS : ANNOUNCES, '$1 ');
  const plain = /["'`“«([]/.test(head) ? head.replace(QUOTES, blot) : head;
  return (
    fromSaid(forms.said, head, plain) ??
    fromAsked(forms.asked, head, plain, kind !== 'not_found') ??
    codedThing(kind, head)
  );
}

/** "With 'id'=42", "id = 42" */
const EQUALS = /(?<=\s)["']?\b(id|key|name|slug|uuid)["']?\s?=\s?/i;

/** "With room_id: 12" */
const ANNOUNCES = /(\bwith (?:the )?(?!code)\w{2,24}):\s(?=["'`\w])/i;

/** What is quoted is a name, whatever it says, and so is what a function takes or brackets hold; an apostrophe quotes nothing. */
const QUOTES =
  /(?<=\w )\[[^\]\n]{1,120}\]|(?<=\w )\([\w.:@/#-]{1,120}\)(?= )|(?<=[\w$"])\([^()\n]{0,120}\)|"[^"\n]{1,200}"|`[^`\n]{1,200}`|“[^”\n]{1,200}”|«[^»\n]{1,200}»|(?<=^|[\s(:=])'[^'\n]{1,200}'(?=$|[\s).,;:])/g;

function blot(quoted: string): string {
  if (quoted.startsWith('(') || quoted.startsWith('[')) return 'x'.repeat(quoted.length);
  return quoted.charAt(0) + 'x'.repeat(quoted.length - 2) + quoted.charAt(quoted.length - 1);
}

/** A status and its title. */
const STATUS = /(?:^|\W)[45]\d\d Not Found$/;

/** A number is a status where a clause begins with it, or where it is called one; else it is a name: "Job 551". */
const BEGINS =
  /[.,;:!?(=>\]]\s|\n|(?<=^|[.,;:!?(=>\]\n]\s?|\b(?:code|error|http|status|got|returned)\s)[45]\d\d\s/gi;

function fromSaid(form: RegExp | undefined, text: string, plain: string): Subject | undefined {
  if (form === undefined) return undefined;
  form.lastIndex = 0;
  let from = 0;
  for (let count = 0; count < MOST; count++) {
    const found = form.exec(plain);
    if (found === null) return undefined;
    const start = Math.max(
      withType(plain, beginOf(plain, found.index, from), found.index),
      found.index - FURTHEST,
    );
    from = found.index + found[0].length;
    if (STATUS.test(plain.slice(Math.max(0, found.index - 5), from))) continue;
    const thing = lastThing(
      text.slice(start, found.index),
      plain.slice(start, found.index),
      text.slice(from),
    );
    if (thing !== undefined) return thing;
  }
  return undefined;
}

/** Behind these a clause begins that says why, or that says it after all. */
const THEREFORE = /^(?:.* )?(?:because|since|as|but|that|when) /s;

/** The thing of a clause: of the part that gives the reason, where there is one that names it. */
function lastThing(clause: string, plain: string, behind: string): Subject | undefined {
  const reason = THEREFORE.exec(plain)?.[0].length;
  const thing = reason === undefined ? undefined : thingOf(clause.slice(reason), { behind });
  return thing ?? thingOf(clause, { behind });
}

/** "Table: orders not found": what is announced by its type begins with it. */
function withType(plain: string, begin: number, end: number): number {
  const name = plain.slice(begin, end).toLowerCase();
  if (/\s/.test(name) || CLAUSES.has(name)) return begin;
  const [, type = ''] = ANNOUNCED.exec(plain.slice(Math.max(0, begin - LONGEST_TYPE), begin)) ?? [];
  return BARE_NAME.has(type.toLowerCase()) ? begin - type.length - 2 : begin;
}

const LONGEST_TYPE = 24;
const ANNOUNCED = /(?:^|[.,;:!?] )([A-Z][a-z]{2,20}): $/;

/** Where the clause begins that ends here. */
function beginOf(plain: string, end: number, from: number): number {
  let begin = from;
  BEGINS.lastIndex = from;
  for (let found = BEGINS.exec(plain); found !== null && found.index < end; found = BEGINS.exec(plain))
    begin = found.index + found[0].length;
  return begin;
}

const CLAUSE_ENDS = /[.;!?](?=\s|$)|[,(\n]/g;
/** After what could not be done to a thing comes why; after what could not be found, which it was. */
const REASON = /:\s.*$/s;

function fromAsked(
  form: RegExp | undefined,
  text: string,
  plain: string,
  isOfWork: boolean,
): Subject | undefined {
  if (form === undefined) return undefined;
  form.lastIndex = 0;
  for (let count = 0; count < MOST; count++) {
    const found = form.exec(plain);
    if (found === null) return undefined;
    const start = found.index + found[0].length;
    CLAUSE_ENDS.lastIndex = start;
    const end = CLAUSE_ENDS.exec(plain)?.index ?? plain.length;
    const clause = text.slice(start, end).replace(FOUND, '');
    const said = found[0].endsWith(': ') ? clause.replace(ATTEMPTED, '') : clause;
    const phrase = isOfWork ? said.slice(0, plain.slice(start, end).replace(REASON, '').length) : said;
    const thing = thingOf(phrase, { isOfThing: IS_OF_THING.test(found[0]) });
    if (thing !== undefined) return thing.id === undefined ? withFront(thing, text, found) : thing;
  }
  return undefined;
}

const ATTEMPTED = new RegExp(`^${WORK_ON}`, 'i');
/** "No project was found with key A": what it is told apart by comes after. */
const FOUND =
  / (?:(?:was|were|is|are|could be|can be|has been) )?(?:found|located)(?= (?:with|by|for|under)\b)/i;
/** "get data_vol: no such volume": it was asked for by its name. */
const FRONT = /(?:^|\s)([^\s:]{1,120}): $/;
const OF_PROGRAM = /^(?:[A-Z]+(?:_[A-Z]+)+|E[A-Z]{3,}|\w*(?:Error|Exception))$/;

function withFront(thing: Subject, text: string, { 0: asked, index }: RegExpExecArray): Subject {
  const name = /^no such /i.test(asked) ? FRONT.exec(text.slice(0, index))?.[1] : undefined;
  if (name === undefined || !isName(name) || OF_PROGRAM.test(name)) return thing;
  const id = keptId(name, [thing.type]);
  return id === undefined ? thing : { ...thing, id };
}

const IS_OF_THING = /^(?:no such|could not resolve to|there (?:is|are|was|were) no|no|keine?|aucune?) $/i;
