/** What names say that stand for several: `PINs`, `passphrases`, `private keys`. In words alone; under a key of a value it may be a count. */
import { looksGiven } from '../looks.ts';
import { type KeyMeaning, type MeaningAt, meaningInTables, meaningsBy } from './key-meanings.ts';
import { meaningAt as meaningOfOne } from './keys.ts';

/** Models count tokens, and few of those who name several tell them. */
const TOKENS: KeyMeaning = {
  class: 'token',
  strength: 1,
  isNumber: false,
  isHint: false,
  fits: looksGiven,
};

const SECRETS = /^(?:password|private-key|secret|api-key|token|session|otp)$/;

const meaningOfMore: MeaningAt = /* @__PURE__ */ meaningsBy((_name, plain) => {
  if (plain === 'tokens') {
    return TOKENS;
  }
  const one = meaningInTables(plain) ? undefined : meaningInTables(plain.slice(0, -1));
  if (one?.strength !== 3 || !SECRETS.test(one.class)) {
    return undefined;
  }
  // Chips have pins as well, and maps: only what is beside them tells.
  return plain === 'pins' ? { ...one, strength: 1 } : one;
});

const SMALL = 32;
const LETTER = 115;

/** Tells from a name in a text, of one or of several, what the value beside it is. */
export const meaningAt: MeaningAt = (text, start, end) => {
  const isMore = (text.charCodeAt(end - 1) | SMALL) === LETTER;
  return (isMore ? meaningOfMore(text, start, end) : undefined) ?? meaningOfOne(text, start, end);
};
