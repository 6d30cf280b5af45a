/**
 * Secrets that a sentence says in so many words: a passphrase of several words in quotes, `with pass …`, `(used: …)`, what
 * something was signed with, the key that an authenticator is set up with, a password in four groups.
 */
import { isPlain, isSaidName, looksGiven, stripEnd } from '../looks.ts';
import type { Page } from '../page.ts';
import type { Trigger } from '../scan.ts';
import { isOdd } from './odd-words.ts';
import { build, type Pattern, patternTriggers } from './patterns.ts';

const VALUE = '([^\\s"\'`“”,;()\\[\\]<>]{6,80})';
const OPEN = '\\\\{0,3}["\'`“«]';
const QUOTED = '([^"\'`“”«»\\n\\\\]{4,80})(?=\\\\{0,3}["\'`”»])';
const NAMES = 'password,passphrase,passcode,passwort,kennwort'.split(',');
const WORDS_IN_QUOTES: readonly Pattern[] = /* @__PURE__ */ (() =>
  NAMES.flatMap((name): Pattern[] => [
    [
      name,
      build(
        `${name}(?: (?:for|of|für)(?: [^\\s"'\`]{1,60}){1,5}?)? (?:is|was|ist|war)(?: set to)? ${OPEN}${QUOTED}`,
        'iy',
      ),
    ],
    [
      name,
      build(
        `(?<=(?:tried|used|using|with|sent|entered) (?:the |a |my |your )?)${name} ${OPEN}${QUOTED}`,
        'iy',
      ),
    ],
  ]))();
/** What is said of a passphrase: how long it has to be, or what it was not. */
const RULE =
  /\b(?:at|bytes?|characters?|chars?|contains?|digits?|has|have|invalid|least|letters?|max\w*|min\w*|missing|must|needs?|not|of|required|should|times?|too|wrong)\b/i;

/** Words with a number among them, in quotes: what somebody remembers. */
const isPhrase = (value: string): boolean =>
  /\d/.test(value) && /\p{L}/u.test(value) && /\S\s\S/.test(value) && !RULE.test(value);

const OF_LOGINS =
  /log-?[io]n|log(?:ged|ging)? in|sign(?:ed)? in|\buser|account|auth|\bs?ftp|smtp|imap|ssh|connect/i;
const NEAR = 80;
const WITH_PASS: readonly Pattern[] = [
  ...['with', 'using', 'and', ','].map(
    (word): Pattern => [`${word} pass `, build(`${word} pass ["'\`]?${VALUE}`, 'iy')],
  ),
];

function isPassOfLogin(value: string, page: Page, end: number): boolean {
  const bare = stripEnd(value, '.:!?');
  return (
    OF_LOGINS.test(page.text.slice(Math.max(0, end - value.length - NEAR), end - value.length)) &&
    isOdd(bare) &&
    (looksGiven(bare) || /[A-Z]/.test(bare) || /[^\w-]/.test(bare))
  );
}

/** In brackets, behind a word that says that it was used. */
const ASIDE: readonly Pattern[] = /* @__PURE__ */ (() =>
  NAMES.map(
    (name): Pattern => [
      name,
      build(
        `${name}[^\\n.;()]{0,40} \\((?:entered|given|got|received|sent|tried|used|was): ?["'\`]?${VALUE}(?=["'\`]?\\))`,
        'iy',
      ),
    ],
  ))();

/** What something was signed, or encrypted, with. */
const SIGNED: readonly Pattern[] = /* @__PURE__ */ (() =>
  ['hmac', 'sign', 'encrypt', 'decrypt', 'verif', 'jwt'].map(
    (word): Pattern => [
      word,
      build(
        `(?<![\\w-])${word}[^\\n;()"'\`]{0,110}? (?:with|using) (?:the |its |our )?(?:shared )?(?:key|secret) ["'\`]?${VALUE}`,
        'iy',
      ),
    ],
  ))();
/** The number of a key, and not the key: a fingerprint, a name with a number behind it. */
const isNumberOfKey = (value: string): boolean =>
  /^(?:0x)?[\da-f]{8,64}$/i.test(value) || isSaidName(value) || /[/:]/.test(value);
const isKey = (value: string): boolean => {
  const bare = stripEnd(value, '.:!?');
  const isMixed = /[a-z]/.test(bare) && /[A-Z]/.test(bare) && /\d/.test(bare);
  return isOdd(bare) && !isNumberOfKey(bare) && (isMixed || looksGiven(bare));
};

const BASE32 = '([A-Z2-7]{16,64}|(?:[A-Za-z2-7]{4}[ -]){3,15}[A-Za-z2-7]{4})(?![\\w-])';
/** What an authenticator is set up with. */
const SETUP: readonly Pattern[] = /* @__PURE__ */ (() =>
  [
    'setup key',
    'setup code',
    'set-up key',
    'entry key',
    'totp seed',
    'totp key',
    'otp seed',
    'authenticator key',
  ].map((word): Pattern => [word, build(`${word}(?: is| was|:)? ["'\`]?${BASE32}`, 'iy')]))();
/** Letters as they are shown to be typed: capitals, or digits between them. */
const isTyped = (value: string): boolean => /^[A-Z2-7 -]+$/.test(value) || /[2-7]/.test(value);

const OF_APP =
  'app password,app-password,app-specific password,application password,application-specific password';
/** Four groups of four letters, as a password for an app is shown. */
const GROUPS: readonly Pattern[] = /* @__PURE__ */ (() =>
  OF_APP.split(',').map(
    (word): Pattern => [
      word,
      build(
        `${word}(?: is| was|:)? ["'\`]?((?:[a-z]{4}[ -]){3}[a-z]{4})(?=["'\`.,;)]|\\s{0,4}$|\\n| (?:is|was|has|did|does|were|revoked|rejected|failed|expired|not)\\b)`,
        'iy',
      ),
    ],
  ))();
const areLetters = (value: string): boolean =>
  value === value.toLowerCase() && !value.split(/[ -]/).some((group) => isPlain(group) || PLAIN.test(group));
/** Short words of which sentences are made. */
const PLAIN =
  /^(?:also|back|been|both|code|each|even|ever|from|full|gets|give|goes|good|have|help|here|into|just|keep|know|last|like|link|long|made|mail|make|more|most|much|must|name|need|next|once|only|open|over|page|read|same|says|sent|show|site|some|such|sure|take|team|text|that|them|then|they|this|time|used|user|uses|very|want|well|were|what|when|will|with|word|work|your)$/;

/** Triggers for secrets that a sentence says. */
export function saidSecretTriggers(): Trigger[] {
  const password = { rule: 'near-name', class: 'password' };
  return [
    ...patternTriggers({ ...password, accepts: isPhrase }, WORDS_IN_QUOTES),
    ...patternTriggers({ ...password, accepts: isPassOfLogin }, WITH_PASS),
    ...patternTriggers({ ...password, accepts: (value) => isOdd(stripEnd(value, '.:!?')) }, ASIDE),
    ...patternTriggers({ ...password, accepts: areLetters }, GROUPS),
    ...patternTriggers({ rule: 'near-name', class: 'api-key', accepts: isKey }, SIGNED),
    ...patternTriggers({ rule: 'near-name', class: 'secret', accepts: isTyped }, SETUP),
  ];
}
