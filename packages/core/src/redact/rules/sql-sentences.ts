/** Sentences that begin as statements do: people select, update and insert things, too, and say where. */
import { matchAt } from '../page.ts';

/** What stands before a thing in a sentence, and before nothing in SQL; one of these may be a column, of which the next word tells. */
const SAYS_WHICH =
  /(?:the|an?|your|its|their|our|my|this|that|these|those|another|some|something|any|one|which|either|both|each|every|other|different|multiple|several|what|whether|at (?:least|most)|from (?:the|these|those|this|your))\s+(?!(?:from|as|into|where|union|set|values|using|on)\b)[\p{L}\d'"-]/iuy;
/** In SQL a comparison or a pattern follows these; in capitals nobody says them in a sentence. */
const COMPARES =
  /[=<>~!]|@@|\?|\w\(|\b(?:i?like|rlike|regexp|similar to|glob|contains|match|between)\b|\b(?:in|exists|any|all)\s?\(|\bis (?:not )?(?:null|true|false|distinct)\b/i;
const CLAUSE = /(?:where|having|on|set)\s/y;
/** What is changed gets a value: `set name = `, `set (a, b) = `, `set tags[1] = `. */
const SETS = /set(?:\s|\\[nrt]){1,4}(?:\(|[^\s=(]{1,100}(?:\s|\\[nrt]){0,4}(?:[-+*/|:]?=))/iy;
const NEAR = 200;
/** Before a word, such a one makes a thing of it: `the values 'A' and 'B'`. */
const OF_THING =
  /\b(?:the|an?|your|its|their|of|these|those|with|following|valid|allowed|possible|new|enum|to|then|call|it|and|or)[,:]?\s{1,3}$/i;
const THING = /(?:values|like|call|default|check)\s/y;
const BEFORE = 16;

/** Whether a verb goes on as in a sentence; `end`: where what follows it starts. */
export function isSentence(text: string, end: number): boolean {
  return matchAt(SAYS_WHICH, text, end) !== null;
}

/** Whether what is to be changed gets no value near there. */
export function setsNothing(text: string, start: number, near: number): boolean {
  for (let at = start; at < start + near; at += 1) {
    const next = text.slice(at, start + near).search(/\bset(?:\s|\\[nrt])/i);
    if (next < 0) return true;
    at += next;
    if (matchAt(SETS, text, at)) return false;
  }
  return true;
}

/** Whether a small word that begins a clause is one of a sentence. */
export function isSpoken(text: string, start: number): boolean {
  if (matchAt(THING, text, start)) return OF_THING.test(text.slice(Math.max(0, start - BEFORE), start));
  const clause = matchAt(CLAUSE, text, start)?.[0];
  if (clause === undefined) return false;
  if (clause.startsWith('set')) return !matchAt(SETS, text, start);
  const from = start + clause.length;
  return isSentence(text, from) || !COMPARES.test(text.slice(from, from + NEAR));
}
