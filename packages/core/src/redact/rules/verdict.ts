import {
  isBytes,
  isIdentifier,
  isPlain,
  isProse,
  isSaidName,
  isUnspacedWord,
  isWeakWord,
  isWord,
  looksRandom,
} from '../looks.ts';
import { isReference } from '../placeholders.ts';
import { isAt, signSet } from '../sign-sets.ts';
import {
  ALNUM,
  AT,
  BLANK,
  COLON,
  DASH,
  DIGIT,
  DOLLAR,
  DOT,
  hasAny,
  hasOnly,
  kindsIn,
  LETTER,
  LOWLINE,
  MARK,
  OPEN,
  OTHER,
  SLASH,
  TILDE,
  WORD,
} from '../signs.ts';
import type { KeyMeaning } from './key-meanings.ts';
import type { Tie } from './sign-link.ts';

/** A value beside a name that may be a secret's. */
export interface Candidate {
  readonly value: string;
  readonly name: string;
  readonly meaning: KeyMeaning;
  readonly tie: Tie;
  readonly quoted: boolean;
  /** The characters after the value. */
  readonly next: string;
  /** Whether blanks stand around the sign, as they do in a program. */
  readonly isSpaced?: boolean | undefined;
}

/** `pass` is a verb in a sentence, and `PWD` a directory where a path follows. */
const NOT_A_NAME = /^(?:pass|pwd)$/i;

/** `the pwd was …`: nobody names a directory so. */
function isToldPwd(name: string, value: string): boolean {
  return /^pwd$/i.test(name) && looksRandom(value, 8);
}

/** A file that holds a secret is none. */
const FILE =
  /^(?:\.{0,2}|~)\/[\w./-]+$|^[\w./-]+\.(?:json|pem|key|crt|cer|p12|pfx|jks|txt|ya?ml|env|conf|ini)$/;

/** What stands between two texts in quotes, where a name ends the first: `'Enter password:', 'code': 5`. */
const BETWEEN_TEXTS = /^[\s,:;]{1,8}$/;

/** How a cookie is to be kept, and not what is in it. */
const COOKIE_RULE =
  /^(?:samesite|path|domain|max-age|expires|secure|httponly|partitioned|priority)(?![\w-])/i;

const FLAG = /^--[a-z][a-z-]{2,40}$/;

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
    ((tie === 'prose' && !isToldPwd(name, value)) || /^(?:\/|[A-Za-z]:\\)/.test(value))
  ) {
    return false;
  }
  if (quoted && BETWEEN_TEXTS.test(value)) {
    return false;
  }
  const isFlag = value.startsWith('--') && FLAG.test(value);
  if (!quoted && (isFlag || (isPassword && name.startsWith('-') && /^\d{1,2}$/.test(value)))) {
    return false; // the next flag, or a number of times: `-pass 2`
  }
  if (isPlain(value)) {
    return isPassword && bound && isWeakWord(value) && !isReference(value);
  }
  if (isSameName(name, value) || (!quoted && tie !== 'query' && isCode(candidate))) {
    return false;
  }
  if (!isPassword && isNoSecret(candidate)) {
    return false;
  }
  if (meaning.class === 'cookie') {
    return !COOKIE_RULE.test(value) && (/^[^\s=;(]{1,80}=[^\s;]/.test(value) || looksRandom(value, 12));
  }
  if (tie === 'listed') {
    return meaning.strength >= 2 && isListedSecret(value, quoted);
  }
  if (meaning.class === 'otp') {
    if (/^pins$/i.test(name) && !isListOfPins(candidate)) {
      return false;
    }
    return bound
      ? /^[\w-]{3,16}$/.test(value) && /\d/.test(value)
      : /^\d{3,10}$|^[\da-f]{4,6}(?:-[\da-f]{4,6}){1,3}$|^\d{2,3}(?:-\d{2,3}){1,2}$/i.test(value);
  }
  if (meaning.strength < 2) {
    return isWeaklyNamed(candidate);
  }
  if (isPassword) {
    return bound ? !isProse(value) : isLoosePassword(candidate);
  }
  return bound ? isBound(candidate) : isLoose(candidate);
}

/** Pins of chips and of maps are counted, and named by small numbers. */
function isListOfPins({ name, value, next }: Candidate): boolean {
  return /^\d{4,8}$/.test(value) && (name.startsWith('PIN') || /^,| [ao&]/.test(next));
}

/** The next item of a list is a value only if it looks like one: most lists are of names. */
function isListedSecret(value: string, quoted: boolean): boolean {
  return hasAny(value, DIGIT)
    ? looksRandom(value, 10) || (quoted && /^(?=.*[A-Za-z])\S{6,64}$/.test(value))
    : hasOnly(value, LETTER) && looksRandom(value, 10);
}

const SEPARATED = /[._$#-]/;

/** `this.token = token`, `token: token`. */
function isSameName(name: string, value: string): boolean {
  if (
    value.length > name.length + 2 ||
    (value.charCodeAt(value.length - 1) | 32) !== (name.charCodeAt(name.length - 1) | 32)
  ) {
    return false;
  }
  if (!(SEPARATED.test(name) || SEPARATED.test(value))) {
    return value.length === name.length && value.toLowerCase() === name.toLowerCase();
  }
  return isSamePart(name, value);
}

const JOINTS = signSet('_$#-');
const POINT = 46;

/** Whether the last parts of two names are the same, without case and separators. */
function isSamePart(name: string, value: string): boolean {
  for (let at = name.length, other = value.length; ; ) {
    do at--;
    while (isAt(JOINTS, name, at));
    do other--;
    while (isAt(JOINTS, value, other));
    const isOver = at < 0 || name.charCodeAt(at) === POINT;
    if (isOver || other < 0 || value.charCodeAt(other) === POINT) {
      return isOver && (other < 0 || value.charCodeAt(other) === POINT);
    }
    if (name.charAt(at) !== value.charAt(other) && !isSameLetter(name.charAt(at), value.charAt(other))) {
      return false;
    }
  }
}

const isSameLetter = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** A call, a property of some object, a type, another name: code, not a value. */
function isCode({ value, next, isSpaced = false }: Candidate): boolean {
  return (
    (hasAny(value, OPEN | SLASH | OTHER) && /^[A-Za-z_$][\w.$]*[([]|^\/[*^]|^[A-Za-z_$.]+\?\./.test(value)) ||
    (hasAny(value, DOT) &&
      hasOnly(value, LETTER | LOWLINE | DOLLAR | DOT) &&
      /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value)) ||
    (hasAny(value, DASH) &&
      /^(?:ConvertTo|ConvertFrom|Get|Read|New|Import)-[A-Z][A-Za-z]{3,24}$/.test(value)) ||
    (isSpaced &&
      hasOnly(value, LETTER | LOWLINE | DOLLAR) &&
      (/^(?:[a-z_$]{2,}|[A-Z][a-z]{2,})(?:[A-Z][a-z]{2,})+$/.test(value) ||
        (/^[A-Za-z_$]+$/.test(value) && /^(?:<| [|&?]|\()/.test(next))))
  );
}

/** An address, a file, a sentence, words joined by dashes: not what keys and tokens look like. */
function isNoSecret({ value, meaning, tie }: Candidate): boolean {
  return (
    (meaning.holds === undefined &&
      hasAny(value, SLASH | DOT) &&
      hasOnly(value, WORD | DOT | SLASH | DASH | TILDE) &&
      FILE.test(value)) ||
    (hasAny(value, OPEN) && /\[\d{0,4}\]/.test(value) && /^[A-Za-z_$][\w$.[\]-]*$/.test(value)) ||
    (hasAny(value, COLON) && /^[a-z][a-z\d+.-]{1,20}:\/\//i.test(value)) ||
    (hasAny(value, BLANK) && meaning.class !== 'cookie' && !isBytes(value)) ||
    (tie !== 'query' &&
      meaning.class !== 'secret' &&
      meaning.class !== 'private-key' &&
      hasAny(value, DOT | LOWLINE | DASH) &&
      /^[a-z]+(?:[._-][a-z]+)+$|^[A-Z]+(?:_[A-Z]+)+$/.test(value))
  );
}

/** `key`, `x_token` and the like: names that also stand before harmless values. */
function isWeaklyNamed({ value, meaning, tie, quoted }: Candidate): boolean {
  if (meaning.fits !== undefined && (tie !== 'query' || meaning.strength < 1)) {
    return meaning.fits(value);
  }
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
  return value.length >= 20 && hasAny(value, DIGIT) && hasOnly(value, ALNUM);
}

function isBound({ value, meaning, quoted, tie }: Candidate): boolean {
  if (tie === 'query') {
    return true;
  }
  if (meaning.strength === 3) {
    return (
      value.length >= 4 &&
      !isProse(value) &&
      (quoted || !isWord(value) || value.length >= 20 || looksRandom(value, 8))
    );
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
    return (
      !(next.startsWith(' ') && isWord(value) && /^ [\p{L}\d]/u.test(next)) &&
      !(value.length <= 3 && kindsIn(value) === DIGIT) &&
      !isUnspacedWord(value)
    );
  }
  return (
    looksRandom(value, 8) ||
    (value.length >= 4 && hasAny(value, DIGIT | MARK | AT | DOLLAR) && hasAny(value, LETTER)) ||
    (value.length >= 4 && kindsIn(value) === DIGIT)
  );
}

function isLoose({ value, meaning, tie, quoted }: Candidate): boolean {
  if (tie === 'colon' && isIdentifier(value)) {
    return meaning.strength === 3 && value.length === 36;
  }
  if (tie === 'colon' && meaning.strength === 3 && value.length >= 6 && !isWord(value)) {
    return hasAny(value, DIGIT) || (value.length >= 8 && !hasOnly(value, WORD | DASH));
  }
  return (
    (looksRandom(value, quoted || tie === 'colon' ? 8 : 12) && !(tie === 'prose' && isSaidName(value))) ||
    isLongWord(value) ||
    (hasAny(value, DASH) && /^[A-Z\d]{4,6}(?:-[A-Z\d]{4,6}){2,}$/.test(value)) ||
    (value.length >= 24 && hasOnly(value, LETTER))
  );
}
