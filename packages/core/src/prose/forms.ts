/**
 * Expressions that are tried only where they may match. One pass over a text finds which of them it holds a needed
 * string of (`needed.ts`); most sentences hold those of a handful.
 */
import { foldedLetters, neededBy, rarest, SHORTEST } from './needed.ts';

/** Expressions that are looked for together, and what was found in the last text. */
interface Together {
  readonly expressions: RegExp[];
  filed: Filed | undefined;
  looked: string | undefined;
  /** How many texts were looked at. */
  number: number;
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
  }

  /** Whether a glance at the text leaves it open that it matches. */
  mayMatch(text: string): boolean {
    const { last } = lookedAt(this.#together, text);
    return last[this.#id] === this.#together.number || last[this.#id] === ALWAYS;
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
/** Stands for the number of every text. */
const ALWAYS = -1;

/** Makes forms that are looked for together: those that are asked for of the same texts. Their flags are neither `g` nor `y`, where they are tested. */
export function formsTogether(): (expression: RegExp) => Form {
  const together: Together = { expressions: [], filed: undefined, looked: undefined, number: 0 };
  return (expression) => new Form(expression, together);
}

function lookedAt(together: Together, text: string): Filed {
  const filed = filedOf(together);
  if (text !== together.looked) {
    together.looked = text;
    together.number++;
    look(filed, text, together.number);
  }
  return filed;
}

/** What they need is worked out when the first text comes, which many a process never has; again when more have come since. */
function filedOf(together: Together): Filed {
  const { filed, expressions } = together;
  if (filed !== undefined && filed.last.length === expressions.length) return filed;
  const anew = fileAll(expressions);
  together.filed = anew;
  together.looked = undefined;
  return anew;
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

interface Filed {
  /** For each hash of four letters, the place in `clues` of the strings that are looked for by them; 0 is none. */
  readonly places: Uint16Array;
  readonly clues: readonly Clue[][];
  /** For each form the number of the last text that may match. */
  readonly last: Float64Array;
  readonly folded: Uint16Array;
}

function fileAll(expressions: readonly RegExp[]): Filed {
  const places = new Uint16Array(PLACES);
  const clues: Clue[][] = [[]];
  const last = new Float64Array(expressions.length);
  expressions.forEach((expression, id) => {
    const needed = neededBy(expression);
    if (needed === undefined) last[id] = ALWAYS;
    else for (const string of new Set(needed)) file(places, clues, string, id);
  });
  return { places, clues, last, folded: foldedLetters() };
}

function file(places: Uint16Array, clues: Clue[][], string: string, id: number): void {
  const from = Math.min(rarest(string)[0], string.length - SHORTEST);
  let four = 0;
  for (let at = from; at < from + SHORTEST; at++) four = (four << 8) ^ string.charCodeAt(at);
  const place = Math.imul(four, 0x9e3779b1) >>> SHIFT;
  if (places[place] === 0) places[place] = clues.push([]) - 1;
  const here = clues[places[place] as number] as Clue[];
  const known = here.find((clue) => clue.string === string);
  if (known === undefined) here.push({ string, from, forms: [id] });
  else known.forms.push(id);
}

/** Signs beyond those that are compared which Unicode takes for capitals, or other forms, of some of them. */
const ODD = /[\u1c80-\u1c88\u1e9b\u1e9e\u1fbe\u2126\u212a\u212b]/;

function look(filed: Filed, text: string, number: number): void {
  const { places, clues, last, folded } = filed;
  const { length } = text;
  let four = 0;
  let isBeyond = false;
  for (let at = 0; at < length; at++) {
    const char = text.charCodeAt(at);
    if (char < folded.length) four = (four << 8) ^ (folded[char] as number);
    else isBeyond = true;
    const place = places[Math.imul(four, 0x9e3779b1) >>> SHIFT] as number;
    if (place !== 0) note(filed, clues[place] as readonly Clue[], text, at + 1 - SHORTEST, number);
  }
  if (isBeyond && ODD.test(text))
    for (let id = 0; id < last.length; id++) if (last[id] !== ALWAYS) last[id] = number;
}

function note(
  { last, folded }: Filed,
  here: readonly Clue[],
  text: string,
  at: number,
  number: number,
): void {
  for (let one = 0; one < here.length; one++) {
    const { string, from, forms } = here[one] as Clue;
    if (!stands(string, text, at - from, folded)) continue;
    for (let form = 0; form < forms.length; form++) last[forms[form] as number] = number;
  }
}

function stands(string: string, text: string, from: number, folded: Uint16Array): boolean {
  if (from < 0 || from + string.length > text.length) return false;
  for (let at = 0; at < string.length; at++)
    if (folded[text.charCodeAt(from + at)] !== string.charCodeAt(at)) return false;
  return true;
}
