import type { Detector, Page } from './page.ts';

/** A keyword and what to do where it occurs. Digits stand for any digit, letters for either case. */
export type Trigger = readonly [keyword: string, detect: Detector];

/** Finds all keywords and all long words of a text in one pass. */
export interface Scanner {
  scan(page: Page): void;
}

const LETTERS_DIGIT_DASHES = 29;

const fold = (code: number): number =>
  code >= 65 && code <= 90 ? code + 32 : code >= 48 && code <= 57 ? 48 : code;

/**
 * Builds the automaton (Aho–Corasick, made deterministic) for a set of triggers.
 *
 * Characters are mapped to a few dozen classes first, so that the table stays small; every character that no keyword
 * contains is class 0. Classes 1…29 are letters, digit, `_` and `-`: what a word consists of.
 */
export function createScanner(triggers: readonly Trigger[], onWord: Detector, minWord: number): Scanner {
  const classes = new Uint8Array(65536);
  let width = 1;
  const classify = (code: number): number => {
    const folded = fold(code);
    if (classes[folded] === 0) {
      classes[folded] = width++;
    }
    return classes[folded] as number;
  };
  for (const char of 'abcdefghijklmnopqrstuvwxyz0_-') {
    classify(char.charCodeAt(0));
  }

  const next: number[][] = [[]];
  const hits: Array<Array<readonly [length: number, detect: Detector]>> = [[]];
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

  const table = complete(next, hits, width);
  const { moves, rows, firstHit } = table;

  function scan(page: Page): void {
    const { text } = page;
    const size = text.length;
    let state = 0;
    let wordStart = 0;
    for (let i = 0; i < size; i++) {
      const cls = classes[text.charCodeAt(i)] as number;
      if (cls === 0 || cls > LETTERS_DIGIT_DASHES) {
        if (i - wordStart >= minWord) {
          onWord(page, wordStart, i);
        }
        wordStart = i + 1;
      }
      state = moves[state + cls] as number;
      if (state >= firstHit) {
        const found = rows[(state - firstHit) / width] as Array<readonly [number, Detector]>;
        for (let k = 0; k < found.length; k++) {
          const [length, detect] = found[k] as readonly [number, Detector];
          detect(page, i + 1 - length, i + 1);
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
  readonly moves: Int32Array;
  readonly rows: Array<Array<readonly [number, Detector]>>;
  readonly firstHit: number;
}

/** Fills in the failure moves and renumbers states so that those with hits come last and one comparison tells them. */
function complete(next: number[][], hits: Array<Array<readonly [number, Detector]>>, width: number): Table {
  const size = next.length;
  const fail = new Int32Array(size);
  const dense = new Int32Array(size * width);
  const order = [0];
  for (const state of order) {
    for (let cls = 0; cls < width; cls++) {
      const to = next[state]?.[cls] ?? 0;
      const other = state === 0 ? 0 : (dense[(fail[state] as number) * width + cls] as number);
      dense[state * width + cls] = to || other;
      if (to) {
        fail[to] = other;
        hits[to]?.push(...(hits[other] ?? []));
        order.push(to);
      }
    }
  }
  const quiet = order.filter((state) => hits[state]?.length === 0);
  const loud = order.filter((state) => hits[state]?.length !== 0);
  const rank = new Int32Array(size);
  [...quiet, ...loud].forEach((state, index) => {
    rank[state] = index;
  });
  const moves = new Int32Array(size * width);
  for (let state = 0; state < size; state++) {
    for (let cls = 0; cls < width; cls++) {
      moves[(rank[state] as number) * width + cls] =
        (rank[dense[state * width + cls] as number] as number) * width;
    }
  }
  return { moves, rows: loud.map((state) => hits[state] ?? []), firstHit: quiet.length * width };
}
