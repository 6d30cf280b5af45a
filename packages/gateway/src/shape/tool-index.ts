/** The words of a list of tools, and which tools they are in: made once for a list, and asked by every search. */
import { setImmediate } from 'node:timers/promises';
import type { Members } from '@mayday/relay';
import { folded, wordsOf } from './words.ts';

/** What a search has found. */
export interface Ranked {
  /** The places in the list of those that fit best, best first, in their order otherwise. */
  readonly best: readonly number[];
  /** How many fit at all. */
  readonly found: number;
}

/** Where a word stands: the places in the list of the tools that have it. */
interface Places {
  readonly inName: number[];
  readonly inText: number[];
}

/** Between so many tools that are indexed, or places that are looked at, others have their turn. */
const INDEXED_AT_A_TIME = 250;
const SEEN_AT_A_TIME = 200_000;
/** A word of fewer letters is not meant by one that begins with it. */
const SHORTEST_STEM = 3;
/** A name counts for more than what is said about it, and a whole word for more than a part of one. */
const NAME = 3;
const WHOLE = 2;
const PART = 1;

/** An index of one list. */
export class ToolIndex {
  readonly #size: number;
  readonly #byName: Map<string, number[]> = new Map();
  readonly #words: Map<string, Places> = new Map();
  #sorted: readonly string[] = [];

  private constructor(size: number) {
    this.#size = size;
  }

  /** Reads a list, in turns with others. */
  static async of(tools: readonly Members[]): Promise<ToolIndex> {
    const index = new ToolIndex(tools.length);
    for (const [place, tool] of tools.entries()) {
      if (place % INDEXED_AT_A_TIME === INDEXED_AT_A_TIME - 1) await setImmediate();
      index.#add(place, tool);
    }
    await setImmediate();
    index.#sorted = [...index.#words.keys()].sort();
    return index;
  }

  /** The tools that have these words, or words that begin like them; `asked` is the name of those that fit best of all. */
  async search(asked: string, words: readonly string[], limit: number): Promise<Ranked> {
    const scores = new Float64Array(this.#size);
    const matching = new Matching(this.#size);
    let seen = 0;
    for (const word of words) {
      const exact = this.#words.get(word);
      const related = this.#related(word);
      for (const [of, worth] of [
        ['inName', NAME],
        ['inText', 1],
      ] as const) {
        matching.begin();
        if (exact !== undefined) matching.score(exact[of], worth * WHOLE, scores);
        for (const places of related) matching.score(places[of], worth * PART, scores);
        seen += related.reduce((sum, places) => sum + places[of].length, 1);
      }
      if (seen > SEEN_AT_A_TIME) {
        seen = 0;
        await setImmediate();
      }
    }
    for (const place of this.#byName.get(folded(asked)) ?? []) scores[place] = Number.MAX_SAFE_INTEGER;
    return ranked(scores, limit);
  }

  #add(place: number, tool: Members): void {
    const name = textOf(tool, 'name');
    const key = folded(name);
    const same = this.#byName.get(key);
    if (same === undefined) this.#byName.set(key, [place]);
    else same.push(place);
    for (const word of wordsOf(name)) put(this.#placesOf(word).inName, place);
    for (const word of wordsOf(`${textOf(tool, 'title')} ${textOf(tool, 'description')}`))
      put(this.#placesOf(word).inText, place);
  }

  #placesOf(word: string): Places {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const places: Places = { inName: [], inText: [] };
    this.#words.set(word, places);
    return places;
  }

  /** Words that begin with this one, and those that it begins with. */
  #related(word: string): readonly Places[] {
    const found: Places[] = [];
    for (let at = this.#firstFrom(word); this.#sorted[at]?.startsWith(word) === true; at++)
      if (this.#sorted[at] !== word) found.push(this.#placesOf(this.#sorted[at] ?? ''));
    for (let length = SHORTEST_STEM; length < word.length; length++) {
      const places = this.#words.get(word.slice(0, length));
      if (places !== undefined) found.push(places);
    }
    return found;
  }

  /** Where the words begin that do not come before this one. */
  #firstFrom(word: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? '') < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Counts a tool once for each word that is asked for, by what fits best: that comes first. */
class Matching {
  readonly #last: Uint32Array;
  #round = 0;

  constructor(size: number) {
    this.#last = new Uint32Array(size);
  }

  begin(): void {
    this.#round += 1;
  }

  score(places: readonly number[], worth: number, scores: Float64Array): void {
    const [last, round] = [this.#last, this.#round];
    for (const place of places) {
      if (last[place] === round) continue;
      last[place] = round;
      scores[place] = (scores[place] ?? 0) + worth;
    }
  }
}

/** A word stands twice in a tool; a tool stands once at its word. */
function put(places: number[], place: number): void {
  if (places.at(-1) !== place) places.push(place);
}

/** Those with the highest scores. Scores are few, and tools many: they are taken score by score. */
function ranked(scores: Float64Array, limit: number): Ranked {
  const byScore = new Map<number, number[]>();
  let found = 0;
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] ?? 0;
    if (score === 0) continue;
    found += 1;
    const same = byScore.get(score);
    if (same === undefined) byScore.set(score, [place]);
    else if (same.length < limit) same.push(place);
  }
  const best = [...byScore].sort(([a], [b]) => b - a).flatMap(([, places]) => places);
  return { best: best.slice(0, limit), found };
}

/** A member of a tool, where it is a text. */
export function textOf(tool: Members, key: string): string {
  const value = tool[key];
  return typeof value === 'string' ? value : '';
}
