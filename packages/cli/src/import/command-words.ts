/** The words of a command line, without the values in them. */

/** What is shown in the place of a value. */
export const HIDDEN = '[hidden]';

/** Who looks decides how much is hidden. */
export interface Judge {
  /** Is the value that goes by this name hidden? */
  readonly isHidden: (name: string, value: string) => boolean;
  /** Is a word hidden that only may be a value? */
  readonly hidesDoubtful: boolean;
}

/** Flags and small numbers. */
const SMALL = String.raw`true|false|\d{0,5}`;
/** Words for nothing. */
const NOTHING = 'none|null|nil|undefined|unset';
/** References to what is elsewhere. */
const REFERENCE = [
  String.raw`\$\w+|%\w+%`,
  String.raw`\$\{(?:env:)?[\w./]*\}`,
  String.raw`\$\{input:[\w .-]*\}`,
  String.raw`\$\{\{[\w .-]*\}\}`,
  String.raw`\$\{(?:\w+:)?[\w.-]*:?[-=?+](?:\[hidden\]|${SMALL}|${NOTHING})\}?`,
].join('|');
const HARMLESS = new RegExp(
  `^(?:${SMALL}|(?:[\\w-]{1,40}: ?)?(?:(?:Bearer|Basic|Token) )?(?:${REFERENCE}))$`,
  'i',
);
/** What a reference falls back on reaches to the last brace: there may be references in it. */
const DEFAULT = /(\$\{(?:(?:\w+:)?[\w.-]*:[-=?+]|(?:env:)?[\w.]+[-=?+]))(.*?)(\}[^}]*)?$/s;

const FLAG = /^--?\w[\w.-]*$/;
const SECRET_FLAG =
  /^(?:--?[\w-]*(?:token|key|secret|pass|pwd|auth|credential|header)[\w-]*|--?(?:[\w-]*-)?(?:pat|pw|dsn)|-k)$/i;
/** May be followed by a secret: for `psql` and for `npx` it is something else. */
const DOUBTFUL_FLAG = /^-p$/;
/** `--flag=value`, and `-eNAME=value`. */
const FLAG_AND_VALUE = /^(["']?--?\w[\w.-]*)=(.+)$/s;
/** `NAME=value`, but not `package==1.0`. */
const NAME_AND_VALUE = /^(["']?[A-Za-z_][\w.-]*)=(?!=)(.+)$/s;
/** Paths, packages and URLs: what is secret in those is found without their flag. */
const PLACE = /^(?:[./~\\@]|[A-Za-z]:[\\/]|[a-z+]+:\/\/)/;
/** Names, words and versions. */
const TYPED =
  /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|(?:(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|v?\d{1,5})(?:[-_.:/@,=<>~^]+|$))*)$/;

/** A part of the path of a URL that nobody would type. */
const MADE_UP = /^(?=[^/]*\d)(?=[^/]*[a-z])[\w~.=%-]{16,}$/i;

/** Behind whatever names it, what a reference falls back on is hidden, or nothing. */
const BARE_REFERENCE = new RegExp(
  `\\$\\{(?:\\w+:)?[\\w.]*(?::?[-=?+](?:\\[hidden\\]|${NOTHING})?)?\\}$`,
  'i',
);

const SAYS_NOTHING = new RegExp(`^(?:${NOTHING})?$`, 'i');

/** Is it a reference that gives nothing away, whatever its name is? */
export function isBareReference(value: string): boolean {
  return isHarmless(value) && BARE_REFERENCE.test(value);
}

/** Is it a value that gives nothing away? */
export function isHarmless(value: string): boolean {
  return HARMLESS.test(value);
}

/** A text without what its references fall back on. */
export function withoutDefaults(text: string, judge: Judge): string {
  return text.replace(DEFAULT, (all: string, start: string, value: string, end: string | undefined) =>
    !SAYS_NOTHING.test(value) && judge.isHidden(start, value) ? `${start}${HIDDEN}${end ?? ''}` : all,
  );
}

/** A word, as it may be shown behind another one. */
export function hiddenWord(word: string, before: unknown, judge: Judge): string {
  const text = withoutPath(withoutDefaults(word, judge));
  if (isHarmless(text)) return text;
  const flag = typeof before === 'string' ? unquoted(before) : '';
  if (SECRET_FLAG.test(flag)) return HIDDEN;
  const [, ownFlag, flagged] = FLAG_AND_VALUE.exec(text) ?? [];
  if (ownFlag !== undefined && flagged !== undefined)
    return `${ownFlag}=${hiddenFlagged(flagged, unquoted(ownFlag), judge)}`;
  const [, name, value] = NAME_AND_VALUE.exec(text) ?? [];
  if (name !== undefined && value !== undefined)
    return `${name}=${judge.isHidden(name, value) ? HIDDEN : hiddenLine(value, judge)}`;
  if (DOUBTFUL_FLAG.test(flag) && judge.hidesDoubtful && !/^[@.\w-]+\//.test(text)) return HIDDEN;
  const isBehind = flag.startsWith('--') && FLAG.test(flag) && !text.startsWith('-');
  if (isBehind && !PLACE.test(text) && !TYPED.test(text) && judge.isHidden(flag, text)) return HIDDEN;
  return hiddenLine(text, judge);
}

function unquoted(word: string): string {
  return word.replace(/^["']|["']$/g, '');
}

/** What stands behind the equals sign of a flag. */
function hiddenFlagged(value: string, flag: string, judge: Judge): string {
  if (flag.startsWith('--') && !value.startsWith('-')) return hiddenWord(value, flag, judge);
  return SECRET_FLAG.test(flag) || judge.isHidden(flag, value) ? HIDDEN : value;
}

/** A word with blanks may be a command line of its own, as behind `sh -c`. */
function hiddenLine(text: string, judge: Judge): string {
  if (!/\s/.test(text)) return text;
  const quoted = text.match(/(?:"[^"]*"?|'[^']*'?|[^\s"'])+|\s+/g) ?? [];
  const words = quoted.length > 1 ? quoted : text.split(/(\s+)/);
  let before = '';
  return words
    .map((word) => {
      if (word.trim() === '') return word;
      const shown = hiddenWord(word, before, judge);
      before = word;
      return shown;
    })
    .join('');
}

/** A URL may be a secret by its path alone. */
function withoutPath(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text;
  const [address = '', ...rest] = text.split(/(?=[?#])/);
  const [scheme, empty, host, ...path] = address.split('/');
  const shown = path.map((part) => (MADE_UP.test(part) ? HIDDEN : part));
  return [[scheme, empty, host, ...shown].join('/'), ...rest].join('');
}
