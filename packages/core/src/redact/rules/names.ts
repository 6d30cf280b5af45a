import { mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, runEnd, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { surrogateEnd } from '../surrogates.ts';
import { isNumberClass, type KeyMeaning, meaningAt } from './keys.ts';
import { linkAt, type Tie } from './tie.ts';
import { valueAt } from './value-at.ts';
import { isSecret } from './verdict.ts';

/** Letters of scripts in which a secret may be named: Latin, Cyrillic, kana, Han, Hangul. */
const isLetter = (code: number): boolean =>
  (code >= 0xc0 && code <= 0x24f) ||
  (code >= 0x400 && code <= 0x4ff) ||
  (code >= 0x3040 && code <= 0x30ff) ||
  (code >= 0x4e00 && code <= 0x9fff) ||
  (code >= 0xac00 && code <= 0xd7af);
/** `.`, `$` and `-` join the parts of a name. */
const ALNUM = charSet(/[A-Za-z0-9]/);
const NAME = charSet(/[\w.$-]/, isLetter);
const SCHEME =
  /(?:Bearer|Basic|Token|Digest|Negotiate|NTLM|Api-?Key|AWS4?(?:-HMAC-SHA256)?|Hawk|OAuth|SSWS|GoogleLogin|Key|JWT|DPoP|Signature)[ \t]{1,3}(?=[^\s"'`])/iy;
const MANY_PARTS = /digest|aws4|hawk|oauth|signature/i;
const PAIR = /[\\"'`\s]{0,8}[^\s=;(]{1,80}=/y;
const LOGIN = /[\w.@+-]{1,64} ?[/:] ?[^\s"'`,;]{4,64}/y;
const NUMBERS = /[+(]{0,2}[A-Z0-9][A-Z0-9 ()./-]{3,32}/iy;

const LONGEST_NAME = 40;
const LONGEST_WORD = 24;
/** So much of a value is looked at. */
const JUDGED = 400;
/** A value inside which so many names were found, each with the rest of it as its value, goes unread. */
const MOST_NAMES = 8;

/** Looks at a word that may name a secret (`password`, `token`, …), reads the whole name, and judges what follows. */
function detectNamed(page: Page, start: number, end: number): void {
  const { text } = page;
  let nameEnd = runEnd(page, NAME, end);
  if (nameEnd - end > LONGEST_NAME) {
    return;
  }
  while (nameEnd > end && isPunctuation(text.charCodeAt(nameEnd - 1))) {
    nameEnd--;
  }
  if (nameEnd === page.named || start < page.covered) {
    return;
  }
  page.named = nameEnd;
  const nameStart = Math.max(runStart(page, NAME, start), start - LONGEST_NAME);
  if (text.charCodeAt(nameStart - 1) === 91 && surrogateEnd(text, nameStart - 1) >= nameStart) {
    // The class of a surrogate, which is a secret's name as well.
    return;
  }
  const name = text.slice(nameStart, nameEnd);
  const meaning = meaningOfWords(page, nameStart, nameEnd);
  if (!meaning || meaning.strength === 0) {
    return;
  }
  if (meaning.strength >= 1) {
    page.hint = nameEnd;
  }
  judge(page, nameStart, nameEnd, name, meaning);
}

function isPunctuation(code: number): boolean {
  return code === 45 || code === 46 || code === 36;
}

/** The meaning of a name with two words in front (`client secret key`), with one, or by itself. */
function meaningOfWords(page: Page, start: number, end: number): KeyMeaning | undefined {
  const { text } = page;
  const second = wordBefore(page, start);
  const third = second < start ? wordBefore(page, second) : second;
  return (
    (third < second ? meaningAt(text, third, end) : undefined) ??
    (second < start ? meaningAt(text, second, end) : undefined) ??
    meaningAt(text, start, end)
  );
}

/** Where the word before an offset starts, if a single space parts them; else the offset. */
function wordBefore(page: Page, at: number): number {
  if (page.text.charCodeAt(at - 1) !== 32) {
    return at;
  }
  const start = Math.max(runStart(page, ALNUM, at - 1), at - LONGEST_WORD);
  return start === at - 1 ? at : start;
}

function judge(page: Page, nameStart: number, nameEnd: number, name: string, meaning: KeyMeaning): void {
  const { text } = page;
  const link = linkAt(text, nameStart, nameEnd);
  if (!link) {
    return;
  }
  const { at, tie, close } = link;
  if ((meaning.strength < 1 && tie !== 'query') || (tie === 'prose' && isLowerWord(page, at))) {
    return;
  }
  const pair = tie === 'colon' && meaning.class === 'credentials' ? matchAt(LOGIN, text, at)?.[0] : undefined;
  if (pair && /\d/.test(pair.slice(pair.search(/[/:]/)))) {
    mark(page, at, at + pair.length, 'assignment', 'credentials', STRUCTURE);
  } else if (isNumberClass(meaning.class)) {
    markNumber(page, at, meaning.class);
  } else {
    markSecret(page, at, tie, meaning, name, close);
  }
}

const LOWER = charSet(/[a-z]/);

/** A word of a sentence: small letters, then a blank or punctuation. Nothing that is only tied by words is less. */
function isLowerWord(page: Page, at: number): boolean {
  const end = runEnd(page, LOWER, at);
  return end > at && end - at < 20 && ' .,:;!?)\n'.includes(page.text.charAt(end));
}

/** The first words of a text that have digits in them: a number as people write it, in groups. */
function markNumber(page: Page, from: number, cls: string): void {
  const { text } = page;
  let at = from;
  while (at - from < 8 && /[\\"'`]/.test(text[at] ?? '')) {
    at++;
  }
  let end = at;
  for (const word of (matchAt(NUMBERS, text, at)?.[0] ?? '').split(' ')) {
    if (!/\d/.test(word)) {
      break;
    }
    end += word.length + (end > at ? 1 : 0);
  }
  while (end > at && /[ ().,/-]/.test(text[end - 1] as string)) {
    end--;
  }
  if (text.slice(at, end).replace(/\D/g, '').length >= 5) {
    mark(page, at, end, cls === 'id-number' ? 'national-id' : cls, cls, STRUCTURE);
  }
}

function markSecret(
  page: Page,
  from: number,
  tie: Tie,
  meaning: KeyMeaning,
  name: string,
  close: string,
): void {
  const { text } = page;
  const header = meaning.class === 'credentials' || meaning.class === 'cookie';
  const scheme = header && tie !== 'prose' ? (matchAt(SCHEME, text, from)?.[0] ?? '') : '';
  const wholeLine =
    header && tie !== 'prose' && tie !== 'query' && (meaning.class === 'cookie' || MANY_PARTS.test(scheme));
  if (wholeLine && scheme === '' && !matchAt(PAIR, text, from)) {
    return;
  }
  const value = valueAt(page, from + scheme.length, wholeLine);
  if (!value || value.end <= value.start) {
    return;
  }
  if (surrogateEnd(text, value.start) >= value.end) {
    return;
  }
  let at = value.start;
  let { end } = value;
  if (value.quoted && header && tie !== 'prose') {
    at += matchAt(SCHEME, text, at)?.[0].length ?? 0;
  }
  if (meaning.class === 'cookie' && /^set-?cookie/i.test(name)) {
    const pair = /^[^=;]{0,200}=|/.exec(text.slice(at, end))?.[0].length ?? 0;
    at += pair;
    const semicolon = text.slice(at, end).indexOf(';');
    end = semicolon > 0 ? at + semicolon : end;
  }
  const content = text.slice(at, Math.min(end, at + JUDGED));
  const next = text.slice(end, end + 2);
  page.valueNames = page.valueEnd === value.end ? page.valueNames + 1 : 0;
  page.valueEnd = value.end;
  if (
    page.valueNames < MOST_NAMES &&
    !isSecret({
      value: content,
      tie: scheme === '' ? tie : 'colon',
      meaning,
      name,
      quoted: value.quoted,
      next,
    })
  ) {
    return;
  }
  const bareNumber = close !== '' && !value.quoted && /["'`]$/.test(close) && /^[\d.]+$/.test(content);
  mark(
    page,
    at,
    end,
    ruleOf(tie, name, header),
    meaning.class,
    STRUCTURE,
    bareNumber ? close.replace(/[\])]/g, '') : '',
  );
}

function ruleOf(tie: Tie, name: string, header: boolean): string {
  if (tie === 'query') {
    return 'query-secret';
  }
  return name.startsWith('-') ? 'command-line' : header ? 'header' : 'assignment';
}

/** Stems of the names that {@link meaningAt} knows. */
const STEMS =
  'pass,pwd,pw,psk,psw,secret,token,key,auth,cred,sess,sid,cookie,jwt,sig,hmac,mnemonic,phrase,salt,otp,pin,cvv,cvc,csc,code,contrase,de passe,mdp,senha,parola,wachtwoord,senord,kennwort,adgangskode,salasana,haslo,hasł,heslo,jelsz,ifre,lozinka,katasandi,geheimnis,segredo,clave,chave,пар,сек,ток,密,令,パス,비밀,dob,birth,geburtsdatum,card,iban,account,sort code,sortcode,routing,bearer,ticket,ak=,sk=,appid,client_id=,state=,st=,policy=,hash=,access=,pat=,pat:,credential=';

/** Triggers for names. */
export function nameTriggers(): Trigger[] {
  return STEMS.split(',').map((stem) => {
    const tail = /[=:]$/.test(stem) ? 1 : 0;
    return [stem, (page: Page, start: number, end: number) => detectNamed(page, start, end - tail)] as const;
  });
}
