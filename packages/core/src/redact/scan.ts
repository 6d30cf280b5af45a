import type { Detector, Page } from './page.ts';

/** A keyword and what to do where it occurs. Digits stand for any digit, letters for either case. */
export type Trigger = readonly [keyword: string, detect: Detector];

/** Finds all keywords and all long words of a text in one pass. */
export interface Scanner {
  scan(page: Page): void;
}

type Hit = readonly [length: number, detect: Detector];

const WORD = 'abcdefghijklmnopqrstuvwxyz0_-';
/** Class of every character that no keyword contains. Those below it make up words. */
const OTHER = WORD.length;

const fold = (code: number): number =>
  code >= 65 && code <= 90 ? code + 32 : code >= 48 && code <= 57 ? 48 : code;

/**
 * Builds the automaton (Aho–Corasick, made deterministic) for a set of triggers.
 *
 * Characters are mapped to a few dozen classes first, so that the table stays small enough for a processor's cache.
 */
export function createScanner(triggers: readonly Trigger[], onWord: Detector, minWord: number): Scanner {
  const classes = new Uint8Array(65536).fill(OTHER);
  let count = OTHER + 1;
  [...WORD].forEach((char, index) => {
    classes[char.charCodeAt(0)] = index;
  });
  const classify = (code: number): number => {
    const folded = fold(code);
    if (classes[folded] === OTHER) {
      classes[folded] = count++;
    }
    return classes[folded] as number;
  };

  const next: number[][] = [[]];
  const hits: Hit[][] = [[]];
  for (const [keyword, detect] of triggers) {
    let state = 0;
    for (let i = 0; i < keyword.length; i++) {
      const row = next[state] as number[];
      const cls = classify(keyword.charCodeAt(i));
      if (!row[cls]) {
        row[cls] = next.length;
        next.push([]);
        hits.push([]);
      }
      state = row[cls] as number;
    }
    hits[state]?.push([keyword.length, detect]);
  }
  for (let code = 0; code < 128; code++) {
    classes[code] = classes[fold(code)] as number;
  }

  const shift = Math.ceil(Math.log2(count));
  const { moves, rows, firstHit } = complete(next, hits, shift);

  function scan(page: Page): void {
    const { text } = page;
    const size = text.length;
    let state = 0;
    let wordStart = 0;
    for (let i = 0; i < size; i++) {
      const cls = classes[text.charCodeAt(i)] as number;
      if (cls >= OTHER) {
        if (i - wordStart >= minWord) {
          onWord(page, wordStart, i);
        }
        wordStart = i + 1;
      }
      state = moves[(state << shift) | cls] as number;
      if (state >= firstHit) {
        const found = rows[state - firstHit] as Hit[];
        for (let k = 0; k < found.length; k++) {
          const hit = found[k] as Hit;
          hit[1](page, i + 1 - hit[0], i + 1);
        }
      }
    }
    if (size - wordStart >= minWord) {
      onWord(page, wordStart, size);
    }
  }
  return { scan };
}

interface Table {
  readonly moves: Uint16Array;
  readonly rows: Hit[][];
  readonly firstHit: number;
}

/** Fills in the failure moves and renumbers states so that those with hits come last and one comparison tells them. */
function complete(next: number[][], hits: Hit[][], shift: number): Table {
  const size = next.length;
  const width = 1 << shift;
  const fail = new Uint16Array(size);
  const dense = new Uint16Array(size << shift);
  const order = [0];
  for (const state of order) {
    for (let cls = 0; cls < width; cls++) {
      const to = next[state]?.[cls] ?? 0;
      const other = state === 0 ? 0 : (dense[((fail[state] as number) << shift) | cls] as number);
      dense[(state << shift) | cls] = to || other;
      if (to) {
        fail[to] = other;
        hits[to]?.push(...(hits[other] ?? []));
        order.push(to);
      }
    }
  }
  const quiet = order.filter((state) => hits[state]?.length === 0);
  const loud = order.filter((state) => hits[state]?.length !== 0);
  const rank = new Uint16Array(size);
  [...quiet, ...loud].forEach((state, index) => {
    rank[state] = index;
  });
  const moves = new Uint16Array(size << shift);
  for (let state = 0; state < size; state++) {
    for (let cls = 0; cls < width; cls++) {
      const to = dense[(state << shift) | cls] as number;
      moves[((rank[state] as number) << shift) | cls] = rank[to] as number;
    }
  }
  return { moves, rows: loud.map((state) => hits[state] ?? []), firstHit: quiet.length };
}
