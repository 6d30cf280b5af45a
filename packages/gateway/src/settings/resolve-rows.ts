/** A part of the file against its part of the table: every mistake is reported, every default is filled in. */
import { nearest } from '../nearest.ts';
import { foreignHint } from './foreign-names.ts';
import type { Path } from './problems.ts';
import { type Group, type List, type Row, type Rows, toCamel } from './rows.ts';
import { isMapping, readValue, type ValueContext } from './values.ts';

/** What rows are resolved in. */
export interface RowContext extends ValueContext {
  /** The value of a general setting, for the rows that inherit it. */
  readonly inherit: (path: readonly string[]) => unknown;
  /** Settings of the whole file that are in no row. */
  readonly beside?: readonly string[] | undefined;
}

/** Resolves some rows. The result fits its type only when nothing was reported. */
export function resolveRows(
  rows: Rows,
  written: unknown,
  path: Path,
  context: RowContext,
): { readonly [name: string]: unknown } {
  const given = mappingOf(written, rows, path, context);
  for (const name of Object.keys(given)) if (!Object.hasOwn(rows, name)) unknown(name, rows, path, context);
  const moved = withoutAliases(rows, given, path, context);
  const resolved: { [name: string]: unknown } = {};
  for (const [name, row] of Object.entries(rows)) {
    if ('alias' in row) continue;
    const value = Object.hasOwn(moved, name) ? moved[name] : undefined;
    resolved[toCamel(name)] = resolveOne(name, row, value, path, context);
  }
  return resolved;
}

function resolveOne(
  name: string,
  row: Rows[string],
  value: unknown,
  path: Path,
  context: RowContext,
): unknown {
  const here = [...path, name];
  if ('group' in row) return resolveGroup(row, value, here, context);
  if ('list' in row) return resolveList(row, value, here, context);
  if (value !== undefined) return readValue(value, row, here, context);
  if (row.required === true) context.report(path, `${name} is missing`);
  if (row.inherits !== undefined) return context.inherit(row.inherits);
  return row.type === 'path' && row.default !== undefined
    ? readValue(row.default, row, here, context)
    : row.default;
}

function resolveGroup(row: Group, value: unknown, path: Path, context: RowContext): unknown {
  if (row.off === true && value === false) return false;
  const isShort = row.short !== undefined && typeof value === 'string';
  if (row.needs !== undefined && isMapping(value) && value[row.needs] === undefined)
    context.report(path, `${row.needs} is missing`);
  return resolveRows(row.group, isShort ? { [row.short]: value } : value, path, context);
}

function resolveList(row: List, value: unknown, path: Path, context: RowContext): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value))
    return value.map((item: unknown, i) => resolveRows(row.list, item ?? null, [...path, i], context));
  context.report(path, 'Expected a list');
  return [];
}

function mappingOf(
  written: unknown,
  rows: Rows,
  path: Path,
  { report }: RowContext,
): { readonly [name: string]: unknown } {
  if (written === undefined) return {};
  if (isMapping(written)) return written;
  const names = Object.keys(rows).filter((name) => !('alias' in (rows[name] as object)));
  report(path, `Expected settings with their names: ${names.join(', ')}`);
  return {};
}

/** What was written under another name, moved to where it belongs. */
function withoutAliases(
  rows: Rows,
  given: { readonly [name: string]: unknown },
  path: Path,
  context: RowContext,
): { readonly [name: string]: unknown } {
  const moved: { [name: string]: unknown } = { ...given };
  for (const [name, row] of Object.entries(rows)) {
    const [group, member] = 'alias' in row ? (row.alias ?? []) : [];
    if (group === undefined || member === undefined || !Object.hasOwn(given, name)) continue;
    const value = readValue(given[name], row as Row, [...path, name], context);
    const beside = moved[group] ?? {};
    if (!isMapping(beside)) continue; // told when the group itself is read
    if (Object.hasOwn(beside, member))
      context.report([...path, name], `The same as ${group}.${member}; keep one of them`);
    else if (value !== undefined) moved[group] = { ...beside, [member]: value };
  }
  return moved;
}

function unknown(name: string, rows: Rows, path: Path, { report, beside = [] }: RowContext): void {
  const known = [...(path.length === 0 ? beside : []), ...Object.keys(rows)];
  const close = nearest(name, known);
  const isOurs = close === undefined ? `known are ${known.join(', ')}` : `did you mean ${close}?`;
  report([...path, name], `Unknown setting; ${foreignHint(name) ?? isOurs}`);
}
