/**
 * The id of a request stands in a log and nowhere else. One that begins as those of payments and orders do may be that of
 * something that was made, wherever it stands.
 */

/** The words that ids of requests begin with, where they begin with one. */
const OF_REQUESTS =
  '(?:api|call|cid|corr|correlation|err|error|id|mcp|ref|req|request|root|rpc|sess|session|span|trace)';

/** Another word, and no bytes to the base of 16 or 64, and a number: `tx-991`, `pay_3MtwBw`, `INV/2026/001`, `txn991`. */
const WORD_AND_NUMBER = `(?!${OF_REQUESTS}(?![a-z])|[\\da-f:-]{16}|\\S*=$)[a-z]{2,40}(?:\\d{1,40}(?![\\w:-])|[-_:.=/#~|]\\S{0,200}\\d)`;
const OF_A_THING = new RegExp(`^${WORD_AND_NUMBER}`, 'i');

/** A word is written in letters of one height; bytes in base64 are not. */
const BEGINS_WITH_WORD = /^(?:[A-Za-z][a-z]+|[A-Z]{2,})(?![A-Za-z])/;

/** May it be the id of something other than a request? */
export function isOfAThing(id: string): boolean {
  return BEGINS_WITH_WORD.test(id) && OF_A_THING.test(id);
}

/** The same in the middle of a text, behind what says that it is the id of a request. */
export const NOT_OF_A_THING: string = `(?!${WORD_AND_NUMBER})`;
