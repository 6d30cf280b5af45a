import { isIdentifier, isResultCode, looksGiven } from '../looks.ts';
import { type Detector, holdsSurrogates, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, nextDigit, runEnd, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { isAt, signSet } from '../sign-sets.ts';
import { surrogateEnd } from '../surrogates.ts';
import { FOREIGN_WORDS } from './foreign-names.ts';
import { isHarmless, type KeyMeaning, type MeaningAt } from './key-meanings.ts';
import { markNumber } from './numbers.ts';
import { isUnspaced, type Link, type Tie } from './sign-link.ts';
import { gluedEnd, type ValueAt, valueAt } from './value-at.ts';
import { type Candidate, isSecret } from './verdict.ts';

/** Letters of any script in which a secret may be named. */
const isLetter = (code: number): boolean =>
  code >= 0xc0 && (code < 0x2000 || (code >= 0x3040 && code < 0xfe00));
const WORD = charSet(/[A-Za-z0-9-]/);
/** `.`, `$` and `-` join the parts of a name. */
const NAME = charSet(/[\w.$-]/, isLetter);
const LOWER = charSet(/[a-z]/);
const SCHEME =
  /(?:Bearer|Basic|Token|Digest|Negotiate|NTLM|Api-?Key|AWS4?(?:-HMAC-SHA256)?|Hawk|OAuth|SSWS|GoogleLogin|Key|JWT|DPoP|Signature)(?:[ \t]{1,3}|%20|[ \t]{0,3}\r?\n[ \t]{0,8})(?=[^\s"'`])/iy;
const MANY_PARTS = /digest|aws4|hawk|oauth|signature/i;
const PAIR = /[\\"'`\s]{0,8}[^\s=;(]{1,80}=/y;
const LOGIN = /[\w.@+-]{1,64} ?[/:] ?[^\s"'`,;]{4,64}/y;
/** Recovery codes come in lists. */
const CODES = /[\da-f]{4,6}-[\da-f]{4,6}(?:[ ,\n]{1,3}[\da-f]{4,6}-[\da-f]{4,6}){1,20}(?![\w-])/iy;
/** A code in groups, as people read it out. */
const GROUPED = /(?:\d{3}[ -]\d{3}|\d{2}(?:[ -]\d{2}){2,3}|\d{4}[ -]\d{4})(?![\w-]|[ .:]\d)/y;
const PHRASE = /["'`]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])/y;

/** `token count`, `token limit`: so many of them, and none by itself. */
const MEASURED = / (?:counts?|limits?|budgets?|usage|windows?|buckets?|counters?)(?![\w-])/iy;

const LONGEST_NAME = 40;
/** Scripts without blanks between words say in a few letters what a name says. */
const LONGEST_UNSPACED = 8;
const LONGEST_WORD = 24;
/** So much of a value is looked at. */
const JUDGED = 400;
/** A value inside which so many names were found, each with the rest of it as its value, goes unread. */
const MOST_NAMES = 8;
/** Up to a colon or a quote, or to the next word. */
const BEFORE_PHRASE = /[^\n:"'`]{0,60}(?:: ?|(?=["'`]))|:? /y;
const BRACKET = 91;
/** So far behind a name its value stands. */
const FURTHEST = 8;

/** How names are read: what they mean, what ties a value to one, and what else tells of a value. */
export interface NameReaders {
  readonly meaningAt: MeaningAt;
  /** What ties a name to what follows it, if anything does. */
  readonly linkAt: (page: Page, nameStart: number, nameEnd: number) => Link | undefined;
  /** Marks the value that was said before its name. */
  readonly markBefore?: (page: Page, nameStart: number, meaning: KeyMeaning) => void;
  /** Marks the rows below a name that is the head of a column. */
  readonly markColumn?: (page: Page, nameStart: number, nameEnd: number, meaning: KeyMeaning) => boolean;
  /** Marks what sentences tell of a name that no sign follows. `wordStart`: where the words begin that belong to it. */
  readonly markTold?: (
    page: Page,
    wordStart: number,
    nameStart: number,
    nameEnd: number,
    meaning: KeyMeaning,
  ) => void;
  /** Whether a name is to be known to those who read the whole page after it. */
  readonly isTold?: (meaning: KeyMeaning) => boolean;
}

/** Looks at a word that may name a secret (`password`, `token`, …), reads the whole name, and judges what follows. */
function detectNamed(readers: NameReaders, page: Page, start: number, end: number): void {
  const { text } = page;
  const { meaningAt } = readers;
  let nameEnd = isUnspaced(text.charCodeAt(end - 1)) ? end : runEnd(page, NAME, end);
  if (nameEnd - end > LONGEST_NAME) {
    return;
  }
  while (nameEnd > end && isPunctuation(text.charCodeAt(nameEnd - 1))) {
    nameEnd--;
  }
  if (nameEnd === page.named || start < page.covered) {
    return;
  }
  const most = isUnspaced(text.charCodeAt(start)) ? LONGEST_UNSPACED : LONGEST_NAME;
  const nameStart = Math.max(runStart(page, NAME, start), start - most);
  if (text.charCodeAt(nameStart - 1) === BRACKET && surrogateEnd(text, nameStart - 1) >= nameStart) {
    // The class of a surrogate, which is a secret's name as well.
    return;
  }
  const own = meaningAt(text, nameStart, nameEnd);
  const wordStart = wordsStart(meaningAt, page, nameStart, nameEnd);
  const joined = wordStart < nameStart ? meaningAt(text, wordStart, nameEnd) : undefined;
  const meaning = joined ?? own;
  if (!meaning) {
    return;
  }
  page.named = nameEnd;
  if (isHarmless(meaning) || matchAt(MEASURED, text, nameEnd)) {
    return;
  }
  // What stands before a name may belong to something else: `admin:aB3x auth admin:…`.
  const isOther = own && own.class !== meaning.class && own.strength > 0;
  const isMarked =
    judgeName(readers, page, nameStart, nameEnd, meaning) ||
    (isOther && judgeName(readers, page, nameStart, nameEnd, own));
  const before = page.spans.length;
  if (!isMarked) {
    readers.markTold?.(page, wordStart, nameStart, nameEnd, meaning);
  }
  if (readers.isTold?.(meaning) === true) {
    const isPaired = isMarked || (holdsSurrogates(page) && surrogateNear(text, nameEnd));
    const isOpen = !isPaired && page.spans.length === before;
    page.names.push({ start: nameStart, end: nameEnd, meaning, isPaired, isOpen });
  }
}

/** Whether the value behind a name is gone already. */
function surrogateNear(text: string, nameEnd: number): boolean {
  let at = nameEnd;
  while (at < nameEnd + FURTHEST && text.charCodeAt(at) !== BRACKET) {
    at++;
  }
  return at < nameEnd + FURTHEST && surrogateEnd(text, at) > at;
}

function judgeName(
  { markBefore, markColumn, linkAt }: NameReaders,
  page: Page,
  nameStart: number,
  nameEnd: number,
  meaning: KeyMeaning,
): boolean {
  if (meaning.strength >= 1) {
    if (meaning.isHint) {
      page.hint = nameEnd;
      page.hintHolds = meaning.holds;
    }
    if (meaning.strength > 1) {
      page.toldEnd = nameEnd;
      page.told = meaning;
    }
    markBefore?.(page, nameStart, meaning);
  }
  // Before anything else: what stands alone in the next line may be the first row.
  if (markColumn?.(page, nameStart, nameEnd, meaning) === true) {
    return true;
  }
  const link = linkAt(page, nameStart, nameEnd);
  return link !== undefined && judgeLink(page, nameStart, nameEnd, meaning, link);
}

function isPunctuation(code: number): boolean {
  return code === 45 || code === 46 || code === 36;
}

/** Where a name starts with the two words in front that belong to it (`client secret key`), or with one. */
function wordsStart(meaningAt: MeaningAt, page: Page, start: number, end: number): number {
  const second = wordBefore(page, start);
  const third = second < start ? wordBefore(page, second) : second;
  if (third < second && meaningAt(page.text, third, end)) {
    return third;
  }
  return second < start && meaningAt(page.text, second, end) ? second : start;
}

/** Where the word before an offset starts, if a single space parts them; else the offset. */
function wordBefore(page: Page, at: number): number {
  if (page.text.charCodeAt(at - 1) !== 32 || page.text.charCodeAt(at) === 45) {
    // A flag stands for itself.
    return at;
  }
  const start = Math.max(runStart(page, WORD, at - 1), at - LONGEST_WORD);
  return start === at - 1 ? at : start;
}

/** Judges what a name is linked to. Tells whether it was a value at all. */
function judgeLink(page: Page, nameStart: number, nameEnd: number, meaning: KeyMeaning, link: Link): boolean {
  const { text } = page;
  const { at, tie } = link;
  if (meaning.class === 'credentials' && tie !== 'query') {
    const pair = matchAt(LOGIN, text, at)?.[0];
    const isSaid = tie === 'prose' && pair?.includes(' ');
    if (pair && !isSaid && /\d/.test(pair.slice(pair.search(/[/:]/))) && !/:\/\//.test(pair)) {
      return mark(page, at, at + pair.length, 'assignment', 'credentials', STRUCTURE);
    }
  }
  if (
    (meaning.strength < 1 && meaning.holds === undefined && tie !== 'query') ||
    (tie === 'prose' && isLowerWord(page, at))
  ) {
    return meaning.class === 'private-key' && markPhrase(page, at);
  }
  if (meaning.isNumber) {
    return markNumber(page, at, meaning.class);
  }
  if (meaning.class === 'otp' && matchAt(GROUPED, text, at)) {
    return mark(page, at, GROUPED.lastIndex, 'assignment', 'otp', STRUCTURE);
  }
  if (meaning.class === 'private-key' && markPhrase(page, at)) {
    return true;
  }
  return markSecret(page, link, meaning, text.slice(nameStart, nameEnd));
}

const WORD_ENDS = signSet(' .,:;!?)\n');

/** A word of a sentence: small letters, then a blank or punctuation. Nothing that is only tied by words is less. */
function isLowerWord(page: Page, at: number): boolean {
  const end = runEnd(page, LOWER, at);
  return end > at && end - at < 20 && (end >= page.text.length || isAt(WORD_ENDS, page.text, end));
}

/** The words from which a wallet is restored: twelve or more short ones, none of which English sentences need. */
function markPhrase(page: Page, at: number): boolean {
  const words = matchAt(PHRASE, page.text, at)?.[1];
  if (
    !words ||
    / (?:the|and|for|with|from|that|this|are|was|not|you|your|has|have|can|must|but) /.test(words)
  ) {
    return false;
  }
  return mark(page, PHRASE.lastIndex - words.length, PHRASE.lastIndex, 'mnemonic', 'private-key', STRUCTURE);
}

/** The same behind a few words that say what is wrong with it. */
function markPhraseNear(page: Page, end: number): void {
  const [whole = ''] = matchAt(BEFORE_PHRASE, page.text, end) ?? [];
  if (whole !== '' && end >= page.covered) {
    markPhrase(page, end + whole.length);
  }
}

function markSecret(page: Page, link: Link, meaning: KeyMeaning, name: string): boolean {
  const { text } = page;
  const { at: from, tie, close, isSpaced } = link;
  const header = meaning.class === 'credentials' || meaning.class === 'cookie';
  if (!header && holdsSurrogates(page) && isGone(text, from)) {
    return false;
  }
  const scheme = header && tie !== 'prose' ? (matchAt(SCHEME, text, from)?.[0] ?? '') : '';
  const mayBeLine =
    header && tie !== 'prose' && tie !== 'query' && (meaning.class === 'cookie' || MANY_PARTS.test(scheme));
  const wholeLine = mayBeLine && (scheme !== '' || matchAt(PAIR, text, from) !== null);
  // A cookie may be told without its name.
  if (mayBeLine && !wholeLine && meaning.class !== 'cookie') {
    return false;
  }
  const value =
    wholeLine && scheme !== ''
      ? lineAt(page, from + scheme.length)
      : valueAt(page, from + scheme.length, wholeLine);
  if (!value || value.end <= value.start || surrogateEnd(text, value.start) >= value.end) {
    return false;
  }
  if (value.areBytes === true && meaning.strength > 1) {
    return mark(page, value.start, value.end, 'assignment', meaning.class, STRUCTURE);
  }
  let at = value.start;
  let { end } = value;
  if (isPlaceholder(text, value)) {
    return false;
  }
  if (value.quoted && header && tie !== 'prose') {
    at += matchAt(SCHEME, text, at)?.[0].length ?? 0;
  }
  if (meaning.class === 'cookie' && /^set-?cookie/i.test(name)) {
    at += /^[^=;]{0,200}=|/.exec(text.slice(at, end))?.[0].length ?? 0;
    const semicolon = text.slice(at, end).indexOf(';');
    end = semicolon > 0 ? at + semicolon : end;
  }
  page.valueNames = page.valueEnd === value.end ? page.valueNames + 1 : 0;
  page.valueEnd = value.end;
  const content = text.slice(at, Math.min(end, at + JUDGED));
  const next = text.slice(end, end + 2);
  const candidate = {
    value: content,
    tie: scheme === '' ? tie : 'colon',
    meaning,
    name,
    quoted: value.quoted,
    next,
    isSpaced,
  } as const;
  const isBare = !(value.quoted || wholeLine) && scheme === '' && meaning.isHint && meaning.strength >= 2;
  const signs = tie === 'query' ? QUERY_GLUE : GLUE;
  // Without a digit near, what goes on behind a sign looks like no secret.
  const mayGoOn = isBare && isAt(signs, text, end);
  const glued = mayGoOn && isDigitNear(page, at, end) ? gluedEnd(page, end, signs) : end;
  const isWhole = glued > end && looksGiven(text.slice(at, Math.min(glued, at + JUDGED)));
  if (isElse(candidate, text, at) || (page.valueNames < MOST_NAMES && !isWhole && !isSecret(candidate))) {
    return false;
  }
  end = mayGoOn ? gluedEnd(page, end, signs) : end;
  // A number in JSON becomes a text.
  const bareNumber = close !== '' && !value.quoted && /["'`]$/.test(close) && /^[\d.]+$/.test(content);
  const quote = bareNumber ? close.replace(/[\])]/g, '') : '';
  if (meaning.class === 'otp' && matchAt(CODES, text, at)) {
    end = Math.max(end, CODES.lastIndex);
  }
  return mark(page, at, end, ruleOf(tie, name, header, meaning), meaning.class, STRUCTURE, quote);
}

/** A place to be filled in, or an element. */
function isPlaceholder(text: string, { start, end, quoted }: ValueAt): boolean {
  const isOpened = text.charAt(start - 1) === '<' && !quoted;
  return isOpened && !looksGiven(text.slice(start, Math.min(end, start + JUDGED)));
}

/** What somebody comes in with is no sentence about it. */
const HEADER_BEFORE = /authori[sz]ation\W{1,5}\w{0,20}\W{0,3}$/i;

/** A sentence about a session tells its id to whoever sent it; what Windows says of a password is no password. */
function isElse(
  { value, meaning, tie }: Pick<Candidate, 'value' | 'meaning' | 'tie'>,
  text: string,
  at: number,
): boolean {
  if (HEADER_BEFORE.test(text.slice(Math.max(0, at - 50), at))) return false;
  return (meaning.class === 'session' && tie === 'prose' && isIdentifier(value)) || isResultCode(value);
}

/** Whether a surrogate is all that stands at an offset, in quotes or without. */
function isGone(text: string, from: number): boolean {
  let at = from;
  while (at - from < FURTHEST && isAt(QUOTES, text, at)) {
    at++;
  }
  const end = surrogateEnd(text, at);
  const close = text.charAt(at - 1);
  return end > at && (at === from || text.startsWith(close, end) || text.startsWith(`\\${close}`, end));
}

const QUOTES = signSet('\\"\'`');
/** Signs over which a value may go on. */
const GLUE = signSet('&;,|)');
const QUERY_GLUE = signSet(',');

/** Whether a digit stands in a value, or not far behind it. */
function isDigitNear(page: Page, start: number, end: number): boolean {
  return nextDigit(page, start) - end < JUDGED;
}

/** A header of many parts, quotes and all, to the end of the line or of the text it is quoted in. */
function lineAt(page: Page, start: number): ValueAt {
  const end = Math.min(runEnd(page, PARTS, start), start + JUDGED);
  const line = page.text.slice(start, end);
  const isOdd = /["'`]$/.test(line) && line.split(line.slice(-1)).length % 2 === 0;
  return { start, end: isOdd ? end - 1 : end, quoted: false };
}

const PARTS = charSet(/[^\r\n\\<>{}]/, () => true);

function ruleOf(tie: Tie, name: string, header: boolean, meaning: KeyMeaning): string {
  if (tie === 'query') {
    return 'query-secret';
  }
  if (meaning.holds !== undefined && !name.startsWith('-')) {
    return 'weak-name';
  }
  return name.startsWith('-') ? 'command-line' : header ? 'header' : 'assignment';
}

/** Stems of the names that {@link meaningAt} knows. */
const STEMS =
  'pass,pwd,pw,psk,psw,secret,token,key,auth,cred,sess,sid,cookie,jwt,sig,hmac,mnemonic,phrase,salt,pepper,otp,pin,cvv,cvc,csc,code,bearer,ticket,verifier,nonce,rlkey,community,remember,ak=,sk=,appid,client_id=,state=,st=,policy=,hash=,access=,pat=,pat:,credential=,response=,dob,birth,geburtsdatum,naci,naiss,card,kartennummer,iban,account,sort code,sortcode,routing,ssn,security,national,tax,mrn,medical';

/** Triggers for names. */
export function nameTriggers(readers: NameReaders): Trigger[] {
  const names = [...STEMS.split(','), ...FOREIGN_WORDS].map((stem) => {
    const tail = /[=:]$/.test(stem) ? 1 : 0;
    const detect: Detector = (page, start, end) => detectNamed(readers, page, start, end - tail);
    return [stem, detect] as const;
  });
  const phrases = 'words,wallet,seed,mnemonic,phrase,bip00,bip-00'
    .split(',')
    .map((word) => [word, (page: Page, _start: number, end: number) => markPhraseNear(page, end)] as const);
  return [...names, ...phrases];
}
