/**
 * How protocol layers, validators and doors say what is wrong with a request. They name what they complain about, in
 * words that nobody knows beforehand; so their sentences are told by how they are built.
 */
import { parseJson } from './json.ts';
import { type Judges, type Vocabulary, words, wordsOf } from './plain-words.ts';
import { isVague } from './vague.ts';

/** What makes a clause a complaint. */
const COMPLAINT =
  /^no\b|\b(?:invalid|illegal|missing|require[sd]?|un(?:known|recogni[sz]ed|supported|expected|authori[sz]ed|authenticated)|expect(?:s|ed|ing)|must|should|malformed|wrong|forbidden|denied|disabled|insufficient|mismatch|too (?:small|large|big|long|short|many|few|high|low)|exceeds|cannot (?:be|get|post|put|parse|find|convert)|(?:is|are|was|were|does|do|did|has|have|could|can|may|must|should)?(?: not|n't) (?:an?|of|one|in|be|empty|found|allowed|supported|permitted|valid|authori[sz]ed|registered|exists?|match(?:es)?|defined|known|recogni[sz]ed|acceptable|accept|implemented|initiali[sz]ed|enabled|provided|specified|set|have|contain)|no (?:such|valid|tool|method|resource|prompt|matching)|unable to (?:parse|find|convert|read)|failed to (?:parse|deserialize|validate|decode))\b/i;

/** Words that such sentences share. */
const WORDS = words(
  `accepts additional allowed application argument arguments array authorization bad bearer body boolean both bytes call
  cannot capability character characters check column content convert credentials decode deserialize disabled
  does doesn't element elements empty end entity enum event expected expired field fields file float forbidden format
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
const NAMED: readonly RegExp[] = [
  /\binput_value=.{0,300}?, input_type=\w{1,50}/gs,
  /\b[a-z][\w+.-]{1,20}:\/\/[^\s"'<>]{1,500}/gi,
  /"[^"\n]{0,80}"|`[^`\n]{0,80}`|“[^”\n]{0,80}”|‘[^’\n]{0,80}’|(?<![\p{L}\p{N}])'[^'\n]{0,80}'(?![\p{L}\p{N}])/gu,
  /\b\d{4}-\d\d-\d\d\b/g,
  /[<>≥≤]=?\s*-?\d[\d.]*/g,
  /\b(?:tools?|arguments?|parameters?|params?|fields?|property|methods?|prompts?|resources?|keys?|headers?|types?|for|at|get|post) [\w$./[\]:-]{1,100}/gi,
];

const BREAK =
  /[.!?](?=\s|$)|[:=](?!\s*\d)|[;,\n()[\]{}|>→—–•*]|\s-\s|\b(?:but|and|or|then|while|although|however|because|so|yet|aber|und|mais|et|pero)\b/i;

const PLACE = /^(?=.*[A-Za-z_])[\w$./-]{1,100}$/;

/** More unknown words than this tell a story. */
const MAX_UNKNOWN = 4;

function isComplaint(text: string, { isKnown, isPlain }: Judges): boolean {
  const at = text.search(/[[{]/);
  // Validators put a whole list behind their sentence.
  const list = at < 0 ? undefined : parseJson(text.slice(at));
  if (list !== undefined && !isPlain(list)) return false;
  const said = list === undefined ? text : text.slice(0, at);
  const bare = NAMED.reduce((rest, named) => rest.replace(named, (all) => ` ${keptOf(all)} `), said);
  return bare.split(BREAK).every((clause) => isClause(clause.trim(), isKnown));
}

/** The word that announces a name stays; a number never is one. */
function keptOf(named: string): string {
  const [, word, name] = /^(\p{L}+) (.+)$/u.exec(named) ?? [];
  if (word === undefined || name === undefined) return '';
  return /^\d+$/.test(name) || COMPLAINT.test(named) ? named : word;
}

function isClause(clause: string, isKnown: (word: string) => boolean): boolean {
  if (clause === '' || PLACE.test(clause) || isVague(clause)) return true;
  const found = wordsOf(clause);
  const unknown = found.filter((word) => !isKnown(word)).length;
  if (COMPLAINT.test(clause)) return unknown <= MAX_UNKNOWN;
  return unknown === 0 && found.some((word) => !/^\d+$/.test(word));
}
