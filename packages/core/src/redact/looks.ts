/** Words that stand where a secret would, and are none. */
const PLAIN: ReadonlySet<string> = new Set(
  'n/a na nil null none undefined unset nan void empty blank true false yes no on off ok and or but if when then than the a an as at by to of in for from with without this that it its your you our is are was were be been has have had will would can cannot could should must may might not does do did too very only any all some each required optional missing invalid incorrect wrong expired revoked rejected denied refused failed failure error mismatch mismatched malformed unknown unauthorized unauthenticated forbidden unsupported unexpected provided supplied given used set reset changed updated created deleted removed valid verified validation verification authentication authorization auth access login string str number int integer boolean bool object array bytes char varchar text never type field value values name key keys token tokens password passwords secret secrets credential credentials user username users header headers parameter param params cookie cookies session signature request response please check ensure make contact see expected received got found minimum maximum min max length short long weak strong same different between already not_found notfound not_set bearer basic digest negotiate ntlm oauth oauth2 function await async instanceof typeof return const class import export extends api_key apikey jwt rs256 hs256 es256 hidden masked redacted filtered protected sensitive secure encrypted hashed omitted placeholder example sample test default changeme xxx expire expires expiry contain contains need needs exceeded limit quota count status pending active inactive disabled enabled id ids file path url uri env environment variable config configuration setting settings new old current first last invalid_token invalid_grant invalid_request invalid_client access_token refresh_token client_secret authorization_code client_credentials required_error too_small too_big include omit same-origin rotation policy manager management store provider service server client endpoint format scheme prefix schema at_least hs512 rs512 sha1 sha256 sha384 sha512 md5 utf8 utf-8 base64 hex plain s256 ist es est obligatorio requerido erforderlich requis obligatoire falsch ungültig incorrecta inválida неверный debe tener menos caracteres una con para contraseña clave doit être le la les des une au moins caractères passe mot trop pas muss müssen darf nicht mindestens zeichen haben sein das der die den ein eine mit oder und zu deve avere almeno caratteri essere troppo ter pelo menos senha moet zijn niet minimaal tekens bevatten het een должен быть пароль'.split(
    ' ',
  ),
);
const LONGEST_PLAIN = 24;

function isPlainWord(value: string): boolean {
  return value.length <= LONGEST_PLAIN && value >= 'A' && PLAIN.has(value.toLowerCase());
}

/** `${NAME}`, `%s`, `<token>`, `[hidden]`, `****`, `...`, a path in a vault. */
const PLACEHOLDER =
  /^(?:\$\{?[\w.]{1,80}\}?|%\w{1,80}%?|%@|\{[^{}]{0,80}\}|\{\{[^{}]{0,80}\}\}|<[^<>]{0,80}>|\[[^[\]]{0,40}\]|\((?:hidden|redacted|masked|filtered|secret|removed|none|null|empty|omitted)\)|[*•●.xX_#?-]{2,80}|…|:\w{1,40}|@\w{1,40}|vault:\S{1,200}|secret\/\S{1,200}|ref\+\S{1,200})$/;

const PLACEHOLDER_STARTS = '$%{<[(*•●.xX_#?-…:@vsr';

/** A property of some object: `process.env.TOKEN`, `config["token"]`. */
const REFERENCE =
  /^(?:process|os|env|secrets|vars|config|settings|self|this|req|request|args|options|opts|params?|ctx|context|data|body|user|input|event|props|state|import|System)[.[(]/;

/** Whether a value is a placeholder, a variable or an ordinary word rather than a secret. */
export function isPlain(value: string): boolean {
  return (
    isPlainWord(value) ||
    value.includes('${') ||
    (PLACEHOLDER_STARTS.includes(value.charAt(0)) && PLACEHOLDER.test(value)) ||
    (REFERENCE.test(value) && !/\d/.test(value))
  );
}

/** Cuts characters of a set off the end. */
export function stripEnd(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && set.includes(text[end - 1] as string)) {
    end--;
  }
  return text.slice(0, end);
}

/** Ordinary words that people do use as passwords. */
export function isWeakWord(value: string): boolean {
  return /^(?:secret|test|example|sample|changeme|default|access|login|secure|service|server|client|user|token|key|text|plain|manager|store|basic|active|strong|weak|password|hidden|new|old|current|first|last)$/i.test(
    value,
  );
}

/** Words of which none looks like a secret: a sentence about one. Two words count if one of them is ordinary. */
export function isProse(value: string): boolean {
  if (
    !/\s/.test(value) ||
    value.length > 400 ||
    isBytes(value) ||
    !/^[\p{L}\d'’"`,.:;!?()/_-]+(?:\s+[\p{L}\d'’"`,.:;!?()/_-]+)+$/u.test(value)
  ) {
    return false;
  }
  const words = value.split(/\s+/).map((word) => stripEnd(word, `'’"\`,.:;!?()`));
  return !isPhrase(value) && (words.some(isPlainWord) || (words.length > 2 && !/\d/.test(value)));
}

/** Three words or more without one that sentences are held together by: what is remembered in place of a password. */
export function isPhrase(value: string): boolean {
  if (value.length > 400 || !/^\p{L}{2,12}(?:\s\p{L}{2,12}){2,23}$/u.test(value)) {
    return false;
  }
  const words = value.split(/\s/);
  return isSeed(words) || !words.some(isPlainWord);
}

/** Phrases of wallets have twelve words and more, in threes, of short lists of short words, some of them ordinary. */
function isSeed(words: readonly string[]): boolean {
  return words.length >= 12 && words.length % 3 === 0 && words.every((word) => /^[a-z]{3,8}$/.test(word));
}

/** Whether a value is letters only, as a word of a sentence is. */
export function isWord(value: string): boolean {
  return /^[\p{L}'’]+(?:-\p{L}+)*$/u.test(value);
}

/** Whether a value changes between letters, cases and digits as often as random text does. */
export function looksRandom(value: string, min: number): boolean {
  if (value.length < min || !/[A-Za-z]/.test(value)) {
    return false;
  }
  const digits = /\d/.test(value);
  let changes = 0;
  let last = 0;
  for (let i = 0; i < value.length && i < 256; i++) {
    const code = value.charCodeAt(i);
    const kind = code < 48 ? 0 : code < 58 ? 1 : code < 91 ? 2 : code > 96 ? 3 : 0;
    if (kind > 0) {
      changes += last > 0 && kind !== last ? 1 : 0;
      last = kind;
    }
  }
  return (
    (digits ? changes >= 3 || (changes >= 2 && value.length < 14) : changes > value.length * 0.3) &&
    !isMadeOfWords(value)
  );
}

/** Whether half of a value or more are words: the name of something in a program. */
export function isMadeOfWords(value: string): boolean {
  const words = /[A-Z_-]/.test(value) ? (value.match(/[a-z]{5,}/g) ?? []) : [];
  return words.length > 1 && words.join('').length * 2 >= value.length;
}

/** Whether a value is a key spelled as bytes: `de ad be ef …`. */
export function isBytes(value: string): boolean {
  return /^(?:[\da-f]{2}[ :]){7}/i.test(value);
}

/** Bits per character of a short text. */
export function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) {
    counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / value.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a value is an identifier that people quote: a UUID, a date, a version. */
export function isIdentifier(value: string): boolean {
  return (
    UUID.test(value) || /^\d{4}-\d\d-\d\d/.test(value) || /^v?\d+\.\d+(?:\.\d+)*(?:[-+][\w.]+)?$/.test(value)
  );
}

/** Words that can be said, and numbers: the name of a model, `claude-3-opus-20240229`. */
export function isSaidName(word: string): boolean {
  const parts = word.split(/[-_.]/);
  const said = parts.filter((part) => /^[A-Za-z]?[a-z]+$/.test(part) && /[aeiouy]/i.test(part));
  return (
    said.join('').length * 2 >= word.length - parts.length &&
    parts.every(
      (part) => said.includes(part) || /^(?:\d{1,8}|[A-Za-z]{1,3}|[A-Za-z]?\d{1,3}[a-z]{0,2})$/.test(part),
    )
  );
}

/** Whether a word that stands where a secret may is one: letters and digits as nobody says them, and no name of a thing. */
export function looksGiven(value: string): boolean {
  return (
    value.length >= 8 &&
    value.length <= 400 &&
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/[\s[\]{}\\]|^[a-z][a-z\d+.-]{1,20}:\/\/|@[\w-]{1,60}\.|^[/~.^]/i.test(value) &&
    (looksRandom(value, 8) || isMixed(value) || /[!@#$%^&*]/.test(value)) &&
    !isPlain(value) &&
    !isIdentifier(value) &&
    !isSaidName(value)
  );
}

/** Both cases, and digits at two places: a password of words. */
function isMixed(value: string): boolean {
  return (
    value.length >= 10 &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    /\d[^\d]{1,400}\d/.test(value) &&
    !/[-_./:]/.test(value)
  );
}
