/** Takes a noun phrase apart: `the blog post with id 12 in …` is a blog post, and 12. */
import type { Subject } from '../fault.ts';
import {
  ANY_NAME,
  BARE_NAME,
  CLAUSES,
  COMMON,
  DETERMINERS,
  GERUNDS,
  LABELS,
  MODIFIERS,
  NO_NAME,
  NO_TYPE,
  OF_DATA,
  PEOPLE,
  QUALIFIERS,
  TELLS_APART,
  TOGETHER,
} from './thing-words.ts';

/** Longer ones are descriptions. */
const MOST_NOUNS = 3;
const LONGEST_TYPE = 40;
const LONGEST_ID = 120;
const MOST_WORDS = 24;

const WORDS = /"[^"]*"(?:\([^()]*\))?|'[^']*'|`[^`]*`|“[^”]*”|«[^»]*»|[\w.$]+\([^()]*\)|[^\s,]+/g;
/** What a function takes is no part of its name. */
const TAKES = /(?<=[\w$"])\([^()]*\)$/;
const QUOTED = /^["'`“«]\s?(.*?)\s?["'`”»][.:;]?$/s;
/** A word as a dictionary has it, the name of a class, or an abbreviation. */
const NOUN = /^[A-Za-zÀ-ÿ][a-zß-ÿ]+(?:-[a-zß-ÿ]+)*$/;
const CLASS = /^(?:[A-Z][a-z]+){2,3}$/;
const SHORT = /^[A-Z]{2,4}$/;
/** What no dictionary has. */
const NAME = /[\d_/@#.\\]|\w:\w|[A-Za-zÀ-ÿ]-[A-Za-zÀ-ÿ]|[a-zß-ÿ][A-ZÀ-Þ]|^[A-ZÀ-Þ]{2,}$/;
const BRACKETED = /^(?:\[(?<square>[^\]]+)\]|\((?<round>[^()]+)\))[.:;]?$/;
/** What is closed by it ends a phrase. */
const CLOSES = /[.;!?)\]]+$/;

/** How sure it is that a phrase is about a thing, before its words are looked at. */
export interface PhraseContext {
  /** "No such …", "there is no …": whatever comes is a thing. */
  readonly isOfThing?: boolean;
  /** What stands behind the predicate: "Project not found: apollo". */
  readonly behind?: string | undefined;
}

/** A phrase on its way: the words of it, and how far they are read. */
interface Phrase {
  readonly words: readonly string[];
  at: number;
  isDetermined: boolean;
  /** Its determiner is not English, where every noun may be capital. */
  isForeign: boolean;
  /** A colon follows the thing, so that what comes is its name. */
  isAnnounced: boolean;
}

/** The thing that a phrase names; nothing where it is a clause, a name alone, or names more than one. */
export function thingOf(text: string, context: PhraseContext = {}): Subject | undefined {
  const words = text.match(WORDS)?.slice(0, MOST_WORDS) ?? [];
  const phrase: Phrase = { words, at: 0, isDetermined: false, isForeign: false, isAnnounced: false };
  skipArticles(phrase);
  const nouns = nounsIn(phrase)?.filter(isNoLabel);
  if (nouns === undefined || nouns.length === 0 || nouns.length > MOST_NOUNS) return undefined;
  // "The server responded 404": that is no thing, and what comes is no name.
  if (isParticiple((nouns.at(-1) as string).toLowerCase())) return undefined;
  const said = idIn(phrase) ?? bareName(nouns);
  if (!isOver(phrase)) return undefined;
  const id = said ?? (context.behind === undefined ? undefined : idBehind(context.behind));
  const isNamed = said !== undefined || (id !== undefined && /^[A-ZÀ-Þ]/.test(nouns[0] as string));
  if (!isNamed && !isCertain(nouns, phrase, context)) return undefined;
  const type = typeOf(nouns, isNamed);
  if (type === undefined) return undefined;
  const kept = id === undefined ? undefined : keptId(id, nouns);
  return kept === undefined ? { type } : { type, id: kept };
}

/** "Repository name", "coupon code": what it is told apart by is no part of what it is. */
function isNoLabel(noun: string, at: number, nouns: readonly string[]): boolean {
  return (
    at === 0 ||
    at < nouns.length - 1 ||
    !LABEL.test(noun) ||
    !COMMON.has((nouns[at - 1] as string).toLowerCase())
  );
}

const LABEL = /^(?:code|id|identifier|name|number|slug|uuid)$/i;

function skipArticles(phrase: Phrase): void {
  for (; phrase.at < phrase.words.length; phrase.at++) {
    const word = (phrase.words[phrase.at] as string).toLowerCase();
    if (DETERMINERS.has(word)) {
      phrase.isDetermined = true;
      phrase.isForeign ||= !ENGLISH.test(word);
    } else if (!MODIFIERS.has(word) && /[\w"'`“«À-ÿ]/.test(word)) return;
  }
}

const ENGLISH = /^(?:an?|th(?:e|is|at|ese|ose)|your|our|my|their|his|her|its|any|each|some)$/;

/** The words that a thing is called by; nothing where one of them shows that it is none. */
function nounsIn(phrase: Phrase): string[] | undefined {
  const nouns: string[] = [];
  for (; phrase.at < phrase.words.length && !phrase.isAnnounced; phrase.at++) {
    const said = withoutArticle(phrase.words[phrase.at] as string);
    const word = withoutGroup(said.endsWith(':') ? said.slice(0, -1) : said, phrase);
    const lower = word.toLowerCase();
    if (nouns.length > 0 && (QUALIFIERS.has(lower) || (LABELS.has(lower) && !isLast(phrase)))) break;
    if (!isNoun(word, nouns.length) && !(nouns.length === 0 && isSnake(word, said, phrase))) break;
    if (CLAUSES.has(lower) || (lower.endsWith('ing') && !GERUNDS.has(lower))) return undefined;
    if (QUALIFIERS.has(lower) || DETERMINERS.has(lower)) return undefined;
    if (isParticiple(lower) && NOUN.test(phrase.words[phrase.at + 1] ?? '')) continue;
    phrase.isAnnounced = said.endsWith(':');
    nouns.push(word);
  }
  return nouns;
}

/** Kubernetes names the group of a type behind it: `deployments.apps "api"`. */
function withoutGroup(word: string, { words, at }: Phrase): string {
  return word.includes('.') && words[at + 1]?.startsWith('"') === true ? word.replace(GROUP, '') : word;
}

const GROUP = /(?<=^[a-z]{2,30}s)(?:\.[a-z\d]{2,20}){1,4}$/;

/** French elides it: `l'article`. */
function withoutArticle(word: string): string {
  return word.charAt(0).toLowerCase() === 'l' ? word.replace(/^l['’]/i, '') : word;
}

/** "Shared", "restricted"; a bed and a feed are things. */
function isParticiple(word: string): boolean {
  return word.endsWith('ed') && /[a-z]{4}ed$/.test(word) && !COMMON.has(word);
}

function isLast({ words, at }: Phrase): boolean {
  return at === words.length - 1;
}

/** "No such payment_intent: 'pi_3'": a type as programs write it, since its name follows. */
function isSnake(word: string, said: string, { words, at }: Phrase): boolean {
  return SNAKE.test(word) && (said.endsWith(':') || QUOTED.test(words[at + 1] ?? ''));
}

const SNAKE = /^[a-z]{2,20}(?:_[a-z]{2,20}){1,3}$/;

function isNoun(word: string, before: number): boolean {
  if (before === 0) return NOUN.test(word) || CLASS.test(word) || SHORT.test(word);
  return NOUN.test(word) && !/-/.test(word);
}

/** What it is told apart by, when that comes next. */
function idIn(phrase: Phrase): string | undefined {
  const { words } = phrase;
  let { at } = phrase;
  let isLabelled = phrase.isAnnounced;
  const isWith = /^(?:with|by|mit|avec|con)$/i.test(words[at] ?? '');
  if (isWith) at += DETERMINERS.has(lowerAt(words, at + 1)) ? 2 : 1;
  if (isWith && lowerAt(words, at) === 'global') at++;
  while (LABELS.has(lowerAt(words, at)) || (isWith && !isLabelled && tellsApart(lowerAt(words, at)))) {
    isLabelled = true;
    at++;
  }
  if (isLabelled && isWith && lowerAt(words, at) === 'of') at++;
  const last = words[at];
  if (last === undefined || (at > phrase.at && !isLabelled)) return undefined;
  const word = last.replace(TAKES, '');
  const quoted = QUOTED.exec(word)?.[1] ?? bracketed(word);
  const bare = word.replace(CLOSES, '');
  // One word alone after a colon is a name, whatever it is; more of them explain.
  const isName = NAME.test(bare) || word !== last || (isLabelled && isEnd(words, at + 1));
  if (quoted === undefined && !isName) return undefined;
  phrase.at = at + 1;
  return quoted ?? bare.replace(/^#(?=.)/, '');
}

/** "With the key", "with dag_id". */
function tellsApart(word: string): boolean {
  return TELLS_APART.has(word) || /_(?:id|key|name|slug)$/.test(word);
}

/** Does nothing come, or only what qualifies? */
function isEnd(words: readonly string[], at: number): boolean {
  return at >= words.length || QUALIFIERS.has(lowerAt(words, at));
}

/** "Collection [notes]", "cluster (eu-1)"; a word in round brackets is a remark. */
function bracketed(word: string): string | undefined {
  const { square, round = '' } = BRACKETED.exec(word)?.groups ?? {};
  return square ?? (isName(round) ? round : undefined);
}

/** Is it a word that no dictionary has? */
export function isName(word: string): boolean {
  return NAME.test(word);
}

/** "Role editor": a word behind what is told apart by words is its name, unless the two are called something together. */
function bareName(nouns: string[]): string | undefined {
  const name = nouns.at(-1) as string;
  const thing = lowerOf(nouns.at(-2) ?? '');
  const lower = name.toLowerCase();
  if (nouns.length < 2 || !BARE_NAME.has(thing) || NO_TYPE.has(lower)) return undefined;
  const isMany = OF_DATA.has(thing) && isOfMany(lower);
  const isProper = /^[A-Z][a-z]/.test(name) && /^[a-z]/.test(nouns.at(-2) as string) && !isCalled(lower);
  if (
    !isMany &&
    !isProper &&
    !(ANY_NAME.has(thing) ? !isCalled(lower) || AGENT.test(lower) : isNameOnly(lower))
  )
    return undefined;
  nouns.pop();
  return name;
}

/** With the word before it, what something is called, whatever that is. */
function isCalled(word: string): boolean {
  const one = singular(word);
  return NO_NAME.has(one) || TOGETHER.has(one);
}

function isNameOnly(word: string): boolean {
  const one = singular(word);
  return !NO_NAME.has(one) && !COMMON.has(one) && !PEOPLE.has(one);
}

/** Who does something: roles are called so. */
const AGENT = /(?:[eo]r|admin)$/;
const PART = /^(?:cell|column|constraint|field|partition|row|statistic)s$/;

/** A table is called by what its rows are; columns are a part of it. */
function isOfMany(word: string): boolean {
  return singular(word) !== word && !PART.test(word);
}

function lowerAt(words: readonly string[], at: number): string {
  return (words[at] ?? '').toLowerCase().replace(/[:.]$/, '');
}

/** Does nothing follow but what qualifies it? */
function isOver({ words, at }: Phrase): boolean {
  return at >= words.length || QUALIFIERS.has(lowerAt(words, at)) || /^[([–-]/.test(words[at] as string);
}

const BEHIND =
  /^(?:\s?:\s|\s\()\s{0,2}("[^"]*"|'[^']*'|`[^`]*`|[^\s,;()]+)[).!]{0,2}(?=$|\s[^\p{L}]|[.;,\n])/u;
const WITH_ID = /^\s(?:with|for) (?:the )?(?:id|name|number):? ("[^"]*"|'[^']*'|[^\s,;()]+)/i;

/** What something is told apart by, behind what is said of it. */
export function idBehind(text: string): string | undefined {
  const [, word] = WITH_ID.exec(text) ?? BEHIND.exec(text) ?? [];
  return word === undefined ? undefined : (QUOTED.exec(word)?.[1] ?? word.replace(CLOSES, ''));
}

/** Without an id, an article or a word that is known has to show that it is no name of something. */
function isCertain(nouns: readonly string[], phrase: Phrase, { isOfThing }: PhraseContext): boolean {
  const head = nouns.at(-1) as string;
  const isKnown = COMMON.has(singular(lowerOf(head))) || COMMON.has(lowerOf(head));
  if (isKnown) return true;
  // "Project manager", "project apollo": which it is cannot be told.
  if (nouns.some((noun) => COMMON.has(noun.toLowerCase()))) return false;
  if (!phrase.isDetermined && isOfThing !== true) return false;
  return phrase.isForeign ? nouns.length === 1 : nouns.every((noun) => /^[a-zß-ÿ]/.test(noun));
}

/** The last word of a class's name counts. */
function lowerOf(noun: string): string {
  const said = snake(noun);
  return said.slice(said.lastIndexOf('_') + 1);
}

function snake(noun: string): string {
  if (PLAIN.test(noun)) return noun;
  return (CLASS.test(noun) ? noun.replace(/(?<=[a-z])(?=[A-Z])/g, '_') : noun)
    .replaceAll('-', '_')
    .toLowerCase();
}

/** What things that are called so are, as one word. */
export function typeOf(nouns: readonly string[], isNamed: boolean): string | undefined {
  const head = lowerOf(nouns.at(-1) as string);
  const one = COMMON.has(head) ? head : singular(head);
  if (
    nouns.length === 1 && !CLASS.test(nouns[0] as string)
      ? (NO_TYPE.has(one) || NO_TYPE.has(head)) && !(isNamed && one === 'path')
      : NO_HEAD.test(one)
  )
    return undefined;
  if (
    OF_CALLS.test(nouns[0] as string) ||
    nouns.some((noun) => /^[A-Z]{3,}$/.test(noun) && OF_CALLS.test(noun))
  )
    return undefined;
  const type = nouns.map(snake).join('_');
  const isPlural = one !== head && (!isNamed || COMMON.has(one));
  const said = isPlural ? type.slice(0, type.length - head.length) + one : type;
  return said.length > LONGEST_TYPE || (NO_TYPE.has(said) && said !== 'path') ? undefined : said;
}

const PLAIN = /^[a-z]+$/;

/** What these are called says nothing, whatever stands before them. */
const NO_HEAD =
  /^(?:access|action|body|code|credential|data|entity|entry|error|exception|item|key|login|match|name|object|one|operation|password|payload|permission|record|resource|response|result|right|secret|setting|signature|status|thing|time|token|url|uri|value|variable|way)$/;
/** Nor do words that begin a name of something in a call. "Pull request" is none. */
const OF_CALLS =
  /^(?:[Ee]rrors?|[Ee]xceptions?|[Rr]equests?|[Rr]esponses?|[Ss]tatus|[Aa][Pp][Ii]|https?|HTTPS?|GET|PUT|POST|PATCH|HEAD|DELETE)$/;
const IRREGULAR = /(?:ss|us|is|news|series|species|canvas|lens|atlas|alias|chaos|kudos|gas)$/;

/** The singular of a regular plural. */
function singular(word: string): string {
  if (!word.endsWith('s') || word.length < 4 || IRREGULAR.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(?:x|ch|sh|ss|z)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** How programs write that there is none. */
const VOID = /^(?:undefined|null|none|nil|nan|empty|unknown|\[object Object\])$/i;

/** An id as it may be kept: short, and no name of a person. */
export function keptId(id: string, nouns: readonly string[]): string | undefined {
  if (id === '' || id.length > LONGEST_ID || /[\n\r]/.test(id) || VOID.test(id)) return undefined;
  const isPerson = nouns.some((noun) => PEOPLE.has(noun.toLowerCase()));
  return isPerson && !/[\d@]/.test(id) ? undefined : id;
}
