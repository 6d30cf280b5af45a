import { nearest } from '../names.ts';
import { type OptionTypes, refuseUnsound } from '../sound-options.ts';
import { ruleIds } from './rule-ids.ts';
import type { RedactOptions } from './types.ts';

const OPTIONS: OptionTypes<RedactOptions> = {
  level: 'string',
  disable: 'object',
  enable: 'object',
  keep: 'object',
  own: 'object',
  hide: 'object',
  told: 'object',
  digest: 'function',
  rules: 'object',
};

const LEVELS = ['standard', 'strict', 'secrets'];
const LISTS = ['disable', 'enable', 'keep', 'own', 'hide', 'told', 'rules'] as const;

/** Refuses, with a `TypeError`, what would not do what it says: who misspells `strict` believes in more than there is. */
export function checkRedactOptions(options: RedactOptions): void {
  refuseUnsound('a redactor', options, OPTIONS, nearest);
  const { level, disable = [], enable = [], rules = [] } = options;
  if (level !== undefined && !LEVELS.includes(level))
    throw new TypeError(`Expected \`level\` to be one of ${LEVELS.join(', ')}${meant(level, LEVELS)}`);
  for (const name of LISTS)
    if (options[name] !== undefined && !Array.isArray(options[name]))
      throw new TypeError(`Expected \`${name}\` of a redactor to be a list`);
  if (disable.length + enable.length === 0) return;
  const own = rules.map(({ id }) => id);
  refuseUnknownRules('disable', disable, own);
  refuseUnknownRules('enable', enable, own);
}

function refuseUnknownRules(option: string, ids: readonly string[], own: readonly string[]): void {
  const known = ruleIds();
  for (const id of ids) {
    if (known.has(id) || own.includes(id)) continue;
    throw new TypeError(
      `Unknown rule ${JSON.stringify(id)} in \`${option}\` of a redactor${meant(id, [...known, ...own]) || '; the findings of `redact` name the rules there are'}`,
    );
  }
}

function meant(said: unknown, known: readonly string[]): string {
  const close = typeof said === 'string' ? nearest(said, known) : undefined;
  return close === undefined ? '' : `; did you mean '${close}'?`;
}
