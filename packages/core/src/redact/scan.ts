import type { Detector, Page } from './page.ts';

/** A keyword and what to do where it occurs. Digits stand for any digit, letters for either case. */
export type Trigger = readonly [keyword: string, detect: Detector];

/** Finds all keywords and all long words of a text, or of a part of it, in one pass. */
export interface Scanner {
  scan(page: Page, from?: number, to?: number): void;
  /** Whether what its rules find depends on a few thousand characters around it, and not on how far it is from the start. */
  readonly isNear: boolean;
}

type Hit = readonly [length: number, detect: Detector];

const WORD = 'abcdefghijklmnopqrstuvwxyz0_-';
/** Class of every character that no keyword contains. Those below it make up words. */
const OTHER = WORD.length;
/** Letters beyond ASCII share some classes, as many as the table has room for; {@link exact} tells them apart. */
const SHARED = 28;
const WIDTH = 128;

const fold = (code: number): number =>
  code >= 65 && code <= 90 ? code + 32 : code >= 48 && code <= 57 ? 48 : code;

/** Maps characters to a few dozen classes. */
function classesOf(triggers: readonly Trigger[]): Uint8Array {
  const classes = new Uint8Array(65536);
  let count = OTHER + 1 + SHARED;
  for (let code = 0; code < SHARED; code++) {
    classes[code] = OTHER + 1 + code;
  }
  // Doubled until it is full: a loop over all characters would be a good part of the time a process takes to start.
  for (let filled = SHARED; filled < classes.length; filled *= 2) {
    classes.copyWithin(filled, 0, filled);
  }
  classes.fill(OTHER, 0, 128);
  // Case matters only for the alphabets that have any: Latin, Greek, Cyrillic, Armenian.
  for (let code = 128; code < 0x590; code++) {
    classes[code] = OTHER + 1 + (String.fromCharCode(code).toLowerCase().charCodeAt(0) % SHARED);
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
  // What is a keyword by itself shares a class only with others that wake the same detector.
  const lone = new Map<Detector, number>();
  for (const [keyword, detect] of triggers.filter(isLone)) {
    const cls = lone.get(detect) ?? count++;
    lone.set(detect, cls);
    classes[keyword.charCodeAt(0)] = cls;
  }
  for (let code = 0; code < 128; code++) {
    classes[code] = classes[fold(code)] as number;
  }
  return classes;
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Whether a keyword is one letter beyond ASCII, alike in both cases or said in both. */
function isLone([keyword]: Trigger): boolean {
  return keyword.length === 1 && BEYOND_ASCII.test(keyword);
}

/** Runs a detector only where the letters beyond ASCII are those of its keyword, in either case. */
function exact(keyword: string, detect: Detector): Detector {
  if (!BEYOND_ASCII.test(keyword)) return detect;
  const places = [...keyword.matchAll(/[\u0080-\uffff]/g)].map(({ index }) => index);
  const upper = keyword.toUpperCase().length === keyword.length ? keyword.toUpperCase() : keyword;
  return (page, start, end) => {
    for (let i = 0; i < places.length; i++) {
      const at = places[i] as number;
      const code = page.text.charCodeAt(start + at);
      if (code !== keyword.charCodeAt(at) && code !== upper.charCodeAt(at)) return;
    }
    detect(page, start, end);
  };
}

/** All keywords as a tree. Its states are numbers, 0 is the root; numbers in arrays take a third of the time of objects. */
interface Tree {
  /** The states, those nearest to the root first. */
  readonly order: Uint16Array;
  /** The first state that follows one, the next that follows the same one, and by which class of characters: 0 is none. */
  readonly first: Uint16Array;
  readonly next: Uint16Array;
  readonly by: Uint8Array;
  /** Where to go on from a state when no keyword goes on. */
  readonly fail: Uint16Array;
  readonly hits: readonly Hit[][];
}

/** Plants every keyword, and says where each state goes on. */
function plant(triggers: readonly Trigger[], classes: Uint8Array): Tree {
  const most = triggers.reduce((sum, [keyword]) => sum + keyword.length, 1);
  const first = new Uint16Array(most);
  const next = new Uint16Array(most);
  const by = new Uint8Array(most);
  const hits: Hit[][] = [[]];
  // Every keyword begins at the root, and most states go on there: it is asked more often than all others.
  const begun = new Uint16Array(WIDTH);
  const follow = (state: number, cls: number): number => {
    if (state === 0) return begun[cls] as number;
    let found = first[state] as number;
    while (found !== 0 && by[found] !== cls) found = next[found] as number;
    return found;
  };
  for (const trigger of triggers) {
    const [keyword, detect] = trigger;
    let state = 0;
    for (let i = 0; i < keyword.length; i++) {
      const cls = classes[keyword.charCodeAt(i)] as number;
      let reached = follow(state, cls);
      if (reached === 0) {
        reached = hits.push([]) - 1;
        by[reached] = cls;
        next[reached] = first[state] as number;
        first[state] = reached;
        if (state === 0) begun[cls] = reached;
      }
      state = reached;
    }
    const found = hits[state] as Hit[];
    if (!isLone(trigger)) {
      found.push([keyword.length, exact(keyword, detect)]);
    } else if (!found.some((hit) => hit[1] === detect)) {
      found.push([1, detect]);
    }
  }
  const order = new Uint16Array(hits.length);
  const fail = new Uint16Array(hits.length);
  let planted = 1;
  for (const state of order) {
    for (let child = first[state] as number; child !== 0; child = next[child] as number) {
      let from = state;
      while (from !== 0 && fail[child] === 0) {
        from = fail[from] as number;
        fail[child] = follow(from, by[child] as number);
      }
      const shorter = hits[fail[child] as number] as Hit[];
      if (shorter.length > 0) hits[child]?.push(...shorter);
      order[planted++] = child;
    }
  }
  return { order, first, next, by, fail, hits };
}

/** Builds the automaton (Aho–Corasick, made deterministic) for a set of triggers. */
export function createScanner(
  triggers: readonly Trigger[],
  onWord: Detector,
  minWord: number,
): Pick<Scanner, 'scan'> {
  const classes = classesOf(triggers);
  const { order, first, next, by, fail, hits } = plant(triggers, classes);
  // States with hits come last, so that one comparison tells them.
  const rows = hits.filter((found) => found.length > 0);
  const firstHit = hits.length - rows.length;
  const ids = new Uint16Array(hits.length);
  let quiet = 0;
  let loud = firstHit;
  hits.forEach((found, state) => {
    ids[state] = found.length === 0 ? quiet++ : loud++;
  });
  const table = new Uint16Array(hits.length * WIDTH);
  for (const state of order) {
    const to = (ids[state] as number) * WIDTH;
    const from = (ids[fail[state] as number] as number) * WIDTH;
    table.copyWithin(to, from, from + WIDTH);
    for (let child = first[state] as number; child !== 0; child = next[child] as number) {
      table[to + (by[child] as number)] = ids[child] as number;
    }
  }

  function scan(page: Page, from = 0, to = page.text.length): void {
    const { text } = page;
    let state = 0;
    let wordStart = from;
    for (let i = from; i < to; i++) {
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
    if (to - wordStart >= minWord) {
      onWord(page, wordStart, to);
    }
  }
  return { scan };
}
