/**
 * Secrets that look like words, behind the word for one: `Secret hunter2zz not found`. In words that were written for
 * nobody they go; a name does not mix letters and digits in one part: `Secret db-creds not found`.
 */

import { mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { isPlainWord } from '../plain-words.ts';
import { build } from './patterns.ts';
import { namesSecret } from './said-names.ts';

const WORD = '(?:password|passphrase|passcode|secret|token|api[ _-]?key|access[ _-]?key|credentials?)';
/** `Secret x`, `secret "x"`, `password-x`, `token/x`. */
const BEHIND = build(`${WORD}(?:[ \\t]{1,3}["'\`]?|[-_/])([^\\s"'\`()<>\\[\\],;]{6,80})`, 'iy');
const WORDS = build(`\\b${WORD}`, 'gi');
/** `(password x)`: nothing else stands there. */
const ASIDE = /\((?:with |using )?(?:password|passphrase|passcode)[ :=]{1,3}([^\s()[\]]{3,80})\)/gi;
/** `Login svc/x`. */
const LOGIN = /\b(?:login|logon|account|credentials?)[ \t]{1,3}[\w.@+-]{1,64}[/:]([^\s"'`()<>[\],;]{8,80})/gi;
/** `the passphrase is some-words-joined`: two may be what is wrong with it, `too-short`. */
const JOINED =
  /\b(?:password|passphrase|passcode)s?(?: (?:for|of) [\w.@+-]{1,60})? (?:is|was|are|were)(?: now| set to)?:? ["'`“]?([a-z]{3,16}(?:-[a-z]{3,16}){2,9})(?![\w-])/gi;
/** Words of what is said of a password, beside those that are never one. */
const OF_RULES =
  /^(?:one|two|single|multi|time|use|once|easy|hard|guess\w*|never|yet|out|ever|long|since|auto|self|machine|randomly|well|known|case|sensitive|read|write|human|readable|system|admin|service|factor|step|day|days|month|months)$/i;
/** Words behind which somebody is named, and then what lets that one in: `creds svc / x`, `creds svc x`. */
const CREDENTIALS = /\b(?:log[io]n|auth|cred(?:ential)?s?)(?=[ \t:=])/gi;
const BEHIND_CREDENTIALS =
  /[ \t:=]{1,3}["'`]?[\w.@+-]{1,64}["'`]?(?:[ \t]{0,3}[/|:][ \t]{0,3}|[ \t]{1,3})["'`]?([^\s"'`()<>[\],;]{8,80})/y;
/** `account svc / x`: accounts have items with numbers of their own. */
const ACCOUNT = /\baccount(?=[ \t:=])/gi;
const BEHIND_ACCOUNT = /[ \t:=]{1,3}[\w.@+-]{1,64}[ \t]{1,3}[/|][ \t]{1,3}([^\s"'`()<>[\],;]{12,80})/y;
/** `p@ss=x`, `s3cret x`: names that are spelled to be overlooked. */
const DISGUISED =
  /(?<![\w@$])(?=[a-z]{0,9}[@$\d])(?:p[a@4][s5$][s5$](?:w[o0]rd|wd|phrase|c[o0]d[e3])?|s[e3]cr[e3]t|t[o0]k[e3]n|cr[e3]d[s5$]?)(?=[ \t:=])/gi;
const BEHIND_DISGUISED = /[ \t]{0,2}[=: \t][ \t]{0,2}["'`]?([^\s"'`()<>[\],;&]{6,80})/y;
/** Each word, and what stands behind it. */
const PLACES: readonly (readonly [word: RegExp, behind: RegExp])[] = [
  [CREDENTIALS, BEHIND_CREDENTIALS],
  [ACCOUNT, BEHIND_ACCOUNT],
  [DISGUISED, BEHIND_DISGUISED],
];
/** What is said of a password in brackets. */
const STATES =
  /^(?:required|missing|expired|hidden|invalid|incorrect|wrong|reset|optional|needed|unset|empty)$/i;
const MAY_NAME =
  /pass|pw|p[a@4][s5$]{2}|s[e3]cr[e3]t|t[o0]k[e3]n|cr3d|key|otp|pin|cred|auth|jwt|bearer|cookie|sig|hmac|salt|pepper|seed|mnemonic|cv[vc]|csc|session|sid|verifier|mfa|2fa|[cx]srf|hash|code|answer|log[io]n|account/i;
const SHORTEST = 6;
/** Longer words are for other rules. */
const LONGEST = 200;

/** Marks them where words were written for nobody. */
export function markBehindNames(page: Page): void {
  if (!page.switches.strict || !MAY_NAME.test(page.text)) {
    return;
  }
  markFound(page, ASIDE, (value) => !STATES.test(value), 1);
  for (const { index } of page.text.matchAll(WORDS)) {
    markMixed(page, BEHIND, index);
  }
  markFound(page, JOINED, isJoined, 0);
  markFound(page, LOGIN, isMixed, 0);
  for (const [word, behind] of PLACES) {
    for (const { 0: whole, index } of page.text.matchAll(word)) {
      markMixed(page, behind, index + whole.length);
    }
  }
  markNextWords(page);
}

/** The value that such an expression finds at an offset, if it is no word. */
function markMixed(page: Page, behind: RegExp, at: number): void {
  const value = matchAt(behind, page.text, at)?.[1];
  if (value !== undefined && isMixed(value)) {
    mark(page, behind.lastIndex - value.length, behind.lastIndex, 'near-name', 'secret', STRUCTURE);
  }
}

/** `after`: how much of the match stands behind its value. */
function markFound(page: Page, pattern: RegExp, isIt: (value: string) => boolean, after: number): void {
  for (const { 0: whole, 1: value = '', index } of page.text.matchAll(pattern)) {
    const end = index + whole.length - after;
    if (isIt(value)) {
      mark(page, end - value.length, end, 'near-name', 'secret', STRUCTURE);
    }
  }
}

/** `private_key x`, `2FA code x`: a word behind the name of a secret that is none of the language. */
function markNextWords(page: Page): void {
  let [before, name] = ['', ''];
  for (const { 0: whole, index } of page.text.matchAll(/\S+/g)) {
    const word = whole.length > LONGEST ? '' : bare(whole);
    if (isMixed(word) && (namesSecret(name) || namesSecret(`${before} ${name}`))) {
      const start = index + whole.indexOf(word);
      mark(page, start, start + word.length, 'near-name', 'secret', STRUCTURE);
    }
    [before, name] = [name, word];
  }
}

function isJoined(value: string): boolean {
  return !value.split('-').some((word) => isPlainWord(word) || OF_RULES.test(word));
}

/** A word without the signs around it. */
function bare(word: string): string {
  const start = word.search(/\w/);
  let end = word.length;
  while (end > start && !/\w/.test(word.charAt(end - 1))) end--;
  return start < 0 ? '' : word.slice(start, end);
}

/** Letters, digits and letters again in one part, or signs among them. */
function isMixed(value: string): boolean {
  if (/^[\w.-]*$/.test(value)) {
    return value.split(/[-_.]/).some((part) => part.length >= SHORTEST && /[a-z]\d{1,20}[a-z]/i.test(part));
  }
  return /[a-z]/i.test(value) && /\d/.test(value) && /[!$%&*^#]/.test(value);
}
