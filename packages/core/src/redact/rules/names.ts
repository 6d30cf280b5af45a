import { isIdentifier, isPlain, isWord, looksRandom } from '../looks.ts';
import { mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import type { Trigger } from '../scan.ts';
import { type KeyMeaning, meaningOfKey } from './keys.ts';
import { valueAt } from './value-at.ts';

const NAME_CHAR = /[\w.$\u00c0-\u024f\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af-]/;
const WORDS_BEFORE = /(?:[\p{L}\d-]{1,24} ){0,2}$/u;
const CLOSE = /(?:\\{0,7}["'`]|&quot;|\\u002[27])?[\])]{0,2}/y;
const SEPARATOR =
  /[ \t]{0,4}(?:=>|:=|={1,3}|:(?!\/\/)|：|＝|->|\\u003[dD])[ \t]{0,4}|[ \t]{1,4}value[ \t]?=[ \t]?|,[ \t]{0,3}\\{0,7}["'](?:value|val|content|data)\\{0,7}["'][ \t]?:[ \t]?/y;
const LINK =
  /[ \t]{1,3}(?:(?:you )?(?:provided|used|supplied|given|sent|received|entered|value|string|number|no\.?|#)[ \t]{1,2})?(?:for (?:user )?[^\s:=]{1,40} )?(?:(?:is|was|of|set to|ist|es|est)[ \t]{1,2}|[:=][ \t]{0,3})?/iy;
const SCHEME = /[A-Za-z][\w-]{1,24}[ \t]{1,3}(?=[^\s"'`])/y;
const NUMBERS = /[+(]{0,2}[A-Z0-9][A-Z0-9 ()./-]{3,32}/iy;

/** How a value is tied to its name, from the tightest to the loosest. */
type Tie = 'assigned' | 'colon' | 'prose';

/** Looks at a word that may name a secret (`password`, `token`, …), reads the whole name, and judges what follows. */
export function detectNamed(page: Page, start: number, end: number): void {
  const { text } = page;
  let nameEnd = end;
  while (nameEnd < text.length && nameEnd - end < 40 && NAME_CHAR.test(text[nameEnd] as string)) {
    nameEnd++;
  }
  while (nameEnd > end && /[.$-]/.test(text[nameEnd - 1] as string)) {
    nameEnd--;
  }
  if (nameEnd === page.named || start < page.covered) {
    return;
  }
  page.named = nameEnd;
  let nameStart = start;
  while (nameStart > 0 && start - nameStart < 48 && NAME_CHAR.test(text[nameStart - 1] as string)) {
    nameStart--;
  }
  const name = text.slice(nameStart, nameEnd);
  const words = WORDS_BEFORE.exec(text.slice(Math.max(0, nameStart - 50), nameStart))?.[0] ?? '';
  const wide = words === '' ? undefined : meaningOfKey(words + name);
  if (wide?.strength === 0) {
    return;
  }
  const meaning = wide ?? meaningOfKey(name);
  if (!meaning || meaning.strength === 0) {
    return;
  }
  if (meaning.strength >= 1) {
    page.hint = nameEnd;
  }
  judge(page, nameStart, nameEnd, name, meaning);
}

function judge(page: Page, nameStart: number, nameEnd: number, name: string, meaning: KeyMeaning): void {
  const { text } = page;
  const close = matchAt(CLOSE, text, nameEnd)?.[0] ?? '';
  const after = nameEnd + close.length;
  const before = text[nameStart - 1] ?? '';
  const separator = matchAt(SEPARATOR, text, after);
  const flag = name.startsWith('-');
  let at = after;
  let tie: Tie = 'prose';
  if (separator) {
    at += separator[0].length;
    tie = /:[ \t]+$|->/.test(separator[0]) && close === '' ? 'colon' : 'assigned';
  } else if (before === '<' && text[after] === '>') {
    at++;
    tie = 'assigned';
  } else {
    const link = close === '' || close === ')' ? matchAt(LINK, text, after) : null;
    if (!link) {
      return;
    }
    at += link[0].length;
    tie = flag && link[0].trim() === '' ? 'assigned' : 'prose';
  }
  const query = tie === 'assigned' && /[?&;#]/.test(before);
  if (meaning.strength < 1 && !query) {
    return;
  }
  if (/^(?:id-number|birth-date|phone|card|iban)$/.test(meaning.class)) {
    markNumber(page, at, meaning.class);
  } else {
    markSecret(page, at, tie, meaning, name, close, query);
  }
}

function markNumber(page: Page, at: number, cls: string): void {
  const skip = /^[\\"'`]{0,8}/.exec(page.text.slice(at, at + 8))?.[0].length ?? 0;
  const found = matchAt(NUMBERS, page.text, at + skip)?.[0] ?? '';
  const digits = /^(?:\S*\d\S*(?: (?=\S*\d))?)+/.exec(found)?.[0].replace(/[ ().,/-]+$/, '') ?? '';
  if (digits.replace(/\D/g, '').length >= 5) {
    mark(page, at + skip, at + skip + digits.length, cls, cls, STRUCTURE);
  }
}

function markSecret(
  page: Page,
  from: number,
  tie: Tie,
  meaning: KeyMeaning,
  name: string,
  close: string,
  query: boolean,
): void {
  const { text } = page;
  let at = from;
  const header = meaning.class === 'credentials' || meaning.class === 'cookie';
  const value = valueAt(text, at, header && tie !== 'prose' && !query && /authori|cookie/i.test(name));
  if (!value || value.end <= value.start) {
    return;
  }
  at = value.start;
  let end = value.end;
  if (header && tie !== 'prose') {
    at += matchAt(SCHEME, text, at)?.[0].length ?? 0;
    if (/^set-?cookie/i.test(name)) {
      at = Math.max(at, text.indexOf('=', at) + 1 || at);
      const semicolon = text.indexOf(';', at);
      end = semicolon > at && semicolon < end ? semicolon : end;
    }
  }
  const content = text.slice(at, Math.min(end, at + 2000));
  if (!isSecret(content, tie, meaning, name, value.quoted, query, text.slice(end, end + 2))) {
    return;
  }
  const bareNumber = !value.quoted && /["'`]$/.test(close) && /^[\d.]+$/.test(content);
  const rule = query
    ? 'query-secret'
    : name.startsWith('-')
      ? 'command-line'
      : header
        ? 'header'
        : 'assignment';
  mark(page, at, end, rule, meaning.class, STRUCTURE, bareNumber ? close.replace(/[\])]/g, '') : '');
}

function isSecret(
  value: string,
  tie: Tie,
  meaning: KeyMeaning,
  name: string,
  quoted: boolean,
  query: boolean,
  next: string,
): boolean {
  const { strength } = meaning;
  if (isPlain(value) || value.toLowerCase() === name.toLowerCase()) {
    return false;
  }
  const word = isWord(value);
  if (
    !quoted &&
    !query &&
    (/[($]$/.test(value) || (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) && !/\d/.test(value)))
  ) {
    // A call or a property of some object: code, not a value.
    return false;
  }
  if (strength < 2) {
    return query && strength === 1
      ? value.length >= 6
      : looksRandom(value, query ? 8 : 16) || (quoted && looksRandom(value, 12));
  }
  const isPassword = meaning.class === 'password';
  if (tie === 'assigned' || (tie === 'colon' && quoted)) {
    if (isPassword || query || meaning.class === 'otp') {
      return !/\s/.test(value) || !isProse(value);
    }
    return strength === 3
      ? value.length >= 4 && !isProse(value) && !(word && value.length < 8 && !quoted)
      : (value.length >= 6 && !word && !isProse(value) && !isIdentifier(value)) || looksRandom(value, 8);
  }
  if (tie === 'colon') {
    if (isPassword) {
      return !(word && /^ \w/.test(next));
    }
    return meaning.class === 'otp'
      ? /^\d{3,10}$/.test(value)
      : (value.length >= 6 && /\d/.test(value) && !isIdentifier(value)) ||
          (strength === 3 && !word && value.length >= 8 && /[^\w-]/.test(value)) ||
          (value.length >= 20 && !/[_-]/.test(value));
  }
  if (isPassword) {
    return quoted
      ? !isProse(value)
      : (value.length >= 4 && /[\d!@#$%^&*]/.test(value) && /[A-Za-z]/.test(value)) || /^\d{4,}$/.test(value);
  }
  return meaning.class === 'otp'
    ? /^\d{4,8}$/.test(value)
    : looksRandom(value, quoted ? 8 : 12) || /^[A-Za-z]{24,}$/.test(value);
}

/** Several words of which none has a digit: a sentence about a secret, not a secret. */
function isProse(value: string): boolean {
  return /^[\p{L}'’,.:;!?()/-]+(?:\s+[\p{L}'’,.:;!?()/-]+)+$/u.test(value) && value.length < 200;
}

/** Stems of the names that {@link meaningOfKey} knows. */
const STEMS = [
  'pass',
  'pwd',
  'pw',
  'psk',
  'psw',
  'secret',
  'token',
  'key',
  'auth',
  'cred',
  'sess',
  'sid',
  'cookie',
  'jwt',
  'signature',
  'sig',
  'sign',
  'hmac',
  'mnemonic',
  'phrase',
  'salt',
  'otp',
  'pin',
  'cvv',
  'cvc',
  'csc',
  'mfacode',
  'code',
  'contrase',
  'motdepasse',
  'mot de passe',
  'mdp',
  'senha',
  'parola',
  'wachtwoord',
  'losenord',
  'lösenord',
  'kennwort',
  'passord',
  'adgangskode',
  'salasana',
  'haslo',
  'hasło',
  'heslo',
  'jelsz',
  'sifre',
  'şifre',
  'lozinka',
  'katasandi',
  'geheimnis',
  'segredo',
  'clave',
  'chave',
  'пароль',
  'секрет',
  'токен',
  '密码',
  '密碼',
  '口令',
  '密钥',
  '密鑰',
  '令牌',
  'パスワード',
  'トークン',
  '비밀번호',
  '토큰',
  'dob',
  'birth',
  'geburtsdatum',
  'card',
  'iban',
  'account',
  'sort code',
  'sortcode',
  'routing',
  'ssn',
  'bearer',
  'ticket',
  'ak=',
  'sk=',
  'appid=',
  'client_id=',
  'state=',
  'st=',
  'policy=',
  'hash=',
  'access=',
  'pat=',
  'pat:',
  'credential=',
];

/** Triggers for names. */
export function nameTriggers(): Trigger[] {
  return STEMS.map((stem) => {
    const tail = /[=:]$/.test(stem) ? 1 : 0;
    return [stem, (page: Page, start: number, end: number) => detectNamed(page, start, end - tail)] as const;
  });
}
