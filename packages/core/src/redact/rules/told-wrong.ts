/**
 * What is repeated of a secret that was wrong: `mot de passe incorrect : …`, `密码错误：…`. Any words may stand between its
 * name in another language and the colon; which of them say that it was wrong is known of many.
 */
import { looksGiven } from '../looks.ts';
import { mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { knownNext } from '../runs.ts';
import { isForeignName } from './foreign-names.ts';
import type { KeyMeaning } from './keys.ts';
import { isOdd } from './odd-words.ts';
import { isUnspaced } from './sign-link.ts';
import { valueAt } from './value-at.ts';
import { saysWrong } from './wrong-words.ts';

/** Words without digits, up to a colon or a bracket; where no blanks stand between words, right behind the name. */
const WORDS =
  /([A-Za-z\u00c0-\u1fff\u3040-\ud7ff]{0,24}(?:[ \t]{1,2}[A-Za-z\u00c0-\u1fff\u3040-\ud7ff'’-]{1,20}){0,5})[ \t]{0,2}([:：(（])[ \t]{0,3}/y;
const SIGN = /[:：(（]/g;
const SPACE = 32;
/** So far from its name the sign stands at most. */
const FURTHEST = 100;
const UNSPACED = /[\u0e00-\u0eff\u3040-\uffff]/;

/** Marks it, if there is one behind the name that ends at an offset. Tells whether. */
export function markToldWrong(page: Page, nameStart: number, nameEnd: number, meaning: KeyMeaning): boolean {
  const { text } = page;
  if (
    meaning.strength < 2 ||
    !meaning.isHint ||
    !mayGoOn(text.charCodeAt(nameEnd)) ||
    !isSignNear(page, nameEnd)
  ) {
    return false;
  }
  const found = matchAt(WORDS, text, nameEnd);
  const [whole = '', words = '', sign = ''] = found ?? [];
  if (words === '') {
    return false;
  }
  const value = valueAt(page, nameEnd + whole.length);
  const said = value && text.slice(value.start, Math.min(value.end, value.start + FURTHEST));
  if (!(value && said) || UNSPACED.test(said)) {
    return false;
  }
  // What is said costs less to judge than the words before it.
  const isGiven = looksGiven(said);
  if (!(isGiven || isOdd(said))) {
    return false;
  }
  const isWrong = saysWrong(words);
  const isLoose = isWrong && meaning.class === 'password' && /[:：]/.test(sign);
  const isTold =
    isLoose ||
    (isGiven && (isWrong || (meaning.strength >= 3 && isForeignName(text.slice(nameStart, nameEnd)))));
  return isTold && mark(page, value.start, value.end, 'near-name', meaning.class, STRUCTURE);
}

/** Whether words may follow a name that ends before a character. */
function mayGoOn(code: number): boolean {
  return code === SPACE || isUnspaced(code);
}

function isSignNear(page: Page, from: number): boolean {
  const at = knownNext(page, 'told-wrong', from, () => {
    SIGN.lastIndex = from;
    return SIGN.test(page.text) ? SIGN.lastIndex - 1 : page.text.length;
  });
  return at - from <= FURTHEST && at > from;
}
