import { isIdentifier, isPlain, isProse, isWeakWord, isWord, looksRandom } from '../looks.ts';
import type { KeyMeaning } from './keys.ts';
import type { Tie } from './tie.ts';

/** A value beside a name that may be a secret's. */
export interface Candidate {
  readonly value: string;
  readonly name: string;
  readonly meaning: KeyMeaning;
  readonly tie: Tie;
  readonly quoted: boolean;
  /** The characters after the value. */
  readonly next: string;
}

/** `pass` is a verb in a sentence, and `PWD` a directory where a path follows. */
const NOT_A_NAME = /^(?:pass|pwd)$/i;

/**
 * Decides whether a value beside a telling name is a secret. The looser the tie and the weaker the name, the more the
 * value itself must look like one: `password=secret` goes, `password: incorrect` stays.
 */
export function isSecret(candidate: Candidate): boolean {
  const { value, meaning, tie, quoted, name } = candidate;
  const isPassword = meaning.class === 'password';
  const bound = tie === 'query' || tie === 'assigned' || (tie === 'colon' && quoted);
  if (
    isPassword &&
    name.length <= 4 &&
    NOT_A_NAME.test(name) &&
    (tie === 'prose' || /^(?:\/|[A-Za-z]:\\)/.test(value))
  ) {
    return false;
  }
  if (isPlain(value)) {
    return isPassword && bound && isWeakWord(value);
  }
  if (value.toLowerCase() === name.toLowerCase() || (!quoted && tie !== 'query' && isCode(value))) {
    return false;
  }
  if (meaning.class === 'cookie') {
    return /^[^\s=;(]{1,80}=[^\s;]/.test(value) || looksRandom(value, 12);
  }
  if (tie === 'listed') {
    return meaning.strength >= 2 && looksRandom(value, 10);
  }
  if (meaning.class === 'otp') {
    return bound ? /^[\w-]{3,16}$/.test(value) && /\d/.test(value) : /^\d{3,10}$/.test(value);
  }
  if (meaning.strength < 2) {
    return isWeaklyNamed(candidate);
  }
  if (isPassword) {
    return bound ? !isProse(value) : isLoosePassword(candidate);
  }
  return bound ? isBound(candidate) : isLoose(candidate);
}

/** A call or a property of some object: code, not a value. */
function isCode(value: string): boolean {
  return (
    /^[A-Za-z_$][\w.$]*[([]/.test(value) ||
    /\$$/.test(value) ||
    (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) && !/\d/.test(value))
  );
}

/** `key`, `x_token` and the like: names that also stand before harmless values. */
function isWeaklyNamed({ value, meaning, tie, quoted }: Candidate): boolean {
  if (tie === 'query') {
    return meaning.strength === 1 ? value.length >= 6 : looksRandom(value, 8);
  }
  if (tie === 'prose' && !quoted) {
    return looksRandom(value, 16) || isLongWord(value);
  }
  return looksRandom(value, 12) || isLongWord(value);
}

/** One unbroken run of letters and digits, longer than words are. */
function isLongWord(value: string): boolean {
  return /^[A-Za-z0-9]{20,}$/.test(value) && /\d/.test(value);
}

function isBound({ value, meaning, quoted, tie }: Candidate): boolean {
  if (tie === 'query') {
    return true;
  }
  if (meaning.strength === 3) {
    return value.length >= 4 && !isProse(value) && !(isWord(value) && value.length < 8 && !quoted);
  }
  return (
    (value.length >= 6 && !isWord(value) && !isProse(value) && !isIdentifier(value)) || looksRandom(value, 8)
  );
}

function isLoosePassword({ value, tie, quoted, next }: Candidate): boolean {
  if (quoted) {
    return !isProse(value);
  }
  if (tie === 'colon') {
    return !(isWord(value) && /^ \w/.test(next));
  }
  return (
    (value.length >= 4 && /[\d!@#$%^&*]/.test(value) && /[A-Za-z]/.test(value)) || /^\d{4,}$/.test(value)
  );
}

function isLoose({ value, meaning, tie, quoted }: Candidate): boolean {
  if (tie === 'colon' && isIdentifier(value)) {
    return meaning.strength === 3 && value.length === 36;
  }
  if (tie === 'colon' && meaning.strength === 3 && value.length >= 6 && !isWord(value)) {
    return /\d/.test(value) || (value.length >= 8 && /[^\w-]/.test(value));
  }
  return (
    looksRandom(value, quoted || tie === 'colon' ? 8 : 12) ||
    isLongWord(value) ||
    /^[A-Za-z]{24,}$/.test(value)
  );
}
