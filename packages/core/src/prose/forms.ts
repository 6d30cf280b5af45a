/**
 * Expressions that are tried only where they may match. One pass over a text finds which of them it holds a needed
 * string of (`needed.ts`); most sentences hold those of a handful.
 */
import { foldedLetters, neededBy, rarest, SHORTEST } from './needed.ts';

/** Expressions that are looked for together, and what was found in the last text. */
interface Together {
  readonly expressions: RegExp[];
  /** Worked out when the first text comes, which many a process never has; again when more have come since. */
  filed: Filed | undefined;
  looked: string | undefined;
  /** How many texts were looked at. */
  number: number;
  /** For each form the number of the last text that it may match. */
  last: Float64Array;
}

/** An expression with a glance before it. */
export class Form {
  readonly expression: RegExp;
  readonly #together: Together;
  readonly #id: number;

  constructor(expression: RegExp, together: Together) {
    this.expression = expression;
    this.#together = together;
    this.#id = together.expressions.push(expression) - 1;
    together.filed = undefined;
    together.looked = undefined;
  }

  /** Whether a glance at the text leaves it open that it matches. */
  mayMatch(text: string): boolean {
    const together = this.#together;
    if (text !== together.looked) look(together, text);
    return (together.last[this.#id] as number) >= together.number;
  }

  /** The same answer as the expression's own. */
  test(text: string): boolean {
    return this.mayMatch(text) && this.expression.test(text);
  }
}

/** A needed string, and the forms that need it. */
interface Clue {
  readonly string: string;
  /** Where the four letters stand in it by which it is looked for. */
  readonly from: number;
  readonly forms: number[];
}

const PLACES = 8192;
const SHIFT = 19;

/** Makes forms that are looked for together: those that are asked for of the same texts. Their flags are neither `g` nor `y`, where they are tested. */
export function formsTogether(): (expression: RegExp) => Form {
  const together: Together = {
    expressions: [],
    filed: undefined,
    looked: undefined,
    number: 0,
    last: new Float64Array(0),
  };
  return (expression) => new Form(expression, together);
}

/** Asked for of every text. */
export const formOf: (expression: RegExp) => Form = /* @__PURE__ */ formsTogether();
/** Asked for of texts in which nothing else was found. */
export const sentenceForm: (expression: RegExp) => Form = /* @__PURE__ */ formsTogether();

/** Does one of them match? */
export function matchesOne(forms: readonly Form[], text: string): boolean {
  for (let one = 0; one < forms.length; one++) if ((forms[one] as Form).test(text)) return true;
  return false;
}

/** Does a glance at the text leave it open that one of them matches? */
export function mayMatchOne(forms: readonly Form[], text: string): boolean {
  for (let one = 0; one < forms.length; one++) if ((forms[one] as Form).mayMatch(text)) return true;
  return false;
}

interface Filed {
  /** A table of four letters, open addressing. Behind each the place in `clues` of the strings that are looked for by them; 0 is none. */
  readonly fours: Int32Array;
  readonly places: Uint16Array;
  readonly clues: Clue[][];
  readonly folded: Uint16Array;
}

/** Stands for the number of every text. */
const ALWAYS = Infinity;

function fileAll(together: Together): Filed {
  const { expressions } = together;
  const filed: Filed = {
    fours: new Int32Array(PLACES),
    places: new Uint16Array(PLACES),
    clues: [[]],
    folded: foldedLetters(),
  };
  together.last = new Float64Array(expressions.length);
  expressions.forEach((expression, id) => {
    const needed = neededBy(expression);
    if (needed === undefined) together.last[id] = ALWAYS;
    else for (const string of new Set(needed)) file(filed, string, id);
  });
  return filed;
}

function file({ fours, places, clues }: Filed, string: string, id: number): void {
  const from = Math.min(rarest(string)[0], string.length - SHORTEST);
  let four = 0;
  for (let at = from; at < from + SHORTEST; at++) four = (four << 8) ^ string.charCodeAt(at);
  let place = placeOf(four);
  while (places[place] !== 0 && fours[place] !== four) place = (place + 1) % PLACES;
  if (places[place] === 0) places[place] = clues.push([]) - 1;
  fours[place] = four;
  const here = clues[places[place] as number] as Clue[];
  const known = here.find((clue) => clue.string === string);
  if (known === undefined) here.push({ string, from, forms: [id] });
  else known.forms.push(id);
}

function placeOf(four: number): number {
  return Math.imul(four, 0x9e3779b1) >>> SHIFT;
}

/** Signs beyond those that are compared which Unicode takes for capitals, or other forms, of some of them. */
const ODD = /[\u1c80-\u1c88\u1e9b\u1e9e\u1fbe\u2126\u212a\u212b]/;

function look(together: Together, text: string): void {
  together.filed ??= fileAll(together);
  const { fours, places, clues, folded } = together.filed;
  const { last } = together;
  together.looked = text;
  together.number++;
  const { length } = text;
  let four = 0;
  let isBeyond = false;
  for (let at = 0; at < length; at++) {
    const char = text.charCodeAt(at);
    if (char < folded.length) four = (four << 8) ^ (folded[char] as number);
    else isBeyond = true;
    for (let place = placeOf(four); places[place] !== 0; place = (place + 1) % PLACES) {
      if (fours[place] !== four) continue;
      note(together, clues[places[place] as number] as readonly Clue[], text, at + 1 - SHORTEST);
      break;
    }
  }
  if (isBeyond && ODD.test(text))
    for (let id = 0; id < last.length; id++) last[id] = Math.max(last[id] as number, together.number);
}

function note({ last, number }: Together, here: readonly Clue[], text: string, at: number): void {
  for (let one = 0; one < here.length; one++) {
    const { string, from, forms } = here[one] as Clue;
    if (!stands(string, text, at - from)) continue;
    for (let form = 0; form < forms.length; form++) last[forms[form] as number] = number;
  }
}

function stands(string: string, text: string, from: number): boolean {
  if (from < 0 || from + string.length > text.length) return false;
  const folded = foldedLetters();
  for (let at = 0; at < string.length; at++)
    if (folded[text.charCodeAt(from + at)] !== string.charCodeAt(at)) return false;
  return true;
}
