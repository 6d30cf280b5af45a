import { isPlain, isWord, looksGiven, looksRandom, stripEnd } from '../looks.ts';
import { BLOCK, type Detector, FORMAT, isAlnum, mark, matchAt, STRUCTURE } from '../page.ts';
import { charSet, nextOf, runEnd } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { wordEnd } from './formats.ts';
import { build, type Pattern, patternTriggers } from './patterns.ts';

const SCHEME_VALUE =
  /(?:Bearer|Basic|Token|ApiKey|Api-Key|Negotiate|NTLM|SSWS|Hawk|GoogleLogin|OAuth|DPoP)(?:[ \t]{1,3}|%20|\+|:[ \t]?)["']?([\w~+/.=%-]{6,1000})/iy;

/** A place in a list is no credential. */
const NOT_A_SCHEME = /(?:cursor|page|next|continuation|sync|resume|progress)[ _-]$/i;

/** `Bearer …`, `Basic …` wherever they stand. */
const detectScheme: Detector = (page, start) => {
  const { text } = page;
  if (
    start < page.covered ||
    (start > 0 && isAlnum(text.charCodeAt(start - 1))) ||
    NOT_A_SCHEME.test(text.slice(Math.max(0, start - 14), start))
  ) {
    return;
  }
  const found = matchAt(SCHEME_VALUE, text, start);
  const value = stripEnd(found?.[1] ?? '', '.');
  if (
    !found ||
    isPlain(value) ||
    /^[a-z_]+=$|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/i.test(value) ||
    (isWord(value) && value.length < 20) ||
    /^[a-z]+(?:[-_.][a-z]+)*$/.test(value)
  ) {
    return;
  }
  // In a sentence small letters speak of tokens, and not of a header.
  const isSentence =
    found[0].startsWith('token ') && !/[:="'`][ \t]{0,2}$/.test(text.slice(Math.max(0, start - 3), start));
  if (isSentence && !looksRandom(value, 10) && value.length < 20) {
    return;
  }
  const basic = /^basic/i.test(found[0]);
  if (basic && !/^(?:[\w+/-]{12,}={0,2}|[\w+/-]{6,}={1,2})$/.test(value)) {
    return;
  }
  if (/\d/.test(value) || value.endsWith('=') || value.length >= 24 || looksRandom(value, 8)) {
    const at = start + found[0].length - (found[1]?.length ?? 0);
    mark(
      page,
      at,
      wordEnd(page, at + value.length),
      'auth-scheme',
      basic ? 'credentials' : 'token',
      STRUCTURE,
    );
  }
};

const PEM = /-----BEGIN ((?:[A-Z0-9]{1,12} ){0,4}(?:PRIVATE KEY|SECRET KEY)(?: BLOCK)?)-----/y;
const MATERIAL = charSet(/[\w+/=\s:,.()\\-]/);
const PUTTY = /PuTTY-User-Key-File-\d:/y;

/** A PEM or PGP private key, to its end line, or, where that is cut off, as far as lines of key material go. */
const detectPem: Detector = (page, start) => {
  const { text } = page;
  const head = matchAt(PEM, text, start);
  if (start < page.covered || !head) {
    return;
  }
  const from = start + head[0].length;
  const tail = `-----END ${head[1]}-----`;
  const near = nextOf(page, '-----END ', from);
  const end = text.startsWith(tail, near) ? near + tail.length : runEnd(page, MATERIAL, from);
  mark(page, start, end, 'pem', 'private-key', BLOCK);
};

const PEM_END = /-----END (?:[A-Z0-9]{1,12} ){0,4}(?:PRIVATE KEY|SECRET KEY)(?: BLOCK)?-----/y;
const isMaterial = (code: number): boolean => isAlnum(code) || code === 43 || code === 47 || code === 61;
/** What stands between two lines of a key, however they are quoted, numbered or escaped. */
const BETWEEN = /[\s\\|>"'`,;:]/;
const MOST_BETWEEN = 12;
const SHORTEST_LINE = 20;

/** The rest of a private key that began before the text does: the lines of key material before its end line. */
const detectPemEnd: Detector = (page, start) => {
  const { text } = page;
  if (start < page.covered || !matchAt(PEM_END, text, start)) {
    return;
  }
  let from = -1;
  for (let at = start; ; ) {
    const to = skipBack(at, Math.max(0, at - MOST_BETWEEN), (place) => isBetween(text, place));
    const line = skipBack(to, 0, (place) => isMaterial(text.charCodeAt(place)));
    // Only the last line may be short, and a line's number is none.
    const isShort = to - line < SHORTEST_LINE;
    if (line === to || (isShort && (at !== start || !/[A-Z\d=]/.test(text.slice(line, to))))) {
      break;
    }
    from = isShort ? from : line;
    at = line;
  }
  if (from >= 0) {
    mark(page, isBetween(text, from) ? from + 1 : from, PEM_END.lastIndex, 'pem', 'private-key', BLOCK);
  }
};

/** The letter behind a backslash is a line break's. */
function isBetween(text: string, at: number): boolean {
  return BETWEEN.test(text.charAt(at)) || (text[at - 1] === '\\' && /[nrt]/.test(text.charAt(at)));
}

function skipBack(from: number, first: number, isIn: (place: number) => boolean): number {
  let at = from;
  while (at > first && isIn(at - 1)) {
    at--;
  }
  return at;
}

const detectPutty: Detector = (page, start) => {
  if (start >= page.covered && matchAt(PUTTY, page.text, start)) {
    const mac = nextOf(page, 'Private-MAC:', start);
    mark(page, start, nextOf(page, '\n', mac), 'pem', 'private-key', BLOCK);
  }
};

const HASH =
  /\$(?:2[abxy]?\$\d\d\$[\w./]{20,60}|(?:1|5|6|7|8|9|y|sha1|md5|apr1|gy)\$[\w./=$-]{12,200}|argon2(?:id|i|d)\$[\w./=$,+-]{20,300}|(?:scrypt|pbkdf2)[\w-]{0,12}\$[\w./=$,+-]{20,300}|krb5\w{3,8}\$[\w.$*@/:-]{20,400})/y;

/** A password's hash, as `crypt` and its successors write it. */
const detectHash: Detector = (page, start) => {
  if (start >= page.covered && matchAt(HASH, page.text, start)) {
    mark(page, start, wordEnd(page, HASH.lastIndex), 'password-hash', 'password', FORMAT);
  }
};

const JWT = /eyJ[\w-]{8,8000}\.(?:eyJ)?[\w-]{4,8000}(?:\.[\w-]{0,2000}){0,3}/y;

/** A JSON web token, signed or encrypted. */
const detectJwt: Detector = (page, start) => {
  const { text } = page;
  const end = wordEnd(page, start);
  if (
    start < page.covered ||
    end === page.jwtTried ||
    text[end] !== '.' ||
    isAlnum(text.charCodeAt(start - 1))
  ) {
    return;
  }
  page.jwtTried = end;
  if (matchAt(JWT, text, start)) {
    mark(page, start, wordEnd(page, JWT.lastIndex), 'jwt', 'jwt', FORMAT);
  }
};

const JWK_MEMBER = /"[dk]"\s?:\s?"([\w-]{20,700})/y;
const NEAR_KEY = 600;

/** Codes and logins in sentences; the secret member of a key in JSON. */
const SENTENCES: readonly Pattern[] = [
  ['log in with ', /log in with [\w.@-]{1,60}\/([^\s"',]{4,80})/iy],
  [
    'failed for ',
    /(?<=(?:login|logon|sign-?in|auth\w{0,12}) )failed for [\w.@-]{1,60}[/:](?!\/)([^\s"',;:]{8,80})/iy,
  ],
  ['tried ', /tried [\w.@-]{1,60}[/:](?!\/)([^\s"',;:]{8,80})/iy],
  ['login with ', /login with [\w.@-]{1,60}[/:](?!\/)([^\s"',]{4,80})/iy],
];
/** `The password of the account "ops" is …`, `Passphrase for /x/key: …`: what it is for stands between. */
const OF_SOMETHING =
  /\w{3,10}(?: phrase| code)? (?:for|of|on|to) [^\n;!?]{1,90}?(?: is(?: now)?(?: set to)?| was(?: set to)?|:| =) ["'`]?(?=[^\s\d]{0,79}\d)([^\s"'`]{6,80})/iy;
const SECRETS_OF: readonly Pattern[] = /* @__PURE__ */ (() =>
  'password passphrase passcode passwd secret token'
    .split(' ')
    .flatMap((word) => ['for', 'of', 'on', 'to'].map((of): Pattern => [`${word} ${of} `, OF_SOMETHING])))();

/** A word in quotes is the secret where somebody tried it, or where it did not match. */
const KEY =
  '(?:secret(?: key)?|(?:api|access|signing|encryption|private|license) key|token|passphrase|passcode|password)';
const TRIED = build(
  `\\w{4,7} (?:the |a |an |my |your |this )?${KEY} ["'\`“«]([^"'\`”»\\s]{4,80})(?=["'\`”»])`,
  'iy',
);
const MISMATCHED = build(
  `(?<=secret |api |access |signing |encryption )key ["'\`“«]([^"'\`”»\\s]{4,80})(?=["'\`”»] (?:did not match|does not match|is wrong|is incorrect|was rejected|was refused))`,
  'iy',
);
const PHRASE =
  /(?<=(?:secret|recovery|seed|backup|memorable) )phrase ["'`“«]([^"'`”»\n]{4,120})(?=["'`”»] (?:did not match|does not match|doesn't match|is wrong|is incorrect|is invalid|is not valid|is not correct|was rejected|was refused))/iy;
const QUOTED_WORDS: readonly Pattern[] = /* @__PURE__ */ (() => [
  ['phrase ', PHRASE],
  ...['tried ', 'entered ', 'typed '].map((word): Pattern => [word, TRIED]),
  ['key ', MISMATCHED],
])();

/** Secrets of one form behind one word, with no sign between. */
const WORDED: readonly Pattern[] = [
  ['secret ', /(?<=(?:2fa|totp|otp|mfa) )secret ([A-Z2-7]{16,64})(?!\w)/iy],
  ['code 0/', /code (\d\/[\w-]{20,200})(?!\w)/iy],
  ['samlresponse=', /samlresponse=([\w+/%=-]{40,8000})/iy],
  ['vault', /vault[^\n]{0,40}?[ :"'=](s\.[A-Za-z0-9]{24})(?!\w)/iy],
  ['wif', /(?<!\w)wif[ :"'=]{1,4}([5KL][1-9A-HJ-NP-Za-km-z]{50,51})(?!\w)/iy],
  ['key [0', /key (\[(?:\d{1,3}, ?){31,63}\d{1,3}\])/iy],
  ['key: [0', /key: (\[(?:\d{1,3}, ?){31,63}\d{1,3}\])/iy],
  ['hash ', /hash ([0-9a-f]{32}:[0-9a-f]{32})(?!\w)/iy],
];

const SECRET_LENGTH = 40;
const PAIR =
  /A[KS]IA[A-Z0-9]{16}["'`]?[\s:,;/|=&]{1,4}(?:(?:and|with|secret) )?["'`]?[A-Za-z0-9+/]{40}(?![\w+/])/y;

/** The secret key of AWS has no mark of its own, but it is told after its id, which is marked by itself. */
const detectPair: Detector = (page, start) => {
  if (matchAt(PAIR, page.text, start)) {
    mark(page, PAIR.lastIndex - SECRET_LENGTH, PAIR.lastIndex, 'aws-secret-key', 'api-key', FORMAT);
  }
};

const CODES: readonly Pattern[] = [
  ['code is ', /(?<=your (?:[\w-]{1,20} ){0,2})code is:? ?(\d{4,8})(?!\d)/iy],
  ['code: ', /(?<=your (?:[\w-]{1,20} ){0,2})code: (\d{4,8})(?!\d)/iy],
];
const YOUR_CODE = /is your (?:[\w-]{1,20} ){0,3}(?:code|otp|pin|password)/iy;

/** `123456 is your verification code`. */
const detectYourCode: Detector = (page, start) => {
  const code = /(?<=^|[^\w-]|(?<!\w)[A-Z]-)\d{4,8}(?= $)/.exec(
    page.text.slice(Math.max(0, start - 12), start),
  )?.[0];
  if (code && matchAt(YOUR_CODE, page.text, start)) {
    mark(page, start - 1 - code.length, start - 1, 'one-time-code', 'otp', STRUCTURE);
  }
};

const NOT_VALID =
  /is (?:not a valid|an invalid|no valid|not a known|an expired|a revoked) (?:api key|api token|access token|access key|auth token|bearer token|refresh token|client secret|license key|token)(?! (?:of|for|in|name|id|type))/iy;
const UUID = /^["'`]?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})["'`]?$/i;

/** `3f1c9a77-… is not a valid API key`: an identifier, were it not for what it is called. */
const detectNotValid: Detector = (page, start) => {
  const before = page.text.slice(Math.max(0, start - 40), start).trimEnd();
  const value = UUID.exec(before.split(/\s/).at(-1) ?? '')?.[1];
  if (value !== undefined && matchAt(NOT_VALID, page.text, start)) {
    const at = page.text.lastIndexOf(value, start);
    mark(page, at, at + value.length, 'near-name', 'api-key', STRUCTURE);
  }
};

/** Triggers for what is known by itself: schemes of headers, private keys, web tokens, hashes of passwords. */
export function markedTriggers(): Trigger[] {
  const schemes = [
    'bearer',
    'basic ',
    'token ',
    'token:',
    'apikey ',
    'negotiate ',
    'ntlm ',
    'ssws ',
    'dpop ',
  ];
  return [
    ...schemes.map((word) => [word, detectScheme] as const),
    ['-----begin', detectPem],
    ['-----end', detectPemEnd],
    ['putty-user-key', detectPutty],
    ['eyj', detectJwt],
    ...['$0$', '$0a$', '$0b$', '$0y$', '$y$', '$apr0$', '$argon', '$scrypt', '$pbkdf', '$krb'].map(
      (word) => [word, detectHash] as const,
    ),
  ];
}

/** Triggers for credentials that carry their own mark, or are told in words of their own. */
export function credentialTriggers(): Trigger[] {
  return [
    ...markedTriggers(),
    ['is your ', detectYourCode],
    ...['is not a', 'is an ', 'is no ', 'is a rev'].map((word) => [word, detectNotValid] as const),
    ...patternTriggers({ rule: 'assignment', class: 'secret' }, WORDED),
    ...patternTriggers({ rule: 'auth-scheme', class: 'password' }, SENTENCES),
    ...patternTriggers(
      { rule: 'assignment', class: 'password', accepts: (value) => looksGiven(stripEnd(value, '.,:!?)')) },
      SECRETS_OF,
    ),
    ...patternTriggers({ rule: 'near-name', class: 'secret' }, QUOTED_WORDS),
    ['akia', detectPair],
    ['asia', detectPair],
    ...patternTriggers({ rule: 'one-time-code', class: 'otp' }, CODES),
    ...patternTriggers(
      {
        rule: 'jwk',
        class: 'private-key',
        weight: FORMAT,
        accepts: (_, page, end) =>
          page.text.slice(Math.max(0, end - NEAR_KEY), end + NEAR_KEY).includes('"kty"'),
      },
      [
        ['"d"', JWK_MEMBER],
        ['"k"', JWK_MEMBER],
      ],
    ),
  ];
}

/** An address of any scheme, a time, and a date or the number of an issue behind its name: that is no user and no password. */
const NO_LOGIN =
  /^(?:[a-z][\w+.-]{0,20}:\/\/|(?:cid|data|mailto|(?:md|sha)\d{1,3}|urn):|\d{4}-\d\d-\d\dT|[\w-]+:(?:\d{4}-\d\d-\d\d|[A-Z]{2,10}-\d{1,8}$))/;

/** Whether text reads as `user:password`. */
export function isUserPassword(text: string): boolean {
  return (
    /^[\w.@+-]{1,64}:[!-~]{3,100}$/.test(text) &&
    !NO_LOGIN.test(text) &&
    (looksRandom(text, 8) || /[:].*[\d\W]|pass|secret/i.test(text))
  );
}
