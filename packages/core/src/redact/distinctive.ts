/**
 * Which of the values that were given as secrets are known again wherever they stand. What anybody might write, a word, a
 * version, a small number, goes where it is given as one and nowhere else.
 */
import { isPlain } from './looks.ts';
import { NO_SECRETS } from './own.ts';

/** A value that some part of a message gives away as a secret. */
export interface ToldSecret {
  readonly text: string;
  /** As in its surrogate: `password`, `api-key`, … */
  readonly class: string;
}

const SHORTEST = 6;
const LONGEST = 4096;
/** What is left of one that somebody has hidden already. */
const MASKED = /\.{3}|…|\*{3}|[•●]{2}/;
/** Of numbers only codes that somebody was sent are known again: others are counts, ids, dates and prices. */
const FEWEST_OF_CODES = 6;
const NUMBER = /^[\d\s.,:/_+-]+$/;
const VERSION = /^v?\d+(?:\.\d+){1,3}(?:[-+][\w.+-]*)?$/i;
const MOMENT = /^\d{4}-\d\d-\d\d/;
const WORDS = /^[\p{L}\p{M}'’]+(?:[\s_./:-]+[\p{L}\p{M}'’]+)*[.!?]?$/u;
/** Three words may be said of anything; four in a row are somebody's phrase. */
const PHRASE = /^\p{L}+(?:\s\p{L}+){3,}$/u;
/** `eu-west-1`, `order-1042`: what programs call their things. */
const NUMBERED = /^[a-z]{2,}(?:[-_.:/][a-z]{2,})*[-_.:/]?\d{0,4}$/i;
/** Of what people make up themselves, words are made. */
const MADE_UP = /^(?:password|secret|credentials|private-key|otp)$/;

/** Whether a class is one of secrets, which are told to nobody. Whoever names a session has begun it. */
export function isSecretClass(cls: string): boolean {
  return !NO_SECRETS.test(cls) && cls !== 'session';
}

/** Whether a value of such a class stands nowhere by chance. */
export function isDistinctive(value: string, cls: string): boolean {
  const { length } = value;
  if (length < SHORTEST || length > LONGEST || isPlain(value.trim()) || MASKED.test(value)) return false;
  if (VERSION.test(value) || MOMENT.test(value)) return false;
  if (NUMBER.test(value)) return cls === 'otp' && value.replace(/\D/g, '').length >= FEWEST_OF_CODES;
  if (WORDS.test(value)) return PHRASE.test(value) || isMixed(value);
  return MADE_UP.test(cls) || !NUMBERED.test(value);
}

/** Capitals as no word and no name of a program has them. */
function isMixed(value: string): boolean {
  const turns = value.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0;
  return turns >= 2 && turns * 5 >= value.length;
}
