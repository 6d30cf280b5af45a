import { looksGiven } from '../looks.ts';
import { matchAt, type Page } from '../page.ts';
import { nextOf } from '../runs.ts';
import { isAt, signSet } from '../sign-sets.ts';
import { closeAt, isQuery, isUnspaced, type Link, signLinkAt, skipBlanks } from './sign-link.ts';

/**
 * The value of a pair that is spelled out: `name: X, value: …`, `<add key="X" value="…">`, `variable "X" { default = … }`. Looks for a word with a sign
 * behind it first, as most names have neither.
 */
const ATTRIBUTE =
  /[,\s]\s{0,40}(?:\{\s{0,40})?(?=\\{0,7}["']?\w{1,16}\\{0,7}["']?\s{0,12}[:=])(?:\\{0,7}["']?\w{1,16}\\{0,7}["']?\s{0,12}[:=]\s?\\{0,7}["']?[\w ]{0,30}\\{0,7}["']?[,\s]\s{0,20}){0,3}\\{0,7}["']?(?:\w{0,12}value|val|content|data|string|received|input|default)\\{0,7}["']?\s{0,12}[:=]\s{0,3}/iy;
/** The text of an element, of the element after a `<key>`, of the part of a form. */
const ELEMENT =
  /(?:["'][^<>]{0,80}|\s[^<>]{0,200})?>\s{0,20}(?:<value>\s{0,20})?(?:<!\[CDATA\[)?|<\/key>\s{0,20}<string>|\n\[1\] |["'](?:;[^\r\n]{0,100})?(?:\r?\n|\\r\\n)(?:content-[^\r\n]{0,80}(?:\r?\n|\\r\\n))?(?:\r?\n|\\r\\n)/iy;
const WORDS =
  /[ \t]{1,3}(?:(?:de )?(?:api|acceso|acesso)[ \t]{0,2}|d['’]acc[eè]s[ \t]?|доступа|πρόσβασης|(?:(?:that )?you )?(?:provided|used|supplied|given|sent|received|entered|value|string|bytes|number|no\.?|#)(?=[ \t:=(])[ \t]{0,2})?(?:for (?:user )?(?![+(\d]|(?:the )?(?:private )?(?:key|keyfile|file|identity|certificate|archive|account|host|server|database|role|login|profile|wallet|vault|keystore|alias|device|network) ["'`“«])[^\s:=]{1,40} )?(?:(?:is|was|are|of|set to|changed to|ist|lautet|es|est|هي)(?:[ \t]{1,2}|:[ \t]{1,2}|:?(?=[\r\n]))|[:=][ \t]{0,3}){0,2}\(?(?:hex\): )?(?:[0579] (?=\S{6}))?/iy;
/** With which letters the words between them start; digits and signs start something, too. */
const WORD_STARTS =
  "de ap ac d' d’ до πρ yo pr us su gi se re en va st by nu no fo is wa ar of ch la es هي".split(' ');
const ASCII_STARTS = new Uint8Array(1 << 14);
for (const start of WORD_STARTS.filter((word) => /^[ -~]{2}$/.test(word))) {
  ASCII_STARTS[(start.charCodeAt(0) << 7) | start.charCodeAt(1)] = 1;
}
const SIGN_STARTS = signSet('#:=(0579');

const smallLetter = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

/** Whether one of the words may start at an offset. */
function mayStartWords(text: string, at: number): boolean {
  const first = smallLetter(text.charCodeAt(at));
  const second = smallLetter(text.charCodeAt(at + 1));
  return (
    isAt(SIGN_STARTS, text, at) ||
    (first < 128 && second < 128
      ? ASCII_STARTS[(first << 7) | second] === 1
      : WORD_STARTS.includes(text.slice(at, at + 2).toLowerCase()))
  );
}
const PARTICLES = signSet('はが是为為는은이가');
const AFTER_PARTICLES = signSet('“「『');
/** The kind of a value in YAML, or a name for it. */
const TAG =
  /^(?:!{1,2}(?!secret |env |env_var |include |vault |ref |sub |getatt |importvalue )\w{1,20}|&\w{1,20})[ \t]{1,4}/i;
/** A value alone in the line below its name, or after an empty one. */
const NEXT_LINE =
  /^(?:\r?\n[ \t]{0,40}){1,2}(?=["'][^"'\n]{3,120}["'][ \t]{0,4}(?:\r?\n|$)|[^\s:=]{6,120}[ \t]{0,4}(?:\r?\n|$))/;
/** The first item of a list below its name. */
const ITEM = /^\r?\n[ \t]{0,40}- (?=([^\s:="']{8,120})[ \t]{0,4}(?:\r?\n|$))/;
const COMPARISON = /(?:!==?|≠|<>)[ \t]{0,4}/y;
const COMPARES = signSet('!≠<');
const COMMA = /,[ \t]{0,12}(?=\\{0,7}["'`])/y;
const CALLS = /(?:define|putenv|setenv|header|fill|type|field|set|append)\(\s{0,4}\\{0,7}["'`][^"'`]{0,2}$/i;

const LONGEST_ELEMENT = 300;
const LONGEST_TAG = 202;
const TAB = 9;
const SPACE = 32;
const DASH = 45;
const GREATER = 62;
const DELETE = 127;

/** Finds out what ties a name to what follows it, if anything does. */
export function linkAt(page: Page, nameStart: number, nameEnd: number): Link | undefined {
  const { text } = page;
  const closed = closeAt(text, nameEnd);
  const signed = signLinkAt(text, nameStart, closed, valueStart);
  if (signed !== undefined) {
    return signed;
  }
  const { close, after } = closed;
  const blank = skipBlanks(text, after);
  const comparison = isAt(COMPARES, text, blank) ? matchAt(COMPARISON, text, blank) : null;
  if (comparison) {
    return { at: blank + comparison[0].length, tie: 'prose', close, isSpaced: true };
  }
  const member = tupleAt(text, nameStart, nameEnd);
  if (member >= 0) {
    return { at: member, tie: 'assigned', close };
  }
  const link = structureAt(page, nameStart, nameEnd, after);
  if (link >= 0) {
    return { at: link, tie: isQuery(text, nameStart) ? 'query' : 'assigned', close };
  }
  if (close !== '' && close !== ')') {
    return listedAt(text, nameStart, after, close);
  }
  if (text[after] === '(' && /["'`]/.test(text[after + 1] ?? '')) {
    const sets = /^(?:[\w$]{0,40}[._])?(?:set|with|use)[A-Z_a-z]{0,40}$/.test(text.slice(nameStart, nameEnd));
    return { at: after + 1, tie: sets ? 'assigned' : 'listed', close };
  }
  const code = text.charCodeAt(nameEnd - 1);
  if (isUnspaced(code)) {
    const at = behindParticle(text, after);
    return at < 0 ? undefined : { at, tie: 'prose', close };
  }
  const below = nextLine(text, blank);
  if (below > 0) {
    return { at: blank + below, tie: 'prose', close };
  }
  return blank > after ? proseLink(text, nameStart, after, blank, close) : undefined;
}

/** Where a value may start behind a name that ends at an offset, or behind the particle of it; -1 where none can. */
function behindParticle(text: string, nameEnd: number): number {
  const particle = isAt(PARTICLES, text, nameEnd) ? nameEnd + 1 : nameEnd;
  const code = text.charCodeAt(particle);
  const at = code === SPACE || code === TAB ? particle + 1 : particle;
  const first = text.charCodeAt(at);
  return (first > SPACE && first < DELETE) || (first > DELETE && isAt(AFTER_PARTICLES, text, at)) ? at : -1;
}

/** How far it is from the end of a line to the value that stands alone in the next one; 0 without one. */
function nextLine(text: string, at: number): number {
  const char = text.charAt(at);
  if (char !== '\n' && char !== '\r') {
    return 0;
  }
  const below = text.slice(at, at + 250);
  const item = ITEM.exec(below);
  return item && looksGiven(item[1] ?? '') ? item[0].length : (NEXT_LINE.exec(below)?.[0].length ?? 0);
}

/** After the sign: blanks; after an arrow also a line break; for a block of YAML the line after its mark. */
function valueStart(text: string, sign: number, end: number): number {
  const at = skipBlanks(text, end);
  const char = text.charAt(at);
  if ((char === '\n' || char === '\r') && text.charCodeAt(sign + 1) === GREATER) {
    return at + (/^\s{0,40}/.exec(text.slice(at, at + 40))?.[0].length ?? 0);
  }
  if (char === '*' && text.charAt(at + 1) === '*') {
    return skipBlanks(text, at + 2); // the end of bold letters
  }
  if (char === '!' || char === '&') {
    return at + (TAG.exec(text.slice(at, at + 60))?.[0].length ?? 0);
  }
  if (char === '\n' || char === '\r') {
    return at + nextLine(text, at);
  }
  if (char === '|' || char === '>') {
    return at + (/^[|>][+-]?\d?[ \t]{0,4}\r?\n[ \t]{1,40}/.exec(text.slice(at, at + 50))?.[0].length ?? 0);
  }
  return at;
}

/** A first look for {@link ELEMENT}: the end of a tag is near, or a line that may be the last of a part's head. */
function mayBeElement(page: Page, at: number): boolean {
  const { text } = page;
  return (
    '<\n'.includes(text.charAt(at)) ||
    ';\r\n\\'.includes(text.charAt(at + 1)) ||
    nextOf(page, '>', at) - at <= LONGEST_TAG
  );
}

const BEHIND_NAMES = signSet('>\'"</ ,\n\r\t\\');

/** Where the value starts if markup ties it to its name. */
function structureAt(page: Page, nameStart: number, nameEnd: number, after: number): number {
  const { text } = page;
  if (!isAt(BEHIND_NAMES, text, nameEnd)) {
    return -1;
  }
  const next = text.charAt(nameEnd);
  const before = text.charAt(nameStart - 1);
  const attribute = matchAt(ATTRIBUTE, text, after);
  if (attribute) {
    return after + attribute[0].length;
  }
  const isTag =
    before === '<' || before === ':' || (before === '>' && next === '<') || next === '"' || next === "'";
  const isElement = (isTag || text.charAt(nameStart) === '$') && mayBeElement(page, nameEnd);
  const element = isElement ? matchAt(ELEMENT, text, nameEnd) : null;
  const at = nameEnd + (element?.[0].length ?? 0);
  const isOpen = element?.[0].includes('>') && !text.slice(at, at + LONGEST_ELEMENT).includes('</');
  return element && !isOpen ? at : -1;
}

/** Behind the first of a pair of Erlang or Elixir: `{password,"…"}`, `{:token, "…"}`, `{"password", <<"…">>}`. */
const PAIR_END = /(?:,[ \t]{0,4}(?=["'<~])|["'](?:>>)?,[ \t]{0,4}(?=<<["']))/y;
const PAIR_START = /\{(?::|["']|<<["'])?$/;

/** Where the value starts in such a pair, or -1. */
function tupleAt(text: string, nameStart: number, nameEnd: number): number {
  return matchAt(PAIR_END, text, nameEnd) &&
    PAIR_START.test(text.slice(Math.max(0, nameStart - 4), nameStart))
    ? PAIR_END.lastIndex
    : -1;
}

/** The next item of a list: a value if the name is a flag or the argument of a call that sets something. */
function listedAt(text: string, nameStart: number, after: number, close: string): Link | undefined {
  const comma = matchAt(COMMA, text, after);
  if (!comma) {
    return undefined;
  }
  const sets =
    text.charCodeAt(nameStart) === DASH || CALLS.test(text.slice(Math.max(0, nameStart - 16), nameStart));
  return { at: after + comma[0].length, tie: sets ? 'assigned' : 'listed', close };
}

/** Words between a name and its value: `the token you provided is …`. A flag's value follows it as it is. */
function proseLink(text: string, nameStart: number, after: number, word: number, close: string): Link {
  const link = mayStartWords(text, word) ? (matchAt(WORDS, text, after)?.[0] ?? '') : text.slice(after, word);
  const isBlank = link.trim() === '';
  const isFlag = text.charCodeAt(nameStart) === DASH && isBlank;
  const isAligned = isBlank && (link.length > 1 || link === '\t');
  const tie = isFlag ? 'assigned' : isAligned || (!isBlank && /[:=]\s*$/.test(link)) ? 'colon' : 'prose';
  const at = after + link.length;
  return { at: isBlank && tie !== 'colon' ? at : at + nextLine(text, at), tie, close };
}
