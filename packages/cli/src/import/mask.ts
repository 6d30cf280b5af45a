/** Entries as they may be shown: without secrets. */
import { redact } from '@mayday/core/redact';
import { isObject } from './sections.ts';

/** What is shown in the place of a value. */
const HIDDEN = '[hidden]';

/** Members whose values are nobody’s business: secrets are kept here, under any name. */
const VALUES: ReadonlySet<string> = new Set(['env', 'environment', 'headers']);

/** Values that give nothing away: flags, small numbers, references. */
const HARMLESS =
  /^(?:true|false|\d{0,5}|(?:[\w-]{1,40}: ?)?(?:(?:Bearer|Basic|Token) )?(?:\$\w+|\$\{[^{}]+\}|\$\{\{[^{}]+\}\}))$/i;

const SECRET_NAME = /token|key|secret|pass|pwd|auth|credential|cookie|session/i;
/** A flag that is followed by a secret, or has it behind an equals sign. */
const SECRET_FLAG = /^(--?[\w-]*(?:token|key|secret|pass|pwd|auth|credential|header)[\w-]*|-k)(=.*)?$/is;
/** A flag that may be followed by one: for `psql` and for `npx` it is something else. */
const DOUBTFUL_FLAG = /^-p$/;
/** A part of the path of a URL that nobody would type. */
const MADE_UP = /^(?=[^/]*\d)(?=[^/]*[a-z])[\w~.=%-]{16,}$/i;

/** The same value with everything hidden that may be a secret. */
export function masked(value: unknown): unknown {
  return redact(hidden(value, undefined)).value;
}

function hidden(value: unknown, parent: string | undefined): unknown {
  const isValue = parent !== undefined && VALUES.has(parent);
  if (typeof value === 'string') return isValue && !HARMLESS.test(value) ? HIDDEN : withoutPath(value);
  if (Array.isArray(value)) return value.map((item, i) => hiddenWord(item, value[i - 1], parent));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, hidden(item, isValue ? parent : name)]),
  );
}

/** A word of a command line. */
function hiddenWord(word: unknown, before: unknown, parent: string | undefined): unknown {
  if (typeof word !== 'string') return hidden(word, parent);
  const [, flag, rest] = SECRET_FLAG.exec(word) ?? [];
  if (flag !== undefined && rest !== undefined) return `${flag}=${HIDDEN}`;
  const isBehind =
    typeof before === 'string' && SECRET_FLAG.exec(before)?.[2] === undefined && SECRET_FLAG.test(before);
  const isDoubtful = typeof before === 'string' && DOUBTFUL_FLAG.test(before) && !/^[@.\w-]+\//.test(word);
  return (isBehind || isDoubtful) && !HARMLESS.test(word) ? HIDDEN : hidden(word, parent);
}

/** A URL may be a secret by its path alone. */
function withoutPath(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text;
  const [address = '', ...rest] = text.split(/(?=[?#])/);
  const [scheme, empty, host, ...path] = address.split('/');
  const shown = path.map((part) => (MADE_UP.test(part) ? HIDDEN : part));
  return [[scheme, empty, host, ...shown].join('/'), ...rest].join('');
}

/** Where an upstream holds secrets as they are, such as `env.GITHUB_TOKEN`. */
export function secretsOf(entry: unknown): readonly string[] {
  if (!isObject(entry)) return [];
  const found = new Set<string>();
  for (const part of ['env', 'headers']) {
    const held = entry[part];
    for (const [name, value] of Object.entries(isObject(held) ? held : {}))
      if (typeof value === 'string' && !HARMLESS.test(value) && (SECRET_NAME.test(name) || isFound(value)))
        found.add(`${part}.${name}`);
  }
  const args = entry['args'];
  if (
    Array.isArray(args) &&
    args.some((word, i) => {
      const isDoubtful = DOUBTFUL_FLAG.test(String(args[i - 1]));
      const before: unknown = isDoubtful ? undefined : args[i - 1];
      return !HARMLESS.test(String(word)) && (isFound(word) || hiddenWord(word, before, undefined) !== word);
    })
  )
    found.add('args');
  const { url } = entry;
  if (isFound(url) || (typeof url === 'string' && withoutPath(url) !== url)) found.add('url');
  return [...found];
}

/** Does it look like a secret by itself? Addresses are none. */
function isFound(value: unknown): boolean {
  return (
    typeof value === 'string' && redact(value).findings.some(({ rule }) => rule !== 'email' && rule !== 'ip')
  );
}
