import { isAlnum, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import type { Trigger } from '../scan.ts';
import { isNumberClass, type KeyMeaning, meaningOfKey } from './keys.ts';
import { valueAt } from './value-at.ts';
import { isSecret, type Tie } from './verdict.ts';

const NAME_CHAR = /[\u00c0-\u024f\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;
const CLOSE = /(?:\\{0,7}["'`]|&quot;|\\u002[27])?[\])]{0,2}/y;
const SEPARATOR =
  /[ \t]{0,4}(?:=>|:=|={1,3}|:(?!\/\/)|：|＝|->|\\u003[dD])[ \t]{0,4}|[ \t]{1,4}value[ \t]?=[ \t]?|,[ \t]{0,3}\\{0,7}["'](?:value|val|content|data)\\{0,7}["'][ \t]?:[ \t]?/y;
const LINK =
  /[ \t]{1,3}(?:(?:you )?(?:provided|used|supplied|given|sent|received|entered|value|string|number|no\.?|#)(?=[ \t:=])[ \t]{0,2})?(?:for (?:user )?[^\s:=]{1,40} )?(?:(?:is|was|of|set to|ist|es|est)[ \t]{1,2}|[:=][ \t]{0,3})?/iy;
const SCHEME =
  /(?:Bearer|Basic|Token|Digest|Negotiate|NTLM|Api-?Key|AWS4?(?:-HMAC-SHA256)?|Hawk|OAuth|SSWS|GoogleLogin|Key|JWT|DPoP|Signature)[ \t]{1,3}(?=[^\s"'`])/iy;
const MANY_PARTS = /digest|aws4|hawk|oauth|signature/i;
const PAIR = /[\\"'`\s]{0,8}[^\s=;(]{1,80}=/y;
const LOGIN = /[\w.@+-]{1,64} ?[/:] ?[^\s"'`,;]{4,64}/y;
const COMMA = /,[ \t]{0,3}(?=\\{0,7}["'`])/y;
const NUMBERS = /[+(]{0,2}[A-Z0-9][A-Z0-9 ()./-]{3,32}/iy;

const LONGEST_NAME = 40;

/** Looks at a word that may name a secret (`password`, `token`, …), reads the whole name, and judges what follows. */
function detectNamed(page: Page, start: number, end: number): void {
  const { text } = page;
  let nameEnd = end;
  while (isNameChar(text.charCodeAt(nameEnd))) {
    if (++nameEnd - end > LONGEST_NAME) {
      return;
    }
  }
  while (nameEnd > end && isPunctuation(text.charCodeAt(nameEnd - 1))) {
    nameEnd--;
  }
  if (nameEnd === page.named || start < page.covered) {
    return;
  }
  page.named = nameEnd;
  let nameStart = start;
  while (start - nameStart < LONGEST_NAME && isNameChar(text.charCodeAt(nameStart - 1))) {
    nameStart--;
  }
  const name = text.slice(nameStart, nameEnd);
  let meaning: KeyMeaning | undefined;
  for (const from of wordsBefore(text, nameStart)) {
    meaning ??= meaningOfKey(text.slice(from, nameEnd));
  }
  if (!meaning || meaning.strength === 0) {
    return;
  }
  if (meaning.strength >= 1) {
    page.hint = nameEnd;
  }
  judge(page, nameStart, nameEnd, name, meaning);
}

/** `.`, `$` and `-` join the parts of a name; letters of other scripts are part of one. */
function isNameChar(code: number): boolean {
  return code < 128
    ? isAlnum(code) || code === 95 || isPunctuation(code)
    : NAME_CHAR.test(String.fromCharCode(code));
}

function isPunctuation(code: number): boolean {
  return code === 45 || code === 46 || code === 36;
}

/** Where a name may start, widest first: with two words in front (`client secret key`), with one, or by itself. */
function wordsBefore(text: string, from: number): number[] {
  const starts = [from];
  let at = from;
  while (starts.length < 3 && text.charCodeAt(at - 1) === 32) {
    let start = at - 1;
    while (at - start < 24 && isAlnum(text.charCodeAt(start - 1))) {
      start--;
    }
    if (start === at - 1) {
      break;
    }
    at = start;
    starts.unshift(at);
  }
  return starts;
}

function judge(page: Page, nameStart: number, nameEnd: number, name: string, meaning: KeyMeaning): void {
  const { text } = page;
  const close = matchAt(CLOSE, text, nameEnd)?.[0] ?? '';
  const after = nameEnd + close.length;
  const before = text[nameStart - 1] ?? '';
  const separator = matchAt(SEPARATOR, text, after);
  let at = after;
  let tie: Tie = 'prose';
  if (separator) {
    at += separator[0].length;
    tie =
      /:[ \t]+$|->/.test(separator[0]) && close === ''
        ? 'colon'
        : /[?&;#]/.test(before)
          ? 'query'
          : 'assigned';
  } else if (before === '<' && text[after] === '>') {
    at++;
    tie = 'assigned';
  } else if (close !== '' && close !== ')') {
    const comma = matchAt(COMMA, text, after);
    if (!comma) {
      return;
    }
    at += comma[0].length;
    tie = 'listed';
  } else {
    const link = matchAt(LINK, text, after);
    if (!link) {
      return;
    }
    at += link[0].length;
    tie =
      name.startsWith('-') && link[0].trim() === ''
        ? 'assigned'
        : /[:=]\s*$/.test(link[0])
          ? 'colon'
          : 'prose';
  }
  if (meaning.strength < 1 && tie !== 'query') {
    return;
  }
  const pair = meaning.class === 'credentials' && tie === 'colon' ? matchAt(LOGIN, text, at)?.[0] : undefined;
  if (pair && /\d/.test(pair.slice(pair.search(/[/:]/)))) {
    mark(page, at, at + pair.length, 'assignment', 'credentials', STRUCTURE);
  } else if (isNumberClass(meaning.class)) {
    markNumber(page, at, meaning.class);
  } else {
    markSecret(page, at, tie, meaning, name, close);
  }
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
    tie !== 'prose' && tie !== 'query' && (meaning.class === 'cookie' || MANY_PARTS.test(scheme));
  if (wholeLine && scheme === '' && !matchAt(PAIR, text, from)) {
    return;
  }
  const value = valueAt(text, from + scheme.length, wholeLine);
  if (!value || value.end <= value.start) {
    return;
  }
  let at = value.start;
  let { end } = value;
  if (value.quoted && header && tie !== 'prose') {
    at += matchAt(SCHEME, text, at)?.[0].length ?? 0;
  }
  if (/^set-?cookie/i.test(name)) {
    const pair = /^[^=;]{0,200}=|/.exec(text.slice(at, end))?.[0].length ?? 0;
    at += pair;
    const semicolon = text.slice(at, end).indexOf(';');
    end = semicolon > 0 ? at + semicolon : end;
  }
  const content = text.slice(at, Math.min(end, at + 2000));
  const next = text.slice(end, end + 2);
  if (
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
  const bareNumber = !value.quoted && /["'`]$/.test(close) && /^[\d.]+$/.test(content);
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

/** Stems of the names that {@link meaningOfKey} knows. */
const STEMS =
  'pass,pwd,pw,psk,psw,secret,token,key,auth,cred,sess,sid,cookie,jwt,sig,hmac,mnemonic,phrase,salt,otp,pin,cvv,cvc,csc,code,contrase,de passe,mdp,senha,parola,wachtwoord,senord,kennwort,adgangskode,salasana,haslo,hasł,heslo,jelsz,ifre,lozinka,katasandi,geheimnis,segredo,clave,chave,пар,сек,ток,密,令,パス,비밀,dob,birth,geburtsdatum,card,iban,account,sort code,sortcode,routing,bearer,ticket,ak=,sk=,appid,client_id=,state=,st=,policy=,hash=,access=,pat=,pat:,credential=';

/** Triggers for names. */
export function nameTriggers(): Trigger[] {
  return STEMS.split(',').map((stem) => {
    const tail = /[=:]$/.test(stem) ? 1 : 0;
    return [stem, (page: Page, start: number, end: number) => detectNamed(page, start, end - tail)] as const;
  });
}
