/**
 * How protocol layers, validators and doors say what is wrong with a request. They name what they complain about, in
 * words that nobody knows beforehand; so their sentences are told by how they are built.
 */
import { parseJson } from './json.ts';
import { AFFIRMING, type Judges, type Vocabulary, words, wordsOf } from './plain-words.ts';
import { isVague } from './vague.ts';

/** What makes a clause a complaint. */
const COMPLAINT =
  /^no\b|\b(?:invalid|illegal|missing|require[sd]?|un(?:known|recogni[sz]ed|supported|expected|authori[sz]ed|authenticated)|expect(?:s|ed|ing)|must|should|malformed|wrong|forbidden|denied|disabled|insufficient|mismatch|too (?:small|large|big|long|short|many|few|high|low)|exceeds|cannot (?:be|get|post|put|parse|find|convert)|(?:is|are|was|were|does|do|did|has|have|could|can|may|must|should)?(?: not|n't) (?:an?|of|one|in|be|empty|found|allowed|supported|permitted|valid|authori[sz]ed|registered|exists?|match(?:es)?|defined|known|recogni[sz]ed|acceptable|accept|implemented|initiali[sz]ed|enabled|provided|specified|set|have|contain)|no (?:such|valid|tool|method|resource|prompt|matching)|unable to (?:parse|find|convert|read)|failed to (?:parse|deserialize|validate|decode))\b/i;

/** Words that such sentences share. */
const WORDS = words(
  `accepts additional allowed application argument arguments array authorization bad bearer body boolean both bytes call
  cannot capability character characters check column content convert credentials decode deserialize disabled
  does doesn't element elements empty end entity enum event exist expected expired field fields file float forbidden format
  found further get given got greater header host in index information initialized input instance integer invalid isn't
  item items json keys keyword least length less line list long malformed media method methods minimum missing more most
  must needs non not null number numbers object of option options origin page params parameter parameters parse
  parsing pattern pending permission position positive post properties property prompt protocol provided put query range
  received recognized required require route schema scope should size small spec specified stream string supported
  syntax than text to token tool tools trailing types unable unauthorized undefined union unknown unparsable unrecognized
  unsupported uri url utf8 valid validate validation value values version versions visit whitespace without wrong
  exclusive inclusive exact fatal multiple expects ctx loc issues instancepath schemapath requested available
  suggestions suggestion hint hints valid_values kind subject native dialect retry when backoff never caller correct
  then them do ask different another executed reaction details help login sign authenticate authentication authorized
  denied insufficient audience issuer signature scopes realm resource_metadata denied misdirected acceptable unprocessable`,
);

/** Names of what was sent, and their values. */
const QUOTING =
  /^(?:paths?|loc|fields?|names?|keys?|options|values?|allowed|expected|received|input|tool|method|uri|requested|supported|arguments?|params?|parameters?|property|properties|missing(?:_?property)?|additional_?property|(?:instance|schema|data)_?path|pattern|format|keyword|scopes?|required|resource|prompt|got|actual|enum|available|suggestions?|valid_?values)$/i;

/** Sentences about the request, and members that name its parts. */
export const COMPLAINTS: Vocabulary = { words: WORDS, quoting: QUOTING, isComplaint };

/** Whatever is quoted or an address is a name. */
const QUOTED: readonly RegExp[] = [
  /\binput_value=.{0,300}?, input_type=\w{1,50}/gs,
  /\b[a-z][\w+.-]{1,20}:\/\/[^\s"'<>]{1,500}/gi,
  /"[^"\n]{0,80}"|`[^`\n]{0,80}`|“[^”\n]{0,80}”|‘[^’\n]{0,80}’|(?<![\p{L}\p{N}])'[^'\n]{0,80}'(?![\p{L}\p{N}])/gu,
  /\b\d{4}-\d\d-\d\d\b/g,
  /[<>≥≤]=?\s*-?\d[\d.]*/g,
];

/** Without one of these, nothing is quoted, an address or an amount. */
const MAY_BE_QUOTED = /[=:"`“‘'\d<>≥≤]/;

/** What stands behind the word for it is a name. */
const CALLED =
  /\b(?:tools?|arguments?|parameters?|params?|fields?|property|methods?|prompts?|resources?|keys?|headers?|types?|for|at|get|post) (?!(?:not|no|is|are|was|were|does|do|must|should|cannot|can|has|have|required|missing|invalid)\b)[\w$./[\]:-]{1,100}/gi;

const BREAK =
  /[.!?](?=\s|$)|[:=](?!\s*\d)|[;,\n()[\]{}|>→—–•*]|\s-\s|\b(?:but|and|or|then|while|although|however|because|so|yet|aber|und|mais|et|pero)\b/gi;

const PLACE = /^(?=.*[A-Za-z_])[\w$./-]{1,100}$/;

/** The number of something: `pay_991`, `ord-77`, `A7F3`. Arguments have names. */
const ID = /[_-]\w*\d|\d.*\d.*\d|^[A-Z]+\d/;

/** Words of who is content. */
const CONTENT = words(
  `absolutely accomplished active alright complete congrats congratulations cool correct excellent fine finished gone good
  goodbye got great hello hi made nice okay perfect received sure thank thanks through true welcome yeah yep yes`,
);

/** Words that refuse, alone or in the name of an error. */
const REFUSES = words(
  `bad busy cannot denied disabled early err error errors exception exceeded exhausted expired fail failed failure forbidden
  illegal insufficient invalid large limit limited malformed many mismatch misdirected missing must needs no non not only
  overloaded problem require required should slow throttled throttling too unable unacceptable unauthenticated unauthorized
  unavailable undefined unexpected unknown unparsable unprocessable unrecognized unsupported wrong without`,
);

/** Does it say that something is wrong, or that somebody is turned away? */
export function refuses(text: string): boolean {
  return COMPLAINT.test(text) || wordsOf(text).some((word) => REFUSES.has(word));
}

/** More unknown words than this tell a story. */
const MAX_UNKNOWN = 4;

/** A piece of a sentence, and what stands before and behind it. */
interface Clause {
  readonly words: string;
  readonly before: string;
  readonly behind: string;
}

function isComplaint(text: string, { isKnown, isPlain, isCode }: Judges): boolean {
  const at = text.search(/[[{]/);
  // Validators put a whole list behind their sentence.
  const list = at < 0 ? undefined : parseJson(text.slice(at));
  if (list !== undefined && !isPlain(list)) return false;
  const said = list === undefined ? text : text.slice(0, at);
  const bare = (MAY_BE_QUOTED.test(said) ? [...QUOTED, CALLED] : [CALLED]).reduce(
    (rest, named) => rest.replace(named, (all) => ` ${keptOf(all)} `),
    said,
  );
  const clauses = clausesOf(bare.replace(/ {2,}/g, ' '));
  const first = clauses.findIndex(({ words }) => refuses(words));
  // One word is a refusal, or it says how things are; only a code may be anything.
  if (first < 0 && !isCode && /^\W*\w+\W*$/.test(bare)) return false;
  return clauses.every((clause, index) => {
    if (isClause(clause.words, isKnown)) return true;
    return isName(clause.words) && (isCode || (first >= 0 && isPlaced(clause, first < index)));
  });
}

function clausesOf(text: string): readonly Clause[] {
  const found: Clause[] = [];
  let [from, before] = [0, ''];
  for (const { 0: behind, index } of text.matchAll(BREAK)) {
    found.push({ words: text.slice(from, index).trim(), before, behind });
    from = index + behind.length;
    if (found.at(-1)?.words !== '' || behind.trim() !== '') before = behind;
  }
  return [...found, { words: text.slice(from).trim(), before, behind: '' }];
}

/** The name of an argument, or of what is wrong with it. */
function isName(clause: string): boolean {
  return (
    PLACE.test(clause) &&
    !ID.test(clause) &&
    !wordsOf(clause).some((word) => CONTENT.has(word) || AFFIRMING.has(word))
  );
}

/** What is complained about stands before the complaint, or is listed behind it. A sentence of its own tells something. */
function isPlaced({ before, behind }: Clause, isBehind: boolean): boolean {
  return /^[:=([\n|>→]|^(?:and|or)$/i.test(behind) || (isBehind && !/^[.!?;]/.test(before));
}

/** The word that announces a name stays; a number never is one. */
function keptOf(named: string): string {
  const [, word, name] = /^(\p{L}+) (.+)$/u.exec(named) ?? [];
  if (word === undefined || name === undefined) return '';
  return /^\d+$/.test(name) || COMPLAINT.test(named) ? named : word;
}

/** That something is not there. */
const ABSENT = /\b(?:not found|unknown|expired|no such|no valid|not exist|no longer|gone|find)\b/i;

/** Whom a door does not look for. */
const PERSON = /\b(?:client|user|tenant|caller)s?\b/i;

/** A status is no id of anything. */
const STATUS = /^[45]\d\d$/;

/** Who misses one thing of many has looked for it: that is work of somebody's, and of whatever came before it. */
function isMissed(clause: string, unknown: number): boolean {
  return ABSENT.test(clause) && (unknown > 0 || PERSON.test(clause) || namesThing(clause));
}

function namesThing(clause: string): boolean {
  if (/\w@\w/.test(clause)) return true;
  return clause.split(/[^\w-]+/).some((word) => !STATUS.test(word) && (ID.test(word) || /^\d+$/.test(word)));
}

/** How things are by now, or how many of them are wrong: whoever says that has worked on them. */
const STATE =
  /\b(?:now|already|again)\b|^(?:some|several|many|half|two|three|four|five|(?!4\d\d\b)\d+)\b|\b\d+ (?:out )?of (?:the )?\d+\b/i;

/** Something wrong that is only mentioned: "with invalid memo". What is refused for it is named before. */
const MENTIONED =
  /^(.*?)(?<!\b(?:is|are|was|were|be|been|not|an?|or|the)\s)\b(?:invalid|illegal|wrong|missing|malformed|insufficient|required|unsupported|unexpected|unrecogni[sz]ed)\s+\p{L}/iu;

/** "amount has an invalid format". */
const HAVING = /^\S+ (?:has|have|contains?)(?: an?)? ?$/i;

/** A step that was or is to be taken. */
const STEP = /(?<!\b(?:equal|set|according|conform|match|allowed|up))\bto (\p{L}+)/giu;

/** Things that nobody sent are counted: "expected 1 row". */
const COUNT = /\bexpected (?:exactly |at (?:least|most) |only )?\d+ (\p{L}+)/iu;

/** Does a complaint tell what was done, beside what is wrong? What was done has a verb of its own. */
function tellsMore(clause: string, isKnown: (word: string) => boolean): boolean {
  const isForeign = (word = ''): boolean => word !== '' && !isKnown(word.toLowerCase());
  if (STATE.test(clause) || isForeign(COUNT.exec(clause)?.[1])) return true;
  if (
    clause.split(/\s+/).some((word) => /^\p{L}{2,}[^e]ed$/iu.test(word) && isForeign(word) && !refuses(word))
  )
    return true;
  if ([...clause.matchAll(STEP)].some(([, step]) => isForeign(step))) return true;
  const before = MENTIONED.exec(clause)?.[1] ?? '';
  return !HAVING.test(before) && wordsOf(before).some(isForeign);
}

function isClause(clause: string, isKnown: (word: string) => boolean): boolean {
  if (clause === '' || isVague(clause)) return true;
  const found = wordsOf(clause);
  const unknown = found.filter((word) => !isKnown(word)).length;
  if (COMPLAINT.test(clause))
    return unknown <= MAX_UNKNOWN && !isMissed(clause, unknown) && !tellsMore(clause, isKnown);
  if (PLACE.test(clause) && ID.test(clause)) return false;
  return unknown === 0 && found.some((word) => !/^\d+$/.test(word));
}
