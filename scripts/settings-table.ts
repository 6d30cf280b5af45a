/** The settings of the gateway as tables, for `docs/gateway.md`. */
import { table } from '../packages/cli/src/catalog/markdown.ts';
import type { Reload, Row, Rows } from '../packages/gateway/src/settings/rows.ts';
import {
  COMMAND,
  COMMON,
  GENERAL,
  GIVEN,
  KEPT,
  OPENAPI,
  URL_FORM,
  VIRTUAL,
} from '../packages/gateway/src/settings/table.ts';
import { MIN_BYTES } from '../packages/gateway/src/settings/values.ts';

/** The generated parts of the page, by the name in their markers. */
export function settingsParts(): { readonly [name: string]: string } {
  return {
    'general settings': settingsTable(GENERAL),
    'upstream settings': settingsTable(COMMON, 'upstreams.*.'),
    'command settings': settingsTable(COMMAND, 'upstreams.*.', KEPT),
    'url settings': settingsTable(URL_FORM, 'upstreams.*.', GIVEN),
    'openapi settings': settingsTable(OPENAPI, 'upstreams.*.', GIVEN, KEPT),
    'virtual settings': settingsTable(VIRTUAL, 'virtual.*.'),
    reload: reloadSentence(),
  };
}

/** The settings of the admin API alone. */
export function adminSettings(): string {
  return settingsTable({ admin: GENERAL.admin });
}

interface Line {
  readonly name: string;
  readonly about: string;
  readonly holds: string;
  readonly reload: Reload;
}

function settingsTable(rows: Rows, prefix = '', ...more: readonly Rows[]): string {
  const lines = [rows, ...more].flatMap((part) => linesOf(part, prefix, 'now'));
  return table(
    ['setting', 'what it is for', 'default'],
    lines.map(({ name, about, holds }) => [`\`${name}\``, about, holds]),
  );
}

function linesOf(rows: Rows, prefix: string, above: Reload): readonly Line[] {
  return Object.entries(rows).flatMap(([name, row]) => {
    const full = `${prefix}${name}`;
    const reload = row.reload ?? above;
    if ('list' in row) return [head(full, row.about, reload), ...linesOf(row.list, `${full}[].`, reload)];
    if ('group' in row) {
      const inner = linesOf(row.group, `${full}.`, reload);
      return row.off === true ? [head(full, row.about, reload), ...inner] : inner;
    }
    return [{ name: full, about: `${row.about}${rangeOf(row)}`, holds: defaultOf(row), reload }];
  });
}

function head(name: string, about: string, reload: Reload): Line {
  return { name, about, holds: '', reload };
}

function defaultOf(row: Row): string {
  if (row.alias !== undefined) return '';
  if (row.required === true) return 'required';
  if (row.inherits !== undefined) return `as \`${row.inherits.join('.')}\``;
  const { default: value } = row;
  if (value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0))
    return 'none';
  return row.type === 'bytes' ? sizeOf(Number(value)) : `\`${String(value)}\``;
}

/** Longer ones have a page of their own, such as the kinds. */
const LONGEST_LIST = 12;

/** What it may be, where that is not all that its type can be. */
function rangeOf({ type, of = [], min, max }: Row): string {
  if (of.length > LONGEST_LIST) return '';
  if (of.length > 0)
    return ` ${type === 'choices' ? 'Any' : 'One'} of ${of.map((word) => `\`${word || '""'}\``).join(', ')}.`;
  if (type === 'share') return ' From 0 to 1.';
  if (type === 'bytes') return ` From ${sizeOf(MIN_BYTES)}.`;
  if ((type !== 'count' && type !== 'ms') || ((min ?? 0) <= 1 && max === undefined)) return '';
  return ` From ${min ?? 0}${max === undefined ? '' : ` to ${max}`}.`;
}

function sizeOf(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`;
}

function reloadSentence(): string {
  const forms = [COMMON, KEPT, GIVEN, COMMAND, URL_FORM, OPENAPI].flatMap((rows) =>
    linesOf(rows, 'upstreams.*.', 'now'),
  );
  const restart = [...linesOf(GENERAL, '', 'now'), ...forms].filter(({ reload }) => reload === 'restart');
  const names = restart.map(({ name }) => `\`${name}\``);
  return `A reload applies all of them, except ${names.slice(0, -1).join(', ')} and ${names.at(-1)}, which need a restart.`;
}
