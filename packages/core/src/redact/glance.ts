import { frameFacts, mayBeFrame } from './frames.ts';
import { haveSeam, mayBePart } from './neighbours.ts';
import { isLabel, isMarking, isValueName, labelIn } from './node-names.ts';
import { meaningOfKey } from './rules/keys.ts';
import { detect, type Engine } from './text.ts';

/** Larger values are worth the whole walk. */
const MOST_ENTRIES = 100;
const DEEPEST = 8;
const LONG_NUMBER = 1e12;
const SHORTEST_KEY = 6;
/** A longer text is read once, by the walk: to have read it before saves nothing, and costs as much again. */
const LONGEST_TEXT = 4096;
/** What stands under this name is read as it is by itself, and what fails is told under it in the words of an answer. */
const OF_WORDS = 'message';

/**
 * Whether a glance at a value shows that there is nothing in it to redact: most values hold nothing, and it costs half
 * of what the walk does that could change them. `false` says nothing: the walk decides.
 */
export function isClean(engine: Engine, value: unknown): boolean {
  try {
    return new Glance(engine).at(value, undefined, undefined, 0);
  } catch {
    return false; // a getter or a trap that throws
  }
}

/** What a key may be, by itself. */
const LABEL = 1;
const VALUE = 2;
const MARKING = 4;
/** What it may be in a frame stands above those. */
const FRAME = 3;

function holds(facts: number, some: number): boolean {
  return (facts & some) === some;
}

/** Values repeat their keys: so many are remembered, with what each may be. */
const MOST_KEYS = 2000;
const LONGEST_KEY = 64;
const known = new Map<string, number>();

function factsOf(key: string): number {
  const before = known.get(key);
  if (before !== undefined) return before;
  const facts =
    (isLabel(key) ? LABEL : 0) |
    (isValueName(key) ? VALUE : 0) |
    (isMarking(key) ? MARKING : 0) |
    (frameFacts(key) << FRAME);
  if (key.length > LONGEST_KEY) return facts;
  if (known.size >= MOST_KEYS) known.clear();
  known.set(key, facts);
  return facts;
}

class Glance {
  readonly #engine: Engine;
  #left = MOST_ENTRIES;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** `name` governs the value; `holder` is the name of what holds it. */
  at(value: unknown, name: string | undefined, holder: string | undefined, depth: number): boolean {
    this.#left -= 1;
    if (this.#left < 0 || depth > DEEPEST) return false;
    switch (typeof value) {
      case 'string':
        return this.#isCleanText(value, name);
      case 'number':
        return value < LONG_NUMBER && !isTelling(name);
      case 'boolean':
      case 'undefined':
        return true;
      case 'object':
        if (value === null) return true;
        // What stands beneath a telling name is for the walk.
        if (isTelling(name) || name === 'tokens') return false;
        return Array.isArray(value) ? this.#list(value, depth) : this.#members(value, name ?? holder, depth);
      default:
        return false;
    }
  }

  /** The name of what stands in a list depends on what stands beside it: the walk knows that. */
  #list(items: readonly unknown[], depth: number): boolean {
    for (const item of items) {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) return false;
      if (!this.at(item, undefined, undefined, depth + 1)) return false;
    }
    return items.length < 2 || !haveSeam(items);
  }

  #members(value: object, name: string | undefined, depth: number): boolean {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return false;
    if ('toJSON' in value || Object.getOwnPropertySymbols(value).length > 0) return false;
    const keys = Object.keys(value);
    if (keys[0] === '0') return false; // what JSON makes of bytes: the walk reads what they spell
    let all = 0;
    for (const key of keys) all |= factsOf(key);
    // `{name: 'token', value: '…'}`: what one entry says about the other is for the walk.
    if (holds(all, LABEL | VALUE) || holds(all, MARKING) || mayBeFrame(all >> FRAME)) return false;
    for (const key of keys) {
      if (key.length >= SHORTEST_KEY && !this.#isCleanText(key, undefined)) return false;
      const member = (value as { readonly [key: string]: unknown })[key];
      const facts = factsOf(key);
      if (holds(facts, LABEL) && typeof member === 'string' && isTelling(labelIn(member))) return false;
      if (!this.at(member, holds(facts, VALUE) ? name : key, name, depth + 1)) return false;
    }
    return true;
  }

  #isCleanText(text: string, name: string | undefined): boolean {
    const { clean } = this.#engine;
    if (text.length > LONGEST_TEXT) return false;
    // Clean by itself, as it may have been met, it is still a part of what stands beside it.
    if (mayBePart(text)) return false;
    if (clean.has(text, name ?? '') || (name === OF_WORDS && clean.has(text, ''))) return true;
    if (isTelling(name) || detect(this.#engine, text, name).length > 0) return false;
    clean.add(text, name ?? '');
    return true;
  }
}

function isTelling(name: string | undefined): boolean {
  const meaning = name === undefined ? undefined : meaningOfKey(name);
  return meaning !== undefined && (meaning.strength >= 1 || meaning.holds !== undefined);
}
