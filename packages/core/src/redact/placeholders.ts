/**
 * What stands for a value without being one: `${NAME}`, `$NAME`, `%NAME%`, `%s`, `<token>`, `YOUR_API_KEY`, `[hidden]`, `****`,
 * a path in a vault. A password may begin with any of their signs, so only what is wholly one by its grammar is believed.
 */
import { isPlainWord } from './plain-words.ts';
import { isKnownName } from './rules/key-meanings.ts';
import { isAt, signSet } from './sign-sets.ts';
import {
  ALNUM,
  APOSTROPHE,
  AT,
  BEYOND,
  BLANK,
  CAPITAL,
  COLON,
  CROSS,
  DASH,
  DIGIT,
  DOLLAR,
  DOT,
  hasAny,
  hasOnly,
  LOWLINE,
  MARK,
  OPEN,
  SLASH,
  TILDE,
  WORD,
} from './signs.ts';

const STARTS = signSet('$%{<[(*•●.xX_#?-…:@vsr!');
const BRACKETS = signSet('{<[(%');
const SIGILS = signSet('$@:%');
/** Of YAML: the value stands elsewhere, under the name that follows. */
const ELSEWHERE = /^!(?:secret|env|env_var|include|vault|Ref|Sub|GetAtt|ImportValue)$/i;
const CAPITALS = /^[A-Z_][A-Z\d_]{0,78}$/;
const FORMAT =
  /^%(?:\d{1,2}\$)?[-+#0]?\d{0,3}(?:\.\d{1,2})?l{0,2}(?:[a-zA-Z]|@)$|^%\([A-Za-z_]{1,60}\)[a-z]$/;
const MASK = /^(?:[*•●.xX_#?-]{2,80}|…)$/;
const NOT_IN_MASKS = DIGIT | SLASH | COLON | DOLLAR | AT | OPEN | BLANK | TILDE | APOSTROPHE;
/** A variable's name and the sign before it. */
const IN_VARIABLES = WORD | DOT | DOLLAR | AT | COLON | MARK;
const VAULT = /^(?:vault:[\w.-]{1,80}\/|secret\/|ref\+\w{1,40}:\/)[\w.#/-]{1,200}$/;
/** A property of some object: `process.env.TOKEN`, `config["token"]`; what is not quoted may end at a quote. */
const PROPERTY =
  /^(?:process|os|env|secrets|vars|config|settings|self|this|req|request|args|options|opts|params?|ctx|context|data|body|user|input|event|props|state|import|System)(?:[?!]?\.[#$A-Za-z_]{1,60}|\[["'\w.$-]{0,60}\]?|\(["'\w., $-]{0,80}\)?){1,8}[!?[(]{0,2}$/;
/** What stands in quotes may end inside of one, at the same quotes: `${f(`. */
const REFERENCES = /\$\{([^{}]{0,200})(?:\}|(?<=[([])$)/g;

/** Whether a value only refers to another, or holds its place. */
export function isReference(value: string): boolean {
  return mayRefer(value) && isOneOfThem(value);
}

/** A sign, capitals alone, or what stands for letters: nothing else refers to anything. */
function mayRefer(value: string): boolean {
  return (
    !hasOnly(value, ALNUM | BEYOND) ||
    (hasAny(value, CAPITAL) && hasOnly(value, CAPITAL | CROSS)) ||
    (hasAny(value, CROSS) && /^[xX]{2}|[xX]{4}/.test(value)) ||
    (hasAny(value, BEYOND) && /[^A-Za-z\d\u00c0-\u1fff\u3040-\ud7ff]/.test(value))
  );
}

function isOneOfThem(value: string): boolean {
  return (
    (isAt(STARTS, value, 0) && isPlaceholder(value)) ||
    (hasAny(value, DOLLAR) && value.includes('${') && isTemplate(value)) ||
    (startsWithLetter(value) &&
      ((hasAny(value, DOT | OPEN) && !hasAny(value, DIGIT) && PROPERTY.test(value)) ||
        (hasOnly(value, CAPITAL | CROSS | LOWLINE) && METAVARIABLE.test(value)) ||
        (hasAny(value, DASH | LOWLINE | CROSS | MARK | BEYOND) && isEmptyForm(value)) ||
        (hasAny(value, BLANK | LOWLINE | DASH) && isToFillIn(value))))
  );
}

/** Names and words do, of programs and of English. */
function startsWithLetter(value: string): boolean {
  const small = value.charCodeAt(0) | 32;
  return small >= 97 && small <= 122;
}

/** What a usage puts in the place of a value: `--password PASSWORD`. */
const METAVARIABLE =
  /^(?:[A-Z]{1,20}_){0,3}(?:PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|TOKEN|KEY|APIKEY|ACCESSKEY|SECRETKEY)$/;
/** The first letters of a vendor's keys. */
const HEAD = /^[A-Za-z]{1,6}(?:[-_.][A-Za-z]{1,8}\d{0,2}){0,3}[-_.]?$/;
const EMPTY = /^[xX_.-]{4,}$|^[*•●]{4,}$/;

/** The form of a vendor's key with nothing in it: `ghp_xxxxxxxx`, `sk-ant-...`. */
export function isEmptyForm(value: string): boolean {
  if (value.length > 200 || value.length < 3) return false;
  const dots = /[-_](?:\.{3}|…)?$/.exec(value);
  if (dots) return HEAD.test(value.slice(0, dots.index + 1)) && value.length < 24;
  const at = value.search(/[xX*•●]{4}/);
  const head = value.slice(0, Math.max(0, at));
  return (/[-_.]$/.test(head) ? HEAD.test(head) : /^A[KS]IA$/.test(head)) && EMPTY.test(value.slice(at));
}

const USER_WORD = /^(?:(?:db|my|your)[-_]?)?(?:user(?:[-_]?name)?|usr|login)$/i;
const PASSWORD_WORD = /^(?:(?:db|my|your)[-_]?)?(?:pass(?:word|wd)?|pwd)$/i;

/** Whether a login says what belongs there: `user:password`, `USER:TOKEN`, `${USER}:${PASSWORD}`. */
export function isLoginToFillIn(user: string, password: string): boolean {
  if (METAVARIABLE.test(password)) return true;
  if (PASSWORD_WORD.test(password)) return USER_WORD.test(user) || isReference(user);
  return (
    password !== '' && isReference(password) && (user === '' || USER_WORD.test(user) || isReference(user))
  );
}

/** The same of a value that is known to be given to somebody: a word in brackets may be it, unless it says what belongs there. */
export function isSurelyReference(value: string): boolean {
  return isReference(value) && (!/^[<{]/.test(value) || wordsIn(value).some(isTelling));
}

/** `YOUR_API_KEY`, `your-token-here`, `replace_me`: a beginning that asks for a value, and nothing but words for it. */
function isToFillIn(value: string): boolean {
  if (value.length > 80 || !TO_FILL_IN.test(value)) return false;
  const [, ...words] = wordsIn(value);
  return words.length > 0 && words.every((word) => isTelling(word) || FILLERS.has(word.toLowerCase()));
}

const TO_FILL_IN = /^(?:your|my|enter|insert|put|add|paste|replace|change)[ _-]/i;
const FILLERS: ReadonlySet<string> = new Set(
  'api app bot me here it own real actual personal private public account project openai anthropic github gitlab slack google stripe notion linear jira aws azure'.split(
    ' ',
  ),
);

function wordsIn(value: string): readonly string[] {
  return value.split(/[^\p{L}\d]+/u).filter((word) => word !== '');
}

/** Does this word, with or without a number of its own, say what a value is? */
function isTelling(word: string): boolean {
  const name = word.replace(/\d$/, '');
  return isPlainWord(name) || isKnownName(name);
}

function isPlaceholder(value: string): boolean {
  if (ELSEWHERE.test(value)) return true;
  const inner = value.slice(1, -1);
  switch (isAt(BRACKETS, value, 0) ? value.charAt(0) + value.slice(-1) : '') {
    case '{}':
      return inner === '' || isLabel(inner.replace(/^\{([^{}]{0,80})\}$/, '$1'));
    case '<>':
      return inner === '' || isLabel(inner);
    case '[]':
    case '()':
      return inner === '' || isMark(inner);
    case '%%':
      return isVariable(inner);
    default:
      return (
        (isAt(SIGILS, value, 0) && hasOnly(value, IN_VARIABLES) && isVariable(value.slice(1))) ||
        (value.startsWith('$(') && /^\$\([^()]{1,80}\)$/.test(value) && isLabel(value.slice(2, -1))) ||
        (value.startsWith('%') && FORMAT.test(value)) ||
        (!hasAny(value, NOT_IN_MASKS) && MASK.test(value)) ||
        (hasAny(value, SLASH) && VAULT.test(value))
      );
  }
}

/** The name of a variable: in capitals, the number of a parameter, or a word for what it holds. */
function isVariable(name: string): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1);
  return (
    CAPITALS.test(name) ||
    /^[a-z]{0,2}\d{0,2}$/i.test(name) ||
    (/^[A-Za-z_.]{1,80}$/.test(name) && (isPlainWord(last) || isKnownName(last)))
  );
}

/** What people say belongs somewhere: words, and numbers of their own. A digit at the end tells two words for a value apart. */
function isLabel(inner: string): boolean {
  return (
    inner.length <= 80 &&
    inner
      .split(/[\s_.:|/,'-]+/)
      .every(
        (word) =>
          /^(?:\p{L}*|\p{L}{1,2}\d|\d{1,4}|[…*]*)$/u.test(word) ||
          (/^\p{L}+\d$/u.test(word) && isTelling(word)),
      )
  );
}

/** `[REDACTED]`, `[your key]`, `[object Object]`, `[password:1]`: a word of it says what it stands for. */
function isMark(inner: string): boolean {
  return (
    isLabel(inner) &&
    (CAPITALS.test(inner.replace(/[ :-]/g, '_')) ||
      inner.split(/[\s_.:-]+/).some((word) => isPlainWord(word) || isKnownName(word)) ||
      /^(?:object |function\b|getter\b|circular\b|truncated\b|scrubbed\b|sanitized\b|[….*]*$)/i.test(inner))
  );
}

/** A text around references, `Bearer ${TOKEN}`: neither it nor what stands in one of them is a secret. */
function isTemplate(value: string): boolean {
  let isOdd = false;
  const rest = value.replace(REFERENCES, (_whole, inner: string) => {
    const sign = Math.max(inner.indexOf(':-'), inner.indexOf(':='));
    const fallback = sign < 0 ? '' : inner.slice(sign + 2);
    isOdd ||= isMixed(inner) || !(fallback === '' || fallback.startsWith('$') || isPlainWord(fallback));
    return ' ';
  });
  return !isOdd && !rest.includes('${') && !isMixed(rest);
}

/** Letters, digits and signs in one word, as no name in a program has them. */
function isMixed(text: string): boolean {
  return text
    .split(/[^A-Za-z\d!@#%^&*]+/)
    .some((word) => /\d/.test(word) && /[A-Za-z]/.test(word) && (word.length >= 8 || /[!@#%^&*]/.test(word)));
}
