/** Entries as they may be shown: without secrets. */
import { redact } from '@mayday/core/redact';
import {
  HIDDEN,
  hiddenWord,
  isBareReference,
  isHarmless,
  type Judge,
  withoutDefaults,
} from './command-words.ts';
import { isObject } from './sections.ts';

/** Members whose values are nobody’s business: secrets are kept here, under any name. */
const VALUES: ReadonlySet<string> = new Set(['env', 'environment', 'headers']);

const SECRET_NAME =
  /token|key|secret|pass|pwd|auth|credential|cookie|session|(?<![a-z])(?:pat|pw|dsn)(?![a-z])/i;
/** What nobody would type. */
const MADE_UP = /^(?=\S*\d)(?=\S*[a-z])[\w~+=-]{12,}$/i;

/** Nothing is shown that may be a secret. */
const TO_SHOW: Judge = { isHidden: (_name, value) => !isHarmless(value), hidesDoubtful: true };
/** A secret is told of where there are signs of one. */
const TO_TELL: Judge = {
  isHidden: (name, value) =>
    !isHarmless(value) && (SECRET_NAME.test(name) || MADE_UP.test(value) || isFound(value)),
  hidesDoubtful: false,
};

/** The same value with everything hidden that may be a secret. */
export function masked(value: unknown): unknown {
  const shown = hidden(value, undefined, undefined);
  return withReferences(redact(shown).value, shown);
}

/** The same, with the references that were taken for secrets because of their names. */
function withReferences(redacted: unknown, shown: unknown): unknown {
  if (typeof shown === 'string') return isBareReference(shown) ? shown : redacted;
  if (Array.isArray(shown) && Array.isArray(redacted))
    return redacted.map((item, i) => withReferences(item, shown[i]));
  if (!isObject(shown) || !isObject(redacted)) return redacted;
  return Object.fromEntries(
    Object.entries(redacted).map(([name, item]) => [
      name,
      Object.hasOwn(shown, name) ? withReferences(item, shown[name]) : item,
    ]),
  );
}

function hidden(value: unknown, parent: string | undefined, before: unknown): unknown {
  const isValue = parent !== undefined && VALUES.has(parent);
  if (typeof value === 'string') return isValue ? hiddenValue(value) : hiddenWord(value, before, TO_SHOW);
  if (Array.isArray(value)) return value.map((item, i) => hidden(item, parent, value[i - 1]));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, hidden(item, isValue ? parent : name, undefined)]),
  );
}

function hiddenValue(value: string): string {
  const shown = withoutDefaults(value, TO_SHOW);
  return isHarmless(shown) ? shown : HIDDEN;
}

/** Where an upstream holds secrets as they are, such as `env.GITHUB_TOKEN`. */
export function secretsOf(entry: unknown): readonly string[] {
  if (!isObject(entry)) return [];
  const found = new Set<string>();
  for (const part of ['env', 'headers']) {
    const held = entry[part];
    for (const [name, value] of Object.entries(isObject(held) ? held : {}))
      if (typeof value === 'string' && (TO_TELL.isHidden(name, value) || isSecret(value, undefined)))
        found.add(`${part}.${name}`);
  }
  const { args, command, url } = entry;
  if (Array.isArray(args) && args.some((word, i) => isSecret(word, args[i - 1]))) found.add('args');
  if (isSecret(command, undefined)) found.add('command');
  if (isSecret(url, undefined)) found.add('url');
  return [...found];
}

/** May a header be what the server knows its user by? What stands elsewhere may be anything. */
export function mayBeCredential(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || /\$|%\w+%|\{\{/.test(value) || isFound(value);
}

/** Does the word of a command line hold a secret? */
function isSecret(word: unknown, before: unknown): boolean {
  if (typeof word !== 'string' || isHarmless(word)) return false;
  return isFound(word) || hiddenWord(word, before, TO_TELL) !== word;
}

/** Does it look like a secret by itself? Addresses are none. */
function isFound(value: string): boolean {
  return redact(value).findings.some(({ rule }) => rule !== 'email' && rule !== 'ip');
}
