import { type Detector, isAlnum, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, runEnd, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { isCard, isChineseId, isCpf, isDni, isIban } from './checksums.ts';

const isDigitAt = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
};

const LOCAL = charSet(
  /[\w.%+'-]/,
  (code) => (code >= 0xc0 && code <= 0x24f) || (code >= 0x400 && code <= 0x4ff),
);
const DOMAIN =
  /(?:[A-Za-z0-9\u00c0-\u024f\u0400-\u04ff](?:[A-Za-z0-9\u00c0-\u024f\u0400-\u04ff-]{0,62})\.){1,8}[A-Za-z\u0400-\u04ff]{2,24}(?![\w-]*@)/y;
const ROLE =
  /^(?:support|help|helpdesk|noreply|no-reply|donotreply|do-not-reply|security|abuse|git|hg|npm)$/i;

/** An e-mail address. Addresses of a role rather than a person stay: they are where the reader is sent. */
const detectEmail: Detector = (page, start, end) => {
  const { text } = page;
  let from = Math.max(runStart(page, LOCAL, start), start - 64);
  while (from < start && /[.'%+-]/.test(text[from] as string)) {
    from++;
  }
  const local = text.slice(from, start);
  const domain = local === '' ? null : matchAt(DOMAIN, text, end)?.[0];
  if (!domain || ROLE.test(local) || /^\dx\.\w+$/.test(domain)) {
    return;
  }
  if (isInAuthority(text, from)) {
    return;
  }
  mark(page, from, end + domain.length, 'email', 'email', STRUCTURE);
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
function isLongNumber(page: Page, at: number): boolean {
  return runEnd(page, DIGITS, at) - runStart(page, DIGITS, at) > LONGEST_NUMBER;
}

const CARD_DIGITS = /\d(?:[ -]?\d){13,18}(?!\d)/y;

/** How cards are printed: in one piece, in fours, or 4-6-5 and 4-6-4. Other groups are other numbers. */
const CARD_GROUPS =
  /^(?:\d{14,19}|\d{4}(?:[ -]\d{4}){2}[ -]\d{1,4}(?:[ -]\d{1,3})?|\d{4}[ -]\d{6}[ -]\d{4,5})$/;

/** A payment card: the right start, the right length, Luhn's check. */
const detectCard: Detector = (page, start, end) => {
  const { text } = page;
  if (isLongNumber(page, start)) {
    return;
  }
  let from = start;
  while (
    from > 0 &&
    end - from < 24 &&
    (isDigitAt(text, from - 1) || (/[ -]/.test(text[from - 1] as string) && isDigitAt(text, from - 2)))
  ) {
    from--;
  }
  if (from === page.number && isDigitAt(text, start - 1)) {
    return;
  }
  page.number = from;
  for (const at of from === start ? [start] : [from, start]) {
    if (
      at < page.covered ||
      (at > 0 && (isAlnum(text.charCodeAt(at - 1)) || /[._]/.test(text[at - 1] as string)))
    ) {
      continue;
    }
    const digits = matchAt(CARD_DIGITS, text, at)?.[0];
    if (
      digits &&
      !/[A-Za-z_]/.test(text[at + digits.length] ?? '') &&
      isCard(digits.replace(/\D/g, '')) &&
      CARD_GROUPS.test(digits)
    ) {
      mark(page, at, at + digits.length, 'card', 'card', STRUCTURE);
      return;
    }
  }
};

/** In one piece or in fours. */
const IBAN =
  /[A-Z]{2}\d{2}(?:[A-Z0-9]{11,30}|(?:[ -][A-Z0-9]{4}){2,7}(?:[ -][A-Z0-9]{1,3})?)(?![A-Za-z0-9])/iy;
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  [
    ...'AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20EG29ES24FI18FO18FR27GB22GE22GI23GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LI21LT20LU20LV21LY25MC27MD24ME22MK19MR27MT31MU30NL18NO15PK24PL28PS29PT25QA29RO24RS22SA24SC31SE24SI19SK24SM27ST25SV28TL23TN24TR26UA29VA22VG24XK20'.matchAll(
      /([A-Z]{2})(\d\d)/g,
    ),
  ].map(([, country = '', length]) => [country, Number(length)]),
);

const detectIban: Detector = (page, start) => {
  const { text } = page;
  // After a hyphen it is the rest of a longer identifier: a UUID ends like an IBAN now and then.
  if (start < page.covered || isAlnum(text.charCodeAt(start - 1)) || text[start - 1] === '-') {
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
  const iban = found.slice(0, size).replace(/[ -]/g, '').toUpperCase();
  if (
    iban.length === length &&
    isIban(iban) &&
    !/^-?[A-Za-z0-9]/.test(text.slice(start + size, start + size + 2))
  ) {
    mark(page, start, start + size, 'iban', 'iban', STRUCTURE);
  }
};

const SSN = /(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w-])/y;
const detectSsn: Detector = (page, start) => {
  if (!/[\w.-]/.test(page.text[start - 1] ?? '') && matchAt(SSN, page.text, start)) {
    mark(page, start, SSN.lastIndex, 'ssn', 'id-number', STRUCTURE);
  }
};

const CPF = /\d{3}\.\d{3}\.\d{3}-\d\d(?!\d)/y;
const detectCpf: Detector = (page, start) => {
  const found = isDigitAt(page.text, start - 1) ? null : matchAt(CPF, page.text, start);
  if (found && isCpf(found[0].replace(/\D/g, ''))) {
    mark(page, start, CPF.lastIndex, 'national-id', 'id-number', STRUCTURE);
  }
};

const CHINESE = /[1-9]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\w)/y;
const detectChineseId: Detector = (page, start) => {
  if (isLongNumber(page, start)) {
    return;
  }
  const found = isAlnum(page.text.charCodeAt(start - 1)) ? null : matchAt(CHINESE, page.text, start);
  if (found && isChineseId(found[0])) {
    mark(page, start, CHINESE.lastIndex, 'national-id', 'id-number', STRUCTURE);
  }
};

const DNI = /(?:\d{8}|[XYZxyz]\d{7})-?[A-HJ-NP-TV-Za-hj-np-tv-z](?!\w)/y;
const detectDni: Detector = (page, start) => {
  const { text } = page;
  const from = /[XYZxyz]/.test(text[start - 1] ?? '') ? start - 1 : start;
  const found = /[\w-]/.test(text[from - 1] ?? '') ? null : matchAt(DNI, text, from);
  if (found && isDni(found[0].replace('-', ''))) {
    mark(page, from, DNI.lastIndex, 'national-id', 'id-number', STRUCTURE);
  }
};

const INTERNATIONAL = /\+\d{1,3}(?:[ .\-/]?\(?\d{1,4}\)?){2,6}(?!\d)/y;
const detectInternational: Detector = (page, start) => {
  const { text } = page;
  const found = /[\w+)]/.test(text[start - 1] ?? '') ? null : matchAt(INTERNATIONAL, text, start)?.[0];
  const count = found?.replace(/\D/g, '').length ?? 0;
  if (found && count >= 8 && count <= 15) {
    mark(page, start, start + found.length, 'phone', 'phone', STRUCTURE);
  }
};

const NATIONAL = /(?:1[ .-])?(?:\(\d{2,4}\)[ .-]?\d{3,4}[ .-]\d{3,4}|[2-9]\d{2}([.-])\d{3}\1\d{4})(?![\w-])/y;
const detectNational: Detector = (page, start) => {
  const { text } = page;
  if (!/[\w.+-]/.test(text[start - 1] ?? '') && start >= page.covered && matchAt(NATIONAL, text, start)) {
    mark(page, start, NATIONAL.lastIndex, 'phone', 'phone', STRUCTURE);
  }
};

const CONTEXT_PHONE =
  /[а-я]{0,6}\\{0,3}["'`]?(?:[ \t]{1,2}(?:number|no\.?|nr\.?|#|is|at|to|on|from))?[ \t]{0,2}[:=#]?[ \t]{0,2}["'`]?(\+?\(?\d(?:[ .()/-]{0,2}\d){6,14})(?!\d)/iy;
const detectNamedPhone: Detector = (page, start, end) => {
  const { text } = page;
  if (/\w/.test(text[start - 1] ?? '')) {
    return;
  }
  const found = matchAt(CONTEXT_PHONE, text, end);
  if (found?.[1]) {
    const at = end + found[0].length - found[1].length;
    mark(page, at, at + found[1].length, 'phone', 'phone', STRUCTURE);
  }
};

const ID_VALUE =
  /[а-я]{0,6}(?:[ \t]{1,2}(?:security|insurance|number|num|no\.?|nr\.?|id|card|code|#|is|was|for|of)){0,3}[ \t]{0,2}[:=#]?[ \t]{0,2}["'`]?([A-Z]{0,4}[ -]?\d(?:[ ./-]?[A-Z0-9]){4,20})(?![\w])/iy;
function withoutLastWords(text: string): string {
  const words = text.split(' ');
  while (words.length > 1 && !/\d/.test(words.at(-1) as string)) {
    words.pop();
  }
  return words.join(' ');
}

const detectNamedId: Detector = (page, start, end) => {
  const { text } = page;
  if (/\w/.test(text[start - 1] ?? '')) {
    return;
  }
  const found = matchAt(ID_VALUE, text, end);
  const value = withoutLastWords(found?.[1] ?? '');
  if (found && value.replace(/\D/g, '').length >= 6) {
    const at = end + found[0].length - (found[1]?.length ?? 0);
    mark(page, at, at + value.length, 'national-id', 'id-number', STRUCTURE);
  }
};

const FISCAL = /[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z](?!\w)/iy;
const NINO = /[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D](?!\w)/y;

/** National identifiers of a shape that nothing else has; the digits in the middle are the trigger. */
const detectShapedId: Detector = (page, start) => {
  const { text } = page;
  if (isDigitAt(text, start - 1)) {
    return;
  }
  for (const [back, pattern] of [
    [6, FISCAL],
    [2, NINO],
    [3, NINO],
  ] as const) {
    const from = start - back;
    if (from >= 0 && !/\w/.test(text[from - 1] ?? '') && matchAt(pattern, text, from)) {
      mark(page, from, pattern.lastIndex, 'national-id', 'id-number', STRUCTURE);
      return;
    }
  }
};

/** Triggers for personal data. Digits in a keyword stand for any digit. */
export function personalTriggers(): Trigger[] {
  const phones = 'phone mobile tel tel. cell fax sms whatsapp call telefon handy celular msisdn тел'.split(
    ' ',
  );
  const ids =
    'ssn,social security,passport,nino,national insurance,national id,dni,nie,cpf,cnpj,aadhaar,aadhar,pesel,bsn,tax id,steuer-id,steuernummer,tin,itin,nhs,medicare,sin,curp,personnummer,fiscale,licence number,license number,driver license,id card,identity card,identity number,id number,pan card,пасп'.split(
      ',',
    );
  return [
    ['@', detectEmail],
    ['00000000000000', detectCard],
    ['0000 0000 0000', detectCard],
    ['0000-0000-0000', detectCard],
    ['0000 000000 0', detectCard],
    ['0000-000000-0', detectCard],
    ...[...IBAN_LENGTHS.keys()].map((country) => [`${country}00`, detectIban] as const),
    ['000-00-0000', detectSsn],
    ['000.000.000-00', detectCpf],
    ['000000000000000000', detectChineseId],
    ['00000000000000000x', detectChineseId],
    ...[...'tRWAGMYFPDXBNJZSQVHLCKE'.toLowerCase()].flatMap((letter) => [
      [
        `0000000${letter}`,
        (page, start) => detectDni(page, isDigitAt(page.text, start - 1) ? start - 1 : start, start),
      ] as Trigger,
      [`00000000-${letter}`, detectDni] as Trigger,
    ]),
    ['+0', detectInternational],
    ['(000)', detectNational],
    ['000-000-0000', detectNational],
    ['000.000.0000', detectNational],
    ...phones.map((word) => [word, detectNamedPhone] as const),
    ...ids.map((word) => [word, detectNamedId] as const),
    ['00 00 00', detectShapedId],
    ['000000', detectShapedId],
    ...[...'ABCDEHLMPRST'.toLowerCase()].map((letter) => [`00${letter}00`, detectShapedId] as const),
  ];
}
