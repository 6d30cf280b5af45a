import { type Detector, isAlnum, isWordSign, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, runEnd, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { isCard, isIban, isLuhn } from './checksums.ts';
import { isLabelled, isLongLabelled } from './labels.ts';
import { build, type Pattern, patternTriggers } from './patterns.ts';
import { PHONE_NUMBER, phoneLabelTriggers } from './phone-labels.ts';

/** Whether a digit of ASCII stands at an offset. */
export function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

const isLetter = (code: number): boolean =>
  (code >= 0xc0 && code <= 0x24f) || (code >= 0x370 && code <= 0x4ff);
const LOCAL = charSet(/[\w.%+'-]/, isLetter);
const DOMAIN =
  /(?:[A-Za-z0-9\u00c0-\u024f\u0370-\u04ff][A-Za-z0-9\u00c0-\u024f\u0370-\u04ff-]{0,62}\.){1,8}[A-Za-z\u0370-\u04ff]{2,24}(?![\w-]{0,80}@)/y;
/** Mailboxes of a role, as companies and mail servers have them. */
const ROLES: ReadonlySet<string> = /* @__PURE__ */ (() =>
  new Set(
    'support help helpdesk servicedesk service services noreply no-reply donotreply do-not-reply security abuse postmaster webmaster hostmaster mailer-daemon admin administrator sysadmin root info information contact contactus kontakt contacto contato hello hi office reception enquiries inquiries sales vertrieb ventas presales marketing press media pr partners partnerships team community events newsletter news careers career jobs recruiting recruitment hr billing invoices invoice accounts accounting payments finance orders order bookings returns shipping customerservice customer-service customercare care feedback legal privacy compliance dpo gdpr datenschutz copyright dmca trust notifications notification notify alerts updates bounce bounces devops ops noc soc it git hg svn npm'.split(
      ' ',
    ),
  ))();
const isRole = (local: string): boolean => ROLES.has(local.toLowerCase()) || /^no-?reply[-+]/i.test(local);

/** An e-mail address. Addresses of a role rather than a person stay: they are where the reader is sent. */
const detectEmail: Detector = (page, start, end) => {
  const { text } = page;
  let from = Math.max(runStart(page, LOCAL, start), start - 64);
  while (from < start && /[.'%+-]/.test(text[from] as string)) {
    from++;
  }
  const local = text.slice(from, start);
  const domain = local === '' ? null : matchAt(DOMAIN, text, end)?.[0];
  if (
    domain &&
    !isRole(local) &&
    !isMessageId(text, from, local) &&
    !/^\dx\.\w+$/.test(domain) &&
    !isInAuthority(text, from)
  ) {
    mark(page, from, end + domain.length, 'email', 'email', STRUCTURE);
  }
};

/** What mail names messages in: `Message-ID: <20260101.5512@mail.example.com>`. */
const MESSAGE_ID = /(?:message|msg|thread|mail)[-_ ]?id|in[-_ ]reply[-_ ]to|references/i;
const LONGEST_REFERENCES = 240;

/** Whether an address is that of a message: in angle brackets in a line that begins with such a name. */
function isMessageId(text: string, from: number, local: string): boolean {
  const before = text.slice(Math.max(0, from - LONGEST_REFERENCES), from);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const open = line.lastIndexOf('<');
  return open > line.lastIndexOf('>') && /\d/.test(line.slice(open) + local) && MESSAGE_ID.test(line);
}

const QUOTED_LOCAL = /\\?"[^"\\\n]{1,64}\\?"$/;

/** `"anna k"@example.com`: the name of a mailbox may stand in quotes. */
const detectQuotedEmail: Detector = (page, start, end) => {
  const before = page.text.slice(Math.max(0, start - 70), start + 1);
  const local = start < page.covered ? undefined : QUOTED_LOCAL.exec(before)?.[0];
  if (local !== undefined && matchAt(DOMAIN, page.text, end)) {
    mark(page, start + 1 - local.length, DOMAIN.lastIndex, 'email', 'email', STRUCTURE);
  }
};

const SPELT_DOMAIN =
  /[([{]\s?(?:at|@|ät)\s?[)\]}]\s{0,2}[\w-]{1,63}(?:(?:\.|\s{0,2}[([{]\s?(?:dot|punkt|\.)\s?[)\]}]\s{0,2})[\w-]{2,63}){1,4}/iy;

/** A file rather than a domain: by an ending that no domain has, or by what files of a program are called. */
const SPELT_FILE =
  /\.(?:html?|[cm]?[jt]sx?|json|txt|php|ya?ml|toml|gradle|xml|s?css|csv|log|sql|[ch]pp|java|kts?|swift|rb|go|exs?|erl|conf|cfg|ini|lock|exe|dll|jar|vue|lua|ps1|md|bat)$|(?:^|\W)(?:main|index|app|lib|mod|setup|config|readme|tests?|conftest|manage|build|utils?|server|client|__init__)\.[a-z]{1,4}$/i;

/** `anna (at) example.com`, `anna [at] example [dot] com`. */
const detectSpeltEmail: Detector = (page, start) => {
  const { text } = page;
  const to = text[start - 1] === ' ' ? start - 1 : start;
  const from = Math.max(runStart(page, LOCAL, to), to - 64);
  const local = text.slice(from, to);
  if (!/[a-z]/i.test(local) || from < page.covered || isRole(local)) {
    return;
  }
  const domain = matchAt(SPELT_DOMAIN, text, start)?.[0] ?? '';
  if (/[^a-z][a-z]{2,63}$/i.test(domain) && !SPELT_FILE.test(domain)) {
    mark(page, from, start + domain.length, 'email', 'email', STRUCTURE);
  }
};

/** What stands before the `@` of an address is a user or password, not a mailbox. */
function isInAuthority(text: string, at: number): boolean {
  const near = text.slice(Math.max(0, at - 80), at);
  const scheme = near.lastIndexOf('://');
  return scheme >= 0 && !/[\s/?#]/.test(near.slice(scheme + 3));
}

const DIGITS = charSet(/\d/);
const LONGEST_NUMBER = 24;

/** Whether an offset is in a run of digits that is longer than any number that means somebody. */
export function isLongNumber(page: Page, at: number): boolean {
  return runEnd(page, DIGITS, at) - runStart(page, DIGITS, at) > LONGEST_NUMBER;
}

const DOT = 46;
/** What stands between the groups of a number: a blank, a hyphen. */
const isGap = (code: number): boolean => code === 32 || code === 45;
const isWordOrDot = (code: number): boolean => isWordSign(code) || code === DOT;

const CARD_DIGITS = /\d(?:[ -]?\d){13,18}(?!\d)/y;

/** How cards are printed: in one piece, in fours, or 4-6-5 and 4-6-4. Other groups are other numbers. */
const CARD_GROUPS =
  /^(?:\d{14,19}|\d{4}(?:[ -]\d{4}){2}[ -]\d{1,4}(?:[ -]\d{1,3})?|\d{4}[ -]\d{6}[ -]\d{4,5})$/;

/** The same with dots: a dot may as well end a sentence or part the cents, so that only whole groups count. */
const DOTTED_CARD = /(?:\d{4}\.\d{4}\.\d{4}\.\d{2,4}(?:\.\d{3})?|\d{4}\.\d{6}\.\d{4,5})(?!\d|\.\d)/y;

/** A payment card: the right start, the right length, Luhn's check, and its groups or no label that calls it something else. */
const detectCard: Detector = (page, start, stop) => {
  const { text } = page;
  if (isLongNumber(page, start)) {
    return;
  }
  let from = start;
  while (
    from > 0 &&
    stop - from < LONGEST_NUMBER &&
    (isDigitAt(text, from - 1) || (isGap(text.charCodeAt(from - 1)) && isDigitAt(text, from - 2)))
  ) {
    from--;
  }
  if (from === page.number && isDigitAt(text, start - 1)) {
    return;
  }
  page.number = from;
  for (const at of from === start ? [start] : [from, start]) {
    if (at < page.covered || isWordOrDot(text.charCodeAt(at - 1))) {
      continue;
    }
    const dotted = text.charCodeAt(at + 4) === DOT ? matchAt(DOTTED_CARD, text, at)?.[0] : undefined;
    const digits = dotted ?? matchAt(CARD_DIGITS, text, at)?.[0] ?? '';
    const end = at + digits.length;
    if (
      // The check first: it costs least, and nine of ten numbers fail it.
      isLuhn(digits) &&
      (dotted !== undefined || CARD_GROUPS.test(digits)) &&
      isCard(digits.replace(/\D/g, '')) &&
      !/[A-Za-z_]/.test(text[end] ?? '') &&
      // Nobody writes another number in the groups of a card.
      (/\D/.test(digits) || !(isLabelled(page, at, end) || isLongLabelled(page, at, end)))
    ) {
      mark(page, at, end, 'card', 'card', STRUCTURE);
      return;
    }
  }
};

/** In one piece or in groups: the length and the check digits tell. */
const IBAN = /[A-Z]{2}\d{2}(?:[ .\u00a0-]?[A-Z0-9]){11,30}/iy;
const IBAN_LENGTHS: ReadonlyMap<string, number> = /* @__PURE__ */ (() =>
  new Map(
    [
      ...'AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20YE30'.matchAll(
        /([A-Z]{2})(\d\d)/g,
      ),
    ].map(([, country = '', length]) => [country, Number(length)]),
  ))();

const detectIban: Detector = (page, start) => {
  const { text } = page;
  // After a hyphen it is the rest of a longer identifier: a UUID ends like an IBAN now and then.
  if (
    start < page.covered ||
    (isAlnum(text.charCodeAt(start - 1)) && !/iban$/i.test(text.slice(Math.max(0, start - 4), start))) ||
    text[start - 1] === '-'
  ) {
    return;
  }
  const length = IBAN_LENGTHS.get(text.slice(start, start + 2).toUpperCase()) ?? 0;
  const found = matchAt(IBAN, text, start)?.[0] ?? '';
  if (found.length < length) {
    return;
  }
  let size = 0;
  let used = 0;
  while (used < length && size < found.length) {
    used += isAlnum(found.charCodeAt(size++)) ? 1 : 0;
  }
  const iban = found
    .slice(0, size)
    .replace(/[ .\u00a0-]/g, '')
    .toUpperCase();
  if (
    iban.length === length &&
    isIban(iban) &&
    !/^-?[A-Za-z0-9]/.test(text.slice(start + size, start + size + 2))
  ) {
    mark(page, start, start + size, 'iban', 'iban', STRUCTURE);
  }
};

const INTERNATIONAL = /\+\d{1,3}(?:(?: \/ |[ .\-/])?\(?\d{1,4}\)?){2,6}(?!\d|T\d)/y;
const MOST_DIGITS = 32;

/** Whether so many digits stand in one piece, before there are enough for a phone, that no number of one is here. */
function isNoPhone(text: string, start: number): boolean {
  const near = text.slice(start, start + MOST_DIGITS);
  const piece = near.search(/\d{16}/);
  return piece >= 0 && near.slice(0, piece).replace(/\D/g, '').length < 8;
}

const detectInternational: Detector = (page, start) => {
  const { text } = page;
  if (isNoPhone(text, start)) {
    return;
  }
  const found = /[\w+)]/.test(text[start - 1] ?? '') ? null : matchAt(INTERNATIONAL, text, start)?.[0];
  const count = found?.replace(/\D/g, '').length ?? 0;
  if (found && count >= 8 && count <= 15) {
    mark(page, start, start + found.length, 'phone', 'phone', STRUCTURE);
  }
};

const NATIONAL = /(?:1[ .-])?(?:\(\d{2,4}\)[ .-]?\d{3,4}[ .-]\d{3,4}|[2-9]\d{2}([.-])\d{3}\1\d{4})(?![\w-])/y;
const detectNational: Detector = (page, start) => {
  const { text } = page;
  if (
    !/[\w.+-]/.test(text[start - 1] ?? '') &&
    start >= page.covered &&
    matchAt(NATIONAL, text, start) &&
    !isLabelled(page, start, NATIONAL.lastIndex)
  ) {
    mark(page, start, NATIONAL.lastIndex, 'phone', 'phone', STRUCTURE);
  }
};

/** What is said of a number that was wrong, before a colon. */
const WRONG = `(?: (?:number|nummer|invalide?|wrong|incorrecte?|ungültig|falsch|ongeldig|ogiltigt?|ugyldigt?|(?:no|non) v[aá]lid[oae]|inválido|incorrect[oa]|incorreto|errat[oa]|nieprawidłowy|neplatn[éý]|неверный|недействителен|geçersiz)){1,2} ?(?=[:：])`;
const PHONE = /* @__PURE__ */ (() =>
  build(
    String.raw`(?:(?<![A-Za-z\d])(?:display_phone|phone|mobile|msisdn|(?:telefon|telefoon|handy|mobil)nummer)|(?<!\w)[^\s\d:=：]{2,9})(?:[ _]?(?:number|num|no\.?|nr\.?|#))?\\{0,3}["'\x60]?(?: me| us)?(?:[ \t]{1,2}(?:is|at|to|on|from|unter)|${WRONG})?[ \t]{0,2}[:=#：]?[ \t]{0,2}\\{0,3}["'\x60]?(${PHONE_NUMBER})(?!\d)`,
    'iy',
  ))();

/** What messages are sent over that have a phone's number for an address. */
const MESSENGER =
  /whats ?app|phone number|wa_id|messaging_product|msisdn|(?<![a-z])sms(?![a-z])|whitelist|handset|destination(?: address| number)?:? \d/i;
const RECIPIENT = /\d{10,15}(?![\w.-])/y;
const NEAR = 120;

/** The number of a phone without a plus, where a text about messages says to whom or from whom. */
const detectRecipient: Detector = (page, _start, end) => {
  const from = end - SHORTEST_RECIPIENT;
  const { text } = page;
  if (from >= page.covered && matchAt(RECIPIENT, text, from)) {
    const stop = RECIPIENT.lastIndex;
    if (MESSENGER.test(text.slice(Math.max(0, from - NEAR), stop + NEAR))) {
      mark(page, from, stop, 'phone', 'phone', STRUCTURE);
    }
  }
};
const SHORTEST_RECIPIENT = 10;
const RECIPIENTS = /* @__PURE__ */ (() => [
  ...[
    'to',
    'from',
    'recipient',
    'recipient_id',
    'list',
    'destination',
    'number',
    'subscriber',
    'handset',
    'address',
  ].flatMap((word) => [`${word} `, `${word}: `]),
  ...['to', 'from', 'recipient', 'recipient_id'].flatMap((word) => [`${word}":"`, `${word}": "`, `${word}=`]),
])();

/** Accounts at a bank, told by their label alone. */
const ACCOUNTS: readonly Pattern[] = [
  ['account n', /account (?:number|num|no\.?|nr\.?)[:#]? {0,2}(\d{8,18})(?![\w-])/iy],
  ['acct', /acct\.? ?(?:number|num|no\.?|nr\.?|#)[:#]? {0,2}(\d{6,18})(?![\w-])/iy],
  ['konto', /konto(?:nummer|-?nr\.?)?:? (\d{6,12})(?![\w-])/iy],
  ['clabe', /clabe:? {0,2}(\d{18})(?!\w)/iy],
];

const BIRTH =
  /[^\d\n:：]{3,24}?[ :：="']{0,5}((?:明治|大正|昭和|平成|令和)(?:\d{1,2}|元)年\d{1,2}月\d{1,2}日|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}(?:\.|er|º|\.º)? (?:de |of )?[\p{L}]{3,12}\.?,? (?:de )?\d{4}|[A-Z][a-z]{2,8} \d{1,2}, \d{4}|\d{4}年\d{1,2}月\d{1,2}日)/iuy;

/** Triggers for mailboxes. */
export function mailTriggers(): Trigger[] {
  return [
    ['@', detectEmail],
    ['"@', detectQuotedEmail],
  ];
}

/** Triggers for cards. Digits in a keyword stand for any digit. */
export function cardTriggers(): Trigger[] {
  const starts =
    '00000000000000|0000 0000 0000|0000-0000-0000|0000.0000.0000|0000.000000.0|0000 000000 0|0000-000000-0';
  return starts.split('|').map((digits) => [digits, detectCard]);
}

/** Triggers for mailboxes, cards, accounts, phones and dates of birth. Digits in a keyword stand for any digit. */
export function personalTriggers(): Trigger[] {
  const phones =
    'phone|mobile|mobil:|mobil |tel|tél|fon:|fon |cell|fax|sms|whatsapp|wa_id|call|telephone|telefon|rufnummer|rückruf|handy|móvil|movil|contact number|celular|msisdn|display_phone|тел|전화번호|휴대폰|電話|携帯|电话|手机|手機';
  const births =
    'data di nascita|data de nascimento|fecha de nacimiento|date de naissance|geburtsdatum|geburtstag|geboortedatum|födelsedatum|fødselsdato|syntymäaika|data urodzenia|datum narození|születési dátum|data nașterii|doğum tarihi|ngày sinh|tanggal lahir|date of birth|birthday|birthdate|born on|born |geboren|né le|née le|nacid|nato il|nata il|рожд|生年月日|出生|생년월일';
  const rows = (words: string, pattern: RegExp): Pattern[] => words.split('|').map((word) => [word, pattern]);
  return [
    ...mailTriggers(),
    ...['(at', '[at', '{at', '( at', '[ at', '(@', '[@'].map((word) => [word, detectSpeltEmail] as const),
    ...cardTriggers(),
    ...[...IBAN_LENGTHS.keys()].map((country) => [`${country}00`, detectIban] as const),
    ['+0', detectInternational],
    ['(000)', detectNational],
    ['000-000-0000', detectNational],
    ['000.000.0000', detectNational],
    ...patternTriggers({ rule: 'phone', class: 'phone' }, [
      ...rows(phones, PHONE),
      ['wa.me/', /wa\.me\/(\+?\d{7,15})(?!\w)/iy],
    ]),
    ...phoneLabelTriggers(),
    ...patternTriggers({ rule: 'iban', class: 'iban' }, ACCOUNTS),
    ...RECIPIENTS.map((before) => [before + '0'.repeat(SHORTEST_RECIPIENT), detectRecipient] as const),
    ...patternTriggers({ rule: 'birth-date', class: 'birth-date' }, rows(births, BIRTH)),
  ];
}
