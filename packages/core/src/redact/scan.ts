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
/** Letters beyond ASCII share a few classes, so that the table stays small; {@link exact} tells them apart. */
const SHARED = 12;
const WIDTH = 128;

const fold = (code: number): number =>
  code >= 65 && code <= 90 ? code + 32 : code >= 48 && code <= 57 ? 48 : code;

/** One state of the automaton while it is built. */
interface State {
  readonly moves: Map<number, State>;
  readonly hits: Hit[];
  id: number;
  fail: State | undefined;
}

const createState = (): State => ({ moves: new Map(), hits: [], id: 0, fail: undefined });

/** Maps characters to a few dozen classes. */
function classesOf(triggers: readonly Trigger[]): Uint8Array {
  const classes = new Uint8Array(65536).fill(OTHER);
  let count = OTHER + 1 + SHARED;
  for (let code = 128; code < 65536; code++) {
    // Case matters only for the alphabets that have any: Latin, Greek, Cyrillic, Armenian.
    const folded = code < 0x590 ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : code;
    classes[code] = OTHER + 1 + (folded % SHARED);
  }
  [...WORD].forEach((char, index) => {
    classes[char.charCodeAt(0)] = index;
  });
  for (const [keyword] of triggers) {
    for (let i = 0; i < keyword.length; i++) {
      const code = fold(keyword.charCodeAt(i));
      if (code < 128 && classes[code] === OTHER) {
        classes[code] = count++;
      }
    }
  }
  for (let code = 0; code < 128; code++) {
    classes[code] = classes[fold(code)] as number;
  }
  return classes;
}

/** Runs a detector only where the letters beyond ASCII are those of its keyword, in either case. */
function exact(keyword: string, detect: Detector): Detector {
  const places = [...keyword.matchAll(/[\u0080-\uffff]/g)].map(({ index }) => index);
  if (places.length === 0) return detect;
  const upper = keyword.toUpperCase().length === keyword.length ? keyword.toUpperCase() : keyword;
  return (page, start, end) => {
    for (const at of places) {
      const code = page.text.charCodeAt(start + at);
      if (code !== keyword.charCodeAt(at) && code !== upper.charCodeAt(at)) return;
    }
    detect(page, start, end);
  };
}

/** Builds the tree of all keywords and returns its states, those nearest to the root first, with their failure moves. */
function statesOf(triggers: readonly Trigger[], classes: Uint8Array): State[] {
  const root = createState();
  for (const [keyword, detect] of triggers) {
    let state = root;
    for (let i = 0; i < keyword.length; i++) {
      const cls = classes[keyword.charCodeAt(i)] as number;
      const next = state.moves.get(cls) ?? createState();
      state.moves.set(cls, next);
      state = next;
    }
    state.hits.push([keyword.length, exact(keyword, detect)]);
  }
  const states = [root];
  for (const state of states) {
    for (const [cls, next] of state.moves) {
      let fail = state.fail;
      while (fail && !fail.moves.has(cls)) {
        fail = fail.fail;
      }
      next.fail = fail?.moves.get(cls) ?? root;
      next.hits.push(...next.fail.hits);
      states.push(next);
    }
  }
  return states;
}

/** Builds the automaton (Aho–Corasick, made deterministic) for a set of triggers. */
export function createScanner(triggers: readonly Trigger[], onWord: Detector, minWord: number): Scanner {
  const classes = classesOf(triggers);
  const states = statesOf(triggers, classes);
  const table = new Uint16Array(states.length * WIDTH);
  // States with hits come last, so that one comparison tells them.
  const quiet = states.filter(({ hits }) => hits.length === 0);
  const loud = states.filter(({ hits }) => hits.length > 0);
  [...quiet, ...loud].forEach((state, id) => {
    state.id = id;
  });
  const firstHit = quiet.length;
  const rows = loud.map(({ hits }) => hits);
  for (const { id, fail, moves } of states) {
    const row = (fail?.id ?? 0) * WIDTH;
    table.copyWithin(id * WIDTH, row, row + WIDTH);
    for (const [cls, next] of moves) {
      table[id * WIDTH + cls] = next.id;
    }
  }

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
      state = table[state * WIDTH + cls] as number;
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
