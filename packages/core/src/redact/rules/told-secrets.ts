/**
 * Secrets that tools tell in their sentences, where a name alone would not be enough: `shared secret was …, expected
 * another`, `command was AUTH …`, `code 481 902 has expired`, a password that was made up and is told once.
 */
import { isPlain, looksGiven, stripEnd } from '../looks.ts';
import { type Detector, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, nextDigit, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { meaningOfKey } from './keys.ts';
import { isOdd } from './odd-words.ts';
import { build, labelTriggers, type Pattern, patternTriggers } from './patterns.ts';

const VALUE = '([^\\s"\'`,;()\\[\\]<>]{6,80})';
const OPEN = '[("\'`“«]?';
/** Words that say how a secret came to be used, and that lead to it. */
const USED =
  '(?: (?:we hold|in use|on file|used|given|sent|received|supplied|provided|you sent|you gave)){0,2}';
const LEADS =
  ' (?:was|is|were|are)(?: set to)?:? | used: |: | mismatch: got |(?: header)? with (?:the )?value ';
const WRONG =
  '(?=["\'`”»)]?(?: (?:does|did|do) not| (?:is|was) (?:wrong|invalid|incorrect|not|rejected|refused)| (?:is|was) too (?:short|long|weak)| must be| failed|, (?:got|expected|but)))';
/** The rest of a name: `secret_key`. */
const REST = /(?:_[A-Za-z]{1,12}){0,2}/y;
/** Behind the word for a secret: a lead and its value, the value and what is wrong with it, or the value in quotes. */
const LED = build(`(?:${USED}(?:${LEADS})|(?= \\())\\s?${OPEN}${VALUE}`, 'iy');
const JUDGED = build(` ${OPEN}${VALUE}${WRONG}`, 'iy');
const QUOTED = build(
  ` \\\\{0,3}["'\`“«]${VALUE}(?=\\\\{0,3}["'\`”»](?! (?:not found|(?:is|was|does) not (?:found|exist)|(?:already )?exists|is missing|(?:is|was|has been) (?:created|deleted|rotated))))`,
  'iy',
);
const BARE = build(` ${VALUE}`, 'y');
const SECOND = build(`["'\`”»)]?, (?:but )?(?:got|received|expected|not) ${OPEN}${VALUE}`, 'iy');
const WITH = /(?:^|\s)(?:with|using|by) (?:the |its |our |your )?(?:\w{2,12} )?$/i;

/** Capitals, small letters, digits and signs between them: no name of a thing is written so. */
function looksTold(value: string): boolean {
  return (
    (/[A-Z]/.test(value) &&
      /[a-z]/.test(value) &&
      /\d/.test(value) &&
      /[-_!@#$%^&*+.]/.test(value) &&
      isOdd(value)) ||
    looksGiven(value)
  );
}

/** The same without a name near: in three parts at least, as things seldom are. */
function looksMadeUp(value: string): boolean {
  return (
    looksTold(value) && (/[!@#$%^&*+]/.test(value) || value.split(/[-_.]/).length > 2 || looksGiven(value))
  );
}

function markTold(page: Page, end: number, value: string, cls: string): boolean {
  const bare = stripEnd(value, '.:!?');
  const start = end - value.length;
  return looksTold(bare) && mark(page, start, start + bare.length, 'near-name', cls, STRUCTURE);
}

/** What is called a secret, and what it is shown as. */
const SECRETS: ReadonlyArray<readonly [word: string, cls: string]> = [
  ['secret', 'secret'],
  ['psk', 'secret'],
  ['shared key', 'secret'],
  ['api key', 'api-key'],
  ['api-key', 'api-key'],
  ['access key', 'api-key'],
  ['signing key', 'api-key'],
  ['encryption key', 'api-key'],
  ['token', 'token'],
  ['credential', 'credentials'],
  ['passphrase', 'password'],
];

const FURTHEST = 160;
const SPACE = 32;
const COLON = 58;

const NAME = charSet(/[\w-]/);
/** Words before a token or a key that make it a place in a list, or what a model reads. */
const OF_LISTS =
  /(?:page|next|continuation|continue|progress|cancell?ation|sync|resume|resumption|cursor|max|min|prompt|completion|input|output|stop|unexpected|illegal|design|public|primary|foreign|partition|sort|cache|idempotency|routing)[ _-]$/i;

/** Whether what a name ends with is no secret: `nextPageToken`, `sync token`. */
function isHarmless(page: Page, start: number, end: number): boolean {
  const from = Math.max(runStart(page, NAME, start), start - 40);
  return (
    meaningOfKey(page.text.slice(from, end))?.strength === 0 ||
    OF_LISTS.test(page.text.slice(Math.max(0, from - 16), from))
  );
}

const secretDetector =
  (cls: string): Detector =>
  (page, start, end) => {
    const { text } = page;
    if (start < page.covered) {
      return;
    }
    const before = text.slice(Math.max(0, start - NEAR), start);
    if (before.slice(-24).includes(' as ')) {
      markAs(page, start, before, cls);
    }
    matchAt(REST, text, end);
    const nameEnd = REST.lastIndex;
    const next = text.charCodeAt(nameEnd);
    if ((next !== SPACE && next !== COLON) || isHarmless(page, start, nameEnd)) {
      return;
    }
    // What is told has a digit in it.
    if (nextDigit(page, nameEnd) - nameEnd > FURTHEST) {
      return;
    }
    const forms = WITH.test(before.slice(-40)) ? [...FORMS, BARE] : FORMS;
    const found = forms.find((form) => matchAt(form, text, nameEnd));
    const value = found === undefined ? undefined : matchAt(found, text, nameEnd)?.[1];
    if (found && value !== undefined && markTold(page, found.lastIndex, value, cls)) {
      const second = matchAt(SECOND, text, found.lastIndex)?.[1];
      if (second !== undefined) {
        markTold(page, SECOND.lastIndex, second, cls);
      }
    }
  };
const FORMS: readonly RegExp[] = [LED, JUDGED, QUOTED];

/** `signed with … as the secret`. */
function markAs(page: Page, start: number, before: string, cls: string): void {
  const words = before.split(' ');
  const at = words.lastIndexOf('as');
  const value = at > 0 && words.length - at < 4 ? (words[at - 1] ?? '') : '';
  if (value.length >= 6 && looksTold(value)) {
    const end = start - words.slice(at).join(' ').length - 1;
    mark(page, end - value.length, end, 'near-name', cls, STRUCTURE);
  }
}

/** Passwords in brackets behind words about them, and what somebody logged in, unlocked or signed with. */
const ASIDE: readonly Pattern[] = [
  ...['password', 'passphrase', 'passcode'].map(
    (word): Pattern => [
      word,
      build(
        `${word}[^\\n.;()]{0,40} \\((?:tried |got |was |used |entered |given |received )?${VALUE}(?=\\))`,
        'iy',
      ),
    ],
  ),
  ['credentials (', build(`credentials \\([\\w.@-]{1,64}, ?${VALUE}(?=\\))`, 'iy')],
  ...['auth', 'login', 'logon', 'bind as ', 'unlock', 'decrypt', 'tried '].map(
    (word): Pattern => [word, build(`${word}[^\\n.;()]{0,60}? (?:with|using) ${VALUE}`, 'iy')],
  ),
  ...['refused', 'denied', 'failed', 'rejected'].map(
    (word): Pattern => [
      `${word} for `,
      /\w{6,8} for [\w.-]{2,40}:([^\s@:/]{6,80})(?=@[A-Za-z][\w.-]{0,80}(?!:))/iy,
    ],
  ),
];

const asideDetector =
  (pattern: RegExp): Detector =>
  (page, start) => {
    const isNear = start >= page.covered && nextDigit(page, start) - start < FURTHEST;
    const value = isNear ? matchAt(pattern, page.text, start)?.[1] : undefined;
    if (value !== undefined && looksMadeUp(stripEnd(value, '.:!?'))) {
      markTold(page, pattern.lastIndex, value, 'password');
    }
  };

/** Commands of protocols that log somebody in; the password is the last word. */
const COMMANDS: readonly Pattern[] = [
  ['auth ', build(`AUTH (?:(?:PLAIN|LOGIN|XOAUTH2|default) )?${VALUE}`, 'y')],
  ['auth" "', /AUTH" "(?:\w{1,40}" ")?([^"\s]{4,80})(?=")/iy],
  ["auth', with args", /AUTH', with args beginning with: '([^'\s]{4,80})(?=')/iy],
  ['pass ', build(`PASS ${VALUE}(?=\\s{0,4}$|[\\r\\n,;)]|\\\\[rn]| (?:failed|was|is|rejected))`, 'y')],
  ['login ', build(`(?<=^|[\\s:>])LOGIN \\\\{0,3}"?[\\w.@-]{1,64}\\\\{0,3}"? \\\\{0,3}"?${VALUE}`, 'y')],
  ['oper ', build(`(?<=^|[\\s:>])OPER [\\w.-]{1,40} ${VALUE}`, 'y')],
  ['identify ', build(`(?<=:)IDENTIFY ${VALUE}`, 'y')],
  ['login incorrect', /Login incorrect(?: \([^()\n]{0,80}\))?: \[[\w.@-]{1,64}\/([^\]\s]{1,80})(?=\])/iy],
];
/** How somebody logs in, and not with what. */
const MECHANISM = /^[A-Z\d_-]+$|^https?:|[/\\]|\.[a-z]{1,4}$/;
const isPassword = (value: string): boolean => isOdd(stripEnd(value, '.:!?')) && !MECHANISM.test(value);

/** Passwords that a program made up, in the line below the words about them, or behind whose they are. */
const MADE: readonly Pattern[] = [
  [
    'password',
    /password(?: [^\n:]{1,90})?:[ \t]{0,4}(?:\r?\n[ \t]{0,12}){1,3}(\S{8,80})(?=[ \t]{0,4}(?:\r?\n|$))/iy,
  ],
  ['password is generated for ', /password is generated for \S{1,80}: (\S{6,80})/iy],
];
const isMade = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value) && !isPlain(value);

const CODE = '(\\d{3}[ -]\\d{3}|\\d{4,8})';
/** What becomes of a code that lets somebody in, in some languages. */
const SPENT =
  '(?:has |have |had )?(?:already |been )?(?:expired|been used|used)|is (?:no longer |not )?(?:valid|invalid|incorrect|correct|wrong|expired)|was (?:already used|wrong|rejected|refused)|(?:does|did) not match|' +
  'ist (?:abgelaufen|ungültig|falsch|nicht)|a expiré|est (?:expiré|incorrect|invalide)|n.est (?:pas|plus)|ha (?:caducado|expirado)|no es (?:válido|correcto)|expirou|é inválido|è (?:scaduto|errato)|non è (?:valido|corretto)|ист[её]к|неверн|недействит|wygasł|jest nieprawid|is verlopen|is ongeldig|süresi doldu|geçersiz';
const SPENT_CODE = build(
  `(?:code|código|codice|код|kod|kodu)(?: you (?:entered|sent|gave))? \\(?${CODE}\\)?,? (?:${SPENT})`,
  'iy',
);
const WRONG_CODE = build(`(?<=(?:wrong|invalid|incorrect|expired|bad) )code: ?${CODE}(?!\\d)`, 'iy');
const ENTERED = build(`entered ${CODE},? but the (?:code|otp|pin)`, 'iy');
/** Codes of other things: of failures, places and goods. */
const OTHER_CODE =
  /(?:error|status|exit|return|response|result|close|http|zip|postal|post|postcode|country|area|region|currency|language|product|article|item|coupon|discount|promo|promotion|voucher|gift|reason|event|opcode|op|hs|tax|swift|bank|sort|color|qr|bar|airport|dial|source|byte)[ _-]?$/i;
const ADMITS =
  /verif|authentic|sign|log ?in|login|otp|2fa|mfa|sms|one-time|new one|resend|phone|confirm|e-?mail|anmeld|neuen an|vérif|connexion|nouveau|nuevo|nuovo|novo|solicit|подтвержд|новый|weryfik|doğrula/i;
const NEAR = 120;
const FARTHEST_CODE = 24;

const detectCode: Detector = (page, start) => {
  const { text } = page;
  if (start < page.covered || nextDigit(page, start) - start > FARTHEST_CODE) {
    return;
  }
  const found = [SPENT_CODE, WRONG_CODE, ENTERED].find((one) => matchAt(one, text, start));
  const code = found ? (matchAt(found, text, start)?.[1] ?? '') : '';
  const before = text.slice(Math.max(0, start - NEAR), start);
  if (code === '' || OTHER_CODE.test(before) || /[\p{L}\d]$/u.test(before)) {
    return;
  }
  const at = text.indexOf(code, start);
  if (ADMITS.test(before) || ADMITS.test(text.slice(at, at + NEAR))) {
    mark(page, at, at + code.length, 'one-time-code', 'otp', STRUCTURE);
  }
};

/** What such codes are called where they are called nothing else. */
const LABELS =
  'verification code|authentication code|security code|pairing code|passkey|passcode|access code|unlock code|door code|gate code|alarm code|login code|backup code|one-time code|' +
  'bestätigungscode|sicherheitscode|code de vérification|code de sécurité|código de verificação|código de verificación|codice di verifica|verificatiecode|verifieringskod|kod weryfikacyjny|doğrulama kodu|код подтверждения|код доступа|код проверки|' +
  '验证码|驗證碼|校验码|認証コード|確認コード|認証番号|인증번호|인증 코드|인증코드|mã xác minh|mã xác nhận|kode verifikasi|รหัสยืนยัน|رمز التحقق';
const BEHIND = build(
  `["'「]?[ :：はが은는이가]{0,4}["'「]?(\\d{3}[ -]\\d{3}|[\\da-f]{4}-[\\da-f]{4}|\\d{4,8}#?)(?![\\w-])`,
  'iy',
);

const ANSWER =
  /(?:answer to (?:your|the) (?:security|secret) question(?: (?:was|is):?)? \(?|security answer(?: (?:was|is):?)? \(?)\\{0,3}["'‘“«]([^"'’”»\n]{2,80})(?=\\{0,3}["'’”»])/iy;

/** Triggers for secrets that are told. */
export function toldSecretTriggers(): Trigger[] {
  return [
    ...SECRETS.map(([word, cls]): Trigger => [word, secretDetector(cls)]),
    ...patternTriggers({ rule: 'auth-scheme', class: 'password', accepts: isPassword }, COMMANDS),
    ...ASIDE.map(([word, pattern]): Trigger => [word, asideDetector(pattern)]),
    ...patternTriggers({ rule: 'assignment', class: 'password', accepts: isMade }, MADE),
    ...['code', 'código', 'codice', 'код', 'kod', 'entered '].map((word): Trigger => [word, detectCode]),
    ...labelTriggers({ rule: 'one-time-code', class: 'otp' }, LABELS, BEHIND),
    ...patternTriggers({ rule: 'near-name', class: 'secret', accepts: () => true }, [
      ['answer to ', ANSWER],
      ['security answer', ANSWER],
    ]),
    ...patternTriggers({ rule: 'one-time-code', class: 'otp', accepts: () => true }, [
      ['use ', /use (\d{4,8})(?= (?:to (?:sign|log|verify|confirm)|as your (?:code|otp|pin|password)))/iy],
    ]),
  ];
}
