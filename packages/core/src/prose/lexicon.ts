/** The phrase families compiled once, on first use: a vocabulary of word ids, and rules over those ids. */
import type { Kind } from '../kinds.ts';
import { NOT_WORDS, PAIRS, STOP_WORDS } from './small-words.ts';

/** One phrase of one family. */
export interface Rule {
  /** A kind, or `@look` for a rule that a look at the text decides. */
  readonly kind: Kind | `@${string}`;
  readonly weight: number;
  /** Its family: the weight in the table, and which line of it. */
  readonly family: number;
  readonly line: number;
  /** The same call meets this failure again. */
  readonly never: boolean;
  /** It only says that something failed, and a status beside it says how. */
  readonly carrier: boolean;
  /**
   * Its words belong to one clause: "Error executing tool search: page not found" is not about the tool, nor
   * "malformed query: unexpected token" about a credential.
   */
  readonly strict: boolean;
  readonly subject: string | undefined;
  /** Word ids; below zero a class; `GAP` for up to six words. */
  readonly slots: readonly number[];
  /** The number of the kind and subject: of all phrases of a group, the strongest counts. */
  readonly group: number;
}

/** The rules that start with a word, or with any word of a class. */
export interface Start {
  /** Phrases of one word: the strongest of each group. */
  readonly alone: Rule[];
  /** Second word, or the slot of its class → phrases. */
  next?: Map<number, Rule[]>;
  /** First word after a gap, or the slot of its class → phrases. */
  far?: Map<number, Rule[]>;
}

/** The compiled families. */
export interface Lexicon {
  /** Word hashes, open addressing: `find` looks them up. */
  readonly hashes: Int32Array;
  /** The word ids, at the places of their hashes. */
  readonly words: Int32Array;
  /** Length of the words behind an id, as a bit set: guards against a hash that collides. */
  readonly lengths: readonly number[];
  /** Word id → the slots of its classes. */
  readonly classes: readonly (readonly number[])[];
  /** Word id → rules that start with it. */
  readonly starts: readonly (Start | undefined)[];
  /** Slot of a class → rules that start with any word of it. */
  readonly classStarts: ReadonlyMap<number, Start>;
  /** How many groups there are. */
  readonly groups: number;
  /** Second id → first id → the id of both. */
  readonly pairs: readonly (ReadonlyMap<number, number> | undefined)[];
}

/** Any up to six words of one sentence. */
export const GAP = -1000;
/** A word that carries nothing. */
export const STOP = -1;
/** A word that is in no phrase. */
export const OTHER = 0;
/** The end of a sentence or a line. */
export const END = -2;
/** A number. */
export const NUMBER = 1;

/** Adds one lower-case character to a word's hash. */
export function mix(hash: number, char: number): number {
  return Math.imul(hash ^ char, 0x01000193);
}

/** The hash of the empty word. */
export const SEED: number = 0x811c9dc5 | 0;

function hashOf(word: string): number {
  let hash = SEED;
  for (let i = 0; i < word.length; i++) hash = mix(hash, word.charCodeAt(i));
  return hash;
}

/** `word+` in English; `word*` in Spanish, Portuguese and Italian; `word^` in names of exceptions. */
const ENDINGS: { readonly [mark: string]: readonly string[] } = {
  '+': ['', 's', 'ed', 'd', 'ing', 'es'],
  '*': ['o', 'a', 'os', 'as', 'i', 'e'],
  '^': ['', 'exception', 'error', 'fault'],
};

/** What the tables spell as in America is spelt in either way. */
function inflect(word: string): string[] {
  const stem = word.slice(0, -1);
  const forms = ENDINGS[word.slice(-1)]?.map((ending) => stem + ending) ?? [word];
  return forms.flatMap((form) => [form, form.replace(/iz(?=(?:e|ed|es|ing)$)/, 'is')]);
}

/** The slot of the first class; those of the others follow below it. */
const CLASS = -10;
const NO_CLASSES: readonly number[] = [];

/** What a lexicon is compiled of. */
export interface Tables {
  /** Families, one a line, as `phrases.ts` has them. */
  readonly phrases: string;
  /** Words of a class. */
  readonly classes: { readonly [name: string]: string };
}

/** The compiled families of some tables; the work is done on the first call. */
export function lexiconOf(tables: Tables): () => Lexicon {
  let compiled: Lexicon | undefined;
  return () => {
    compiled ??= compile(tables);
    return compiled;
  };
}

function compile(tables: Tables): Lexicon {
  const ids = new Map<number, number>();
  const lengths: number[] = [0, 0];
  const classes: (readonly number[])[] = [NO_CLASSES, NO_CLASSES];
  const learn = (forms: readonly string[], as?: number): number => {
    const known = forms.map((form) => ids.get(hashOf(form))).find((id) => id !== undefined);
    const id = as ?? known ?? lengths.push(0) - 1;
    classes[id] ??= NO_CLASSES;
    for (const form of forms) {
      if (!ids.has(hashOf(form))) ids.set(hashOf(form), id);
      if (id > 0) lengths[id] = (lengths[id] ?? 0) | (1 << Math.min(form.length, 31));
    }
    return id;
  };
  for (const word of STOP_WORDS.split(' ')) learn([word], STOP);
  learn(['not', ...NOT_WORDS.split(' ')]);
  const lines = tables.phrases.split('\n').filter((line) => line.includes(':'));
  // Inflected forms first, so that a plain word elsewhere falls together with them.
  const named = Object.entries(tables.classes);
  const spoken = [...lines, ...named.map(([, words]) => words)].join(' ');
  for (const stem of spoken.match(/[^\s|;:]+[+*^]/g) ?? []) if (!stem.startsWith('$')) learn(inflect(stem));
  const names = named.map(([name]) => name);
  named.forEach(([, words], index) => {
    for (const word of words.split(' ')) {
      const id = learn(inflect(word));
      classes[id] = [...(classes[id] ?? []), CLASS - index];
    }
  });
  const slotOf = (word: string): number[] => {
    if (word === '..') return [GAP];
    if (word.startsWith('$')) return [CLASS - names.indexOf(word.slice(1).replace('+', ''))];
    const id = learn(inflect(word));
    return id === STOP ? [] : [id];
  };
  const starts: (Start | undefined)[] = [];
  const classStarts = new Map<number, Start>();
  const startOf = (slot: number): Start => {
    const start: Start = (slot > 0 ? starts[slot] : classStarts.get(slot)) ?? { alone: [] };
    if (slot > 0) starts[slot] = start;
    else classStarts.set(slot, start);
    return start;
  };
  const add = (family: Family, phrase: string): void => {
    const isNarrow = family.subject !== undefined || family.kind === 'unauthenticated';
    for (const slots of expand(phrase, slotOf)) {
      // What is asked for may be called like a limit: "Bad request: limit is required".
      const strict = family.kind === 'rate_limited' || (isNarrow && slots.includes(GAP));
      const rule: Rule = { ...family, weight: family.weight + longer(slots), slots, strict };
      const [first = 0, second = 0, third = 0] = slots;
      const start = startOf(first);
      if (slots.length === 1) start.alone.push(rule);
      else if (second === GAP) start.far = file(start.far, third, rule);
      else start.next = file(start.next, second, rule);
    }
  };
  const { families, groups } = familiesOf(lines);
  for (const [family, phrases] of families)
    for (const phrase of phrases.split('; ')) add(family, phrase.trim());
  const pairs = new Map<number, Map<number, number>>();
  for (const pair of PAIRS) {
    const [first = '', second = '', both = ''] = pair.split(' ');
    const id = learn([second]);
    pairs.set(id, (pairs.get(id) ?? new Map<number, number>()).set(learn([first]), learn([both])));
  }
  // An array with gaps would be kept as a dictionary, and every word of a text is looked up in it.
  const pairsOf = lengths.map((_, id) => pairs.get(id));
  return { ...tableOf(ids), lengths, classes, starts, classStarts, pairs: pairsOf, groups };
}

/** What all phrases of a line share. */
type Family = Omit<Rule, 'slots' | 'strict'>;

function familiesOf(lines: readonly string[]): {
  readonly families: readonly (readonly [Family, string])[];
  readonly groups: number;
} {
  const groups = new Map<string, number>();
  const families = lines.map((text, line) => {
    const [, kind = '', marks = '', subject, weight, phrases = ''] =
      /^(@?\w+)([!~]*)(?:\/(\w+))? (\d+): (.*)$/.exec(text) ?? [];
    const name = `${kind}/${subject ?? ''}`;
    if (!groups.has(name)) groups.set(name, groups.size);
    const family: Family = {
      kind: kind as Kind,
      weight: Number(weight),
      family: Number(weight),
      line,
      never: marks.includes('!'),
      carrier: marks.includes('~'),
      subject,
      group: groups.get(name) as number,
    };
    return [family, phrases] as const;
  });
  return { families, groups: groups.size };
}

/** Places in the table; a power of two, several times the vocabulary. */
const PLACES = 16_384;

function tableOf(ids: ReadonlyMap<number, number>): Pick<Lexicon, 'hashes' | 'words'> {
  const hashes = new Int32Array(PLACES);
  const words = new Int32Array(PLACES);
  for (const [hash, id] of ids) {
    let at = hash & (PLACES - 1);
    while (words[at] !== 0) at = (at + 1) & (PLACES - 1);
    hashes[at] = hash;
    words[at] = id;
  }
  return { hashes, words };
}

/** The id of the word with a hash; `OTHER` when it is in no phrase. */
export function find(lexicon: Lexicon, hash: number): number {
  const { hashes, words } = lexicon;
  for (let at = hash & (PLACES - 1); ; at = (at + 1) & (PLACES - 1)) {
    const id = words[at] as number;
    if (id === OTHER || hashes[at] === hash) return id;
  }
}

/** Of two phrases at one place, the longer knows more: "method not allowed" is not "not allowed". */
function longer(slots: readonly number[]): number {
  const words = slots.filter((slot) => slot !== GAP).length;
  return words > 2 ? Math.min(words - 2, 2) * 2 : 0;
}

function file(table: Map<number, Rule[]> | undefined, slot: number, rule: Rule): Map<number, Rule[]> {
  const filed = table ?? new Map<number, Rule[]>();
  const rules = filed.get(slot);
  if (rules === undefined) filed.set(slot, [rule]);
  else rules.push(rule);
  return filed;
}

/** All sequences of slots that a phrase with choices stands for. */
function expand(phrase: string, slotOf: (word: string) => number[]): number[][] {
  let all: number[][] = [[]];
  for (const choice of phrase.split(' ')) {
    const options = [...new Set(choice.split('|').flatMap(slotOf))];
    if (options.length > 0) all = all.flatMap((head) => options.map((option) => [...head, option]));
  }
  return all.filter((slots) => slots.length > 0);
}
