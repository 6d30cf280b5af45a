/**
 * What no match of an expression is without: some strings, one of which stands in every text that it matches. Found in
 * the expression itself, so that nobody has to keep a list beside it.
 */

/** Alternatives in small letters: a match holds one of them. */
type Strings = readonly string[];

/** Strings of which every match holds one. */
interface Needed {
  readonly strings: Strings;
  /** How many texts hold one of them, roughly and among themselves. */
  readonly often: number;
}

/** What a part of an expression matches. */
interface Part {
  /** All that it can match, where that is a few strings. */
  readonly exact: Strings | undefined;
  /** Nothing where nothing is known. */
  readonly needed: Needed | undefined;
}

/** More alternatives than this are not worked out; fewer where both of two parts have several. */
const MOST = 48;
const MOST_JOINED = 16;
/** Shorter strings stand in nearly every text. */
export const SHORTEST = 4;

const ANYTHING: Part = { exact: undefined, needed: undefined };
const NOTHING: Part = { exact: [''], needed: undefined };

/** The strings of which every match of an expression holds one, in small letters; nothing where there are none. */
export function neededBy({ source }: RegExp): Strings | undefined {
  const reader: Reader = { source, at: 0 };
  const needed = asNeeded(choice(reader));
  return needed === undefined ? undefined : shortestOf(needed.strings);
}

interface Reader {
  readonly source: string;
  at: number;
}

function choice(reader: Reader): Part {
  const branches = [sequence(reader)];
  while (reader.source.charAt(reader.at) === '|') {
    reader.at++;
    branches.push(sequence(reader));
  }
  return branches.length === 1 ? (branches[0] as Part) : either(branches);
}

function either(branches: readonly Part[]): Part {
  const exact = branches.flatMap((branch) => branch.exact ?? []);
  if (exact.length <= MOST && branches.every((branch) => branch.exact !== undefined))
    return { exact, needed: undefined };
  const needed = branches.map(asNeeded);
  if (!needed.every((one) => one !== undefined)) return ANYTHING;
  const strings = needed.flatMap((one) => one.strings);
  return { exact: undefined, needed: { strings, often: needed.reduce((sum, { often }) => sum + often, 0) } };
}

/** What a part is needed by, whether or not it is all that it matches. */
function asNeeded({ exact, needed }: Part): Needed | undefined {
  return rarer(needed, exact === undefined ? undefined : neededOf(exact));
}

function sequence(reader: Reader): Part {
  let run: Strings = [''];
  let needed: Needed | undefined;
  let isExact = true;
  while (reader.at < reader.source.length && !'|)'.includes(reader.source.charAt(reader.at))) {
    const part = repeated(reader, atom(reader));
    needed = rarer(needed, part.needed);
    const joined =
      part.exact !== undefined && canJoin(run, part.exact) ? product(run, part.exact) : undefined;
    if (joined !== undefined) run = joined;
    else {
      needed = rarer(needed, neededOf(run));
      isExact = false;
      run = part.exact ?? [''];
    }
  }
  return isExact ? { exact: run, needed } : { exact: undefined, needed: rarer(needed, neededOf(run)) };
}

function canJoin({ length }: Strings, behind: Strings): boolean {
  const isSmall = length === 1 || behind.length <= 2;
  return length * behind.length <= (isSmall ? MOST : MOST_JOINED);
}

function product(before: Strings, behind: Strings): Strings {
  return behind.length === 1 && behind[0] === ''
    ? before
    : before.flatMap((one) => behind.map((other) => one + other));
}

/** A part and how often it comes. */
function repeated(reader: Reader, part: Part): Part {
  const [sign = '', least] = HOW_OFTEN.exec(reader.source.slice(reader.at, reader.at + 12)) ?? [];
  if (sign === '') return part;
  reader.at += sign.length;
  if (sign.startsWith('?'))
    return part.exact === undefined ? ANYTHING : { exact: [...part.exact, ''], needed: undefined };
  if (sign.startsWith('*') || least === '0') return ANYTHING;
  return { exact: undefined, needed: asNeeded(part) };
}

const HOW_OFTEN = /^(?:[?*+]|\{(\d+)(?:,\d*)?\})\??/;

/** Letters and signs that stand for themselves, up to one that is repeated. */
const PLAIN = /[\w ,:;'"!<>=@#%&/~-]+(?![?*+{])/y;

function atom(reader: Reader): Part {
  PLAIN.lastIndex = reader.at;
  const plain = PLAIN.exec(reader.source)?.[0];
  if (plain !== undefined) {
    reader.at += plain.length;
    return { exact: [plain.toLowerCase()], needed: undefined };
  }
  const sign = reader.source.charAt(reader.at++);
  switch (sign) {
    case '(':
      return group(reader);
    case '[':
      return set(reader);
    case '\\':
      return escaped(reader);
    case '.':
      return ANYTHING;
    case '^':
    case '$':
      return NOTHING;
    default:
      return letter(sign);
  }
}

function letter(sign: string): Part {
  const same = foldedLetters()[sign.charCodeAt(0)];
  return same === undefined ? ANYTHING : { exact: [String.fromCharCode(same)], needed: undefined };
}

let folded: Uint16Array | undefined;

/** What each letter of Latin, Greek, Cyrillic and Armenian is compared as, whichever way expressions leave case aside. */
export function foldedLetters(): Uint16Array {
  folded ??= Uint16Array.from({ length: 0x590 }, (_, char) =>
    alone(alone(String.fromCharCode(char), 'toUpperCase'), 'toLowerCase').charCodeAt(0),
  );
  return folded;
}

/** A letter that would become two stays as it is. */
function alone(letter: string, how: 'toUpperCase' | 'toLowerCase'): string {
  const changed = letter[how]();
  return changed.length === 1 ? changed : letter;
}

const GROUP = /^\?(?::|<?([=!])|<\w+>)/;

/** What only looks ahead or behind takes no place, and what it wants is left aside. */
function group(reader: Reader): Part {
  const [opening = '', looks] = GROUP.exec(reader.source.slice(reader.at, reader.at + 40)) ?? [];
  reader.at += opening.length;
  const inside = choice(reader);
  reader.at++;
  return looks === undefined ? inside : NOTHING;
}

const SET = /^(?:\\.|[^\]\\])*/;
/** A few plain signs, no range and no class among them. */
const PLAIN_SET = /^[^\\^-]{1,4}$/;

function set(reader: Reader): Part {
  const [inside = ''] = SET.exec(reader.source.slice(reader.at)) ?? [];
  reader.at += inside.length + 1;
  return PLAIN_SET.test(inside) ? either([...inside].map(letter)) : ANYTHING;
}

const CODE = /^(?:x([\da-f]{2})|u([\da-f]{4}))/i;

function escaped(reader: Reader): Part {
  const rest = reader.source.slice(reader.at, reader.at + 12);
  const [code, short, long] = CODE.exec(rest) ?? [];
  if (code !== undefined) {
    reader.at += code.length;
    return letter(String.fromCharCode(Number.parseInt(short ?? long ?? '', 16)));
  }
  reader.at++;
  const sign = rest.charAt(0);
  if (sign === 'b' || sign === 'B') return NOTHING;
  if (sign === 'n') return letter('\n');
  if (/\W/.test(sign)) return letter(sign);
  // A class, a property with its name, a name of a group, or a number of one.
  const named = /^[pPku][{<][^}>]*[}>]/.exec(rest + reader.source.slice(reader.at + 11, reader.at + 60));
  reader.at += Math.max(0, (named?.[0].length ?? 1) - 1);
  return ANYTHING;
}

/** Words that stand in failures of all kinds, and say nothing. */
const COMMON: ReadonlySet<string> = /* @__PURE__ */ new Set(
  `and api are can client cannot could does error failed for from has have not request requests response server service
  that the this tool user was with you your`.split(/\s+/),
);

/** The one of which fewer texts hold a string. */
function rarer(one: Needed | undefined, other: Needed | undefined): Needed | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.often < one.often ? other : one;
}

/** Whoever holds a string holds what stands in it. */
function shortestOf(strings: Strings): Strings {
  return strings.filter((one) => !strings.some((other) => other.length < one.length && one.includes(other)));
}

/** Nothing where a string is too short to be looked for. The longer its longest word, the rarer it is. */
function neededOf(all: Strings): Needed | undefined {
  if (all.some(({ length }) => length < SHORTEST)) return undefined;
  const strings = all.length > MOST_JOINED ? all : shortestOf(all);
  let often = 0;
  for (const one of strings) often += 0.6 ** rarest(one)[1];
  return { strings, often };
}

/** Where the longest word of a string begins that not every failure has, and how long it is. */
export function rarest(one: string): readonly [from: number, length: number] {
  let from = 0;
  let longest = 0;
  for (let at = 0; at < one.length; at++) {
    let end = at;
    while (isLetter(one.charCodeAt(end))) end++;
    if (end - at > longest && !COMMON.has(one.slice(at, end))) {
      from = at;
      longest = end - at;
    }
    at = end;
  }
  return [from, longest];
}

function isLetter(char: number): boolean {
  return char >= 97 && char <= 122;
}
