/** Names of fields that speak of a secret, where more is at stake than a word too many that is hidden. */
import { meaningOfKey } from './keys.ts';
import { isTold } from './received.ts';

/** Words of which one is enough in the name of a field. */
const SECRET_WORDS =
  /^(?:passw(?:or)?ds?|pwd|pass|passphrase|passcode|secrets?|tokens?|(?:api)?keys?|t?otp|pin|pincode|credentials?|creds|auth|authorization|jwt|bearer|cookies?|sig|signature|hmac|pw|mfa|2fa|csrf|xsrf|salt|pepper|seed|mnemonic|cv[vc]2?|csc|session|sid|verifier)\d?$/;
/** Words that make a key or a token a place in a list, or the name of one. */
const PLACES =
  /^(?:page|next|cursor|continuation|sync|sort|order|group|primary|foreign|partition|unique|index|public|max|min|num)$/;
const DIGESTED = /^(?:commit|git|block|tx|file|content|tree|object|image|build)$/;
const ADMITS =
  /^(?:access|unlock|admin|invite|invitation|security|verification|confirmation|otp|one|auth|reset|backup|recovery|login|sms|door|gate|lock|master|activation|2fa|fa|mfa)$/;
const LONGEST = 200;

/** Does the name of a field speak of a secret, in whatever spelling? */
export function namesSecret(name: string): boolean {
  const words = name
    .slice(0, LONGEST)
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u);
  if (words.some((word) => PLACES.test(word))) {
    return false;
  }
  const meaning = meaningOfKey(name);
  return (
    (meaning !== undefined && isTold(meaning)) ||
    words.some((word) => SECRET_WORDS.test(word)) ||
    isSecretCode(words) ||
    (words.includes('hash') && !words.some((word) => DIGESTED.test(word)))
  );
}

/** A code that lets somebody in, an answer that only one person knows. */
function isSecretCode(words: readonly string[]): boolean {
  return words.some((word) => /^(?:code|answer)s?$/.test(word)) && words.some((word) => ADMITS.test(word));
}
