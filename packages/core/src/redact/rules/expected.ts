/**
 * What a secret should have been, in whatever words it is said: by a validator, a backend or an author. Of types and
 * lengths it may be told; the very value may not, nor any of a list of them.
 */
import { isIdentifier, isPlain, isProse, looksGiven, stripEnd } from '../looks.ts';
import { mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { wordStarts, wordsIn } from '../word-starts.ts';
import { type KeyMeaning, meaningOfKey } from './keys.ts';
import { build } from './patterns.ts';
import { isTold, type Named, TYPES } from './received.ts';
import { namesSecret } from './said-names.ts';

const FILLERS =
  '(?: (?:only|exactly|equal(?: to)?|one of|any of|either|to be|to equal|the|following|allowed|constant|literal|enum|values?|strings?|choices|options|are|is)){0,6}';
/** What says how a value has to be. */
const DEMAND = build(
  `(?:(?:must|should|shall|has to|have to|needs? to|to) (?:only )?(?:be|equal|match|start with|end with|contain|include|read|have been)|expect(?:s|ed|ing)?|(?:allowed|valid|possible|permitted|accepted|available|legal|enum) (?:values|choices|options)|wanted|(?:one|any) of|does(?: not|n't) (?:match|equal)|(?:is|was) (?:wrong|incorrect)(?=:))${FILLERS}(?: (?:for|of) ["'\`]?[\\w.-]{1,60}["'\`]?(?=:))?(?=[\\s:=([{])[ \\t]{0,3}[:=]{0,3}[ \\t]{0,3}[([{]{0,2}`,
  'iy',
);
/** The first word of a demand. */
const STARTS = wordStarts(
  'must|should|shall|has|have|need|to|expect|allowed|valid|possible|permitted|accepted|available|legal|enum|wanted|one|any|does|is|was',
);
/** Many values rather than one. */
const OF_MANY = /\b(?:one|any) of\b|\b(?:values|choices|options)\b/i;
const BARE = /[^\s,;|()[\]{}"'`<>]{1,120}/y;
const BETWEEN_ITEMS =
  /[ \t]{0,3}(?:[,|/;][ \t]{0,3}(?:(?:or|and|oder|ou)[ \t]{1,3})?|(?:or|and|oder|ou)[ \t]{1,3})(?!(?:but|got|received|found|instead|at|in|for|was|is)\b)/iy;
/** What was received instead. */
const INSTEAD =
  /["'`\])]{0,3}[ ,;(]{1,3}(?:but |and )?(?:got|received|instead of|was|found|actual|given)(?: value)?[ :]{1,3}/iy;
const CLAUSE_END =
  /^["'`\])}]{0,3}(?:$|[\n,;)\]}]|[.!?:](?:\s|$)| (?:but|got|received|instead|found|at|in|for|or|and|\[)\b| [[({])/i;
const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '«': '»' };

const MOST_ITEMS = 30;
const LONGEST_VALUE = 200;
/** How far behind a name a demand may stand, and before it. */
const NEAR = 240;
const NEAR_BEHIND = 160;
/** How many of the names before a demand are asked, and behind it. */
const MOST_ASKED = 4;

/** Words that may stand between a name and what is demanded of it: the name of another thing may not. */
const CONNECTING = new Set(
  'is was are not invalid incorrect wrong bad input value values option enum literal mismatch mismatched does do match error failed failure field parameter argument property the it its this that validation constraint constant const but and which given data string n provided supplied entered sent must should has login check be for of with from rejected'.split(
    ' ',
  ),
);
/** What says of which field it was demanded, behind the values. */
const OF_FIELD = /^(?:at|for|in|of|field|path|param|parameter|property|argument|option)$/i;

const UNIT = /^ ?(?:to|-|–) ?\d|^ ?(?:characters?|chars?|digits?|letters?|symbols?|bytes?|bits?|words?|%)/i;
/** The same, as far as it is sure. */
const HARMLESS =
  /^(?:longer|shorter|changed|present|specified|unique|encoded|included|renewed|alphanumeric|numeric|ascii|uuid|unreadable|greater|fewer)$/i;
/** What a word says of a value, rather than being one. */
const QUALITY =
  /(?:ed|able|ible|ic|ive|al|case|ous|ful|less|ent|ant|er|y|en|id|ing|ly|unique|same|match|known|there|here|online|first|last|alone|private|public)$/i;

/** Part of a text that may be a value. */
interface Item {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

/** A demand: where its words start, where its values do, and of what it is made. */
interface Demand {
  readonly start: number;
  readonly end: number;
  readonly isOfMany: boolean;
  /** Whether brackets stand around the values. */
  readonly isEnclosed: boolean;
}

const SECRET: KeyMeaning = { class: 'secret', strength: 2, isNumber: false, isHint: true };

/** Marks what the secrets that a text names should have been; each stretch is read once. */
export function markExpected(page: Page): void {
  const names = page.switches.strict ? saidNames(page) : page.names;
  let done = 0;
  for (let at = 0; at < names.length; ) {
    const from = Math.max(done, (names[at]?.start ?? 0) - NEAR_BEHIND);
    const first = at;
    let to = 0;
    for (; at < names.length && (to === 0 || (names[at]?.start ?? 0) <= to); at++) {
      to = Math.min(page.text.length, Math.max(to, (names[at]?.end ?? 0) + NEAR));
    }
    readStretch(page, from, to, names, first);
    done = to;
  }
}

/** The same for a text under a telling name. */
export function markExpectedUnder(page: Page, start: number, end: number, name: string | undefined): void {
  const meaning = name === undefined ? undefined : meaningOfKey(name);
  const told = meaning && isTold(meaning) ? meaning : undefined;
  const isSaid = told || (name !== undefined && page.switches.strict && namesSecret(name));
  if (isSaid) {
    readStretch(page, start, Math.min(end, start + NEAR), [
      { start, end: start, meaning: told ?? SECRET, isPaired: false },
    ]);
  }
}

/** Words that were written for nobody are held to more names than others. */
function saidNames({ text, names }: Page): readonly Named[] {
  const found = [...text.matchAll(/[\w-]{2,60}(?: (?:code|answer)\b)?/g)]
    .filter(([word]) => namesSecret(word))
    .map(({ 0: { length }, index }) => {
      return { start: index, end: index + length, meaning: SECRET, isPaired: false };
    });
  return [...names, ...found].sort((a, b) => a.start - b.start);
}

/** `first`: the first of the names that end behind the start. */
function readStretch(page: Page, from: number, to: number, names: readonly Named[], first = 0): void {
  const { text } = page;
  let next = first;
  for (const start of wordsIn(STARTS, text, from, to)) {
    const words = matchAt(DEMAND, text, start)?.[0];
    if (words === undefined) {
      continue;
    }
    const demand: Demand = {
      start,
      end: start + words.length,
      isOfMany: OF_MANY.test(words),
      isEnclosed: /[([{]$/.test(words),
    };
    while (next < names.length && (names[next]?.end ?? 0) <= demand.start) {
      next++;
    }
    const items = itemsAt(page.text, demand);
    const last = items.at(-1);
    const near = names.slice(Math.max(0, next - MOST_ASKED), next + MOST_ASKED);
    const name = last && near.find((one) => isOf(page.text, demand, last.end, one));
    if (name) {
      markItems(page, demand, items, name.meaning);
    }
  }
}

/** The values at the end of a demand, as many as there are. */
function itemsAt(text: string, { end, isOfMany, isEnclosed }: Demand): Item[] {
  const items: Item[] = [];
  for (let at = end; items.length < MOST_ITEMS; ) {
    const item = itemAt(text, at);
    if (!item) {
      break;
    }
    items.push(item);
    const next = item.end + (item.isQuoted ? 1 : 0);
    const sign = matchAt(BETWEEN_ITEMS, text, next)?.[0];
    // Behind one bare value a comma goes on with something else.
    const isOver = sign?.includes(',') && !(item.isQuoted || isOfMany || isEnclosed);
    if (sign === undefined || isOver) {
      break;
    }
    at = next + sign.length;
  }
  return items;
}

function itemAt(text: string, at: number): Item | undefined {
  const close = CLOSING[text.charAt(at)];
  if (close !== undefined) {
    const length = text.slice(at + 1, at + 1 + LONGEST_VALUE).indexOf(close);
    return length > 0 ? { start: at + 1, end: at + 1 + length, isQuoted: true } : undefined;
  }
  const bare = matchAt(BARE, text, at)?.[0];
  const value = bare === undefined ? '' : stripEnd(bare, '.:!?');
  return value === '' ? undefined : { start: at, end: at + value.length, isQuoted: false };
}

/** Is it of this secret that something is demanded? Its name stands right before, in the demand, or right behind. */
function isOf(text: string, demand: Demand, end: number, name: Named): boolean {
  if (name.start >= end) {
    const between = text.slice(end, Math.min(name.start, end + NEAR_BEHIND));
    return between.length < NEAR_BEHIND && !/\n|[.!?]\s/.test(between) && leadsToField(between);
  }
  if (name.end > demand.start) {
    return name.end <= demand.end;
  }
  const between = text.slice(name.end, Math.min(demand.start, name.end + NEAR));
  return between.length < NEAR && isConnecting(between) && !/\n\s{0,20}\n/.test(between);
}

/** `, received 'x' at user.`: the last words, and a path. */
function leadsToField(between: string): boolean {
  const words = between.slice(between.lastIndexOf(',') + 1).split(/[^\w]+/);
  return words
    .filter((word) => word !== '')
    .slice(-MOST_STEPS)
    .some((word) => OF_FIELD.test(word));
}

const MOST_STEPS = 3;

const WORDS = /[\p{L}\d]+/gu;

/** Most texts are told at their first word. */
function isConnecting(between: string): boolean {
  WORDS.lastIndex = 0;
  for (let word = WORDS.exec(between); word; word = WORDS.exec(between)) {
    if (!CONNECTING.has(word[0].toLowerCase())) {
      return false;
    }
  }
  return true;
}

function markItems(page: Page, demand: Demand, items: readonly Item[], meaning: KeyMeaning): void {
  const { text } = page;
  const last = items.at(-1) as Item;
  const isWhole = CLAUSE_END.test(text.slice(last.end, last.end + 12));
  let isMarked = false;
  for (const item of items) {
    const value = text.slice(item.start, item.end);
    const isIt: boolean = isDemanded(value, text.slice(item.end, item.end + 12), {
      meaning,
      isQuoted: item.isQuoted || demand.isEnclosed,
      isOfMany: isWhole && (demand.isOfMany || (isMarked && items.length > 1)),
      // Of what was written for nobody a word too many is hidden rather than one too few.
      isStrict: page.switches.strict,
      isWord: isWhole && (meaning.class === 'password' || page.switches.strict),
    });
    isMarked = (isIt && mark(page, item.start, item.end, 'expected', meaning.class, STRUCTURE)) || isMarked;
  }
  const instead = isMarked ? matchAt(INSTEAD, text, last.end) : null;
  const received = instead && itemAt(text, last.end + instead[0].length);
  if (received && !isPlain(text.slice(received.start, received.end))) {
    mark(page, received.start, received.end, 'echo', meaning.class, STRUCTURE);
  }
}

interface Circumstances {
  readonly meaning: KeyMeaning;
  readonly isQuoted: boolean;
  /** One of many values, and nothing else follows them. */
  readonly isOfMany: boolean;
  /** Whether a word of letters alone, at the end of a clause, may be one. */
  readonly isWord: boolean;
  readonly isStrict: boolean;
}

/** Whether a word is a value that is demanded of a secret, and not what is said of one. */
function isDemanded(
  value: string,
  next: string,
  { meaning, isQuoted, isOfMany, isWord, isStrict }: Circumstances,
): boolean {
  const isPassword = meaning.class === 'password';
  if (
    value.length < 3 ||
    isPlain(value) ||
    TYPES.test(value) ||
    isProse(value) ||
    /^[/^]|[\\[\]{}]/.test(value)
  ) {
    return false;
  }
  if (/^\d+$/.test(value)) {
    return value.length > 3 && !UNIT.test(next) && (isPassword || meaning.class === 'otp' || isOfMany);
  }
  if (isQuoted || isOfMany) {
    return true;
  }
  if (/\d/.test(value)) {
    return (
      looksGiven(value) || (!isIdentifier(value) && value.length >= (isPassword ? 6 : 8) && !UNIT.test(next))
    );
  }
  return isWord && (isStrict ? !HARMLESS.test(value) : /^\p{L}{6,}$/u.test(value) && !QUALITY.test(value));
}
