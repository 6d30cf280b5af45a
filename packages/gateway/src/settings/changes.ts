/** What a new file changes, and whether a reload is enough for it. */
import { isDeepStrictEqual } from 'node:util';
import { type Reload, type Rows, toCamel } from './rows.ts';
import { FORMS, type Settings, type UpstreamSettings } from './settings.ts';
import { GENERAL, VIRTUAL } from './table.ts';

/** Changed settings, named as the file names them: those that a reload applies, and those that need a restart. */
export interface SettingsChanges {
  readonly now: readonly string[];
  readonly restart: readonly string[];
}

type Values = { readonly [name: string]: unknown };

/** One comparison: where it is, what is compared, and what both sides inherit. */
interface Comparison {
  readonly path: string;
  readonly before: Values;
  readonly after: Values;
  readonly reload: Reload;
  readonly roots: readonly [before: Values, after: Values];
  readonly found: { readonly now: string[]; readonly restart: string[] };
}

/** Compares two settings. A setting that only follows a general one is not named beside it. */
export function settingsChanged(before: Settings, after: Settings): SettingsChanges {
  const found: Comparison['found'] = { now: [], restart: [] };
  const roots = [before as unknown as Values, after as unknown as Values] as const;
  compare(GENERAL, { path: '', before: roots[0], after: roots[1], reload: 'now', roots, found });
  for (const name of new Set([...before.upstreams.keys(), ...after.upstreams.keys()])) {
    compareUpstreams(
      before.upstreams.get(name),
      after.upstreams.get(name),
      `upstreams.${name}`,
      roots,
      found,
    );
  }
  for (const name of new Set([...before.virtual.keys(), ...after.virtual.keys()])) {
    const [old, next] = [before.virtual.get(name), after.virtual.get(name)];
    if (old === undefined || next === undefined) found.now.push(`virtual.${name}`);
    else
      compare(VIRTUAL, { path: `virtual.${name}.`, before: old, after: next, reload: 'now', roots, found });
  }
  return found;
}

/** Do two upstreams have the same settings? URLs are compared too, which not every Node does by itself. */
export function isSameUpstream(a: UpstreamSettings, b: UpstreamSettings): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function compareUpstreams(
  before: UpstreamSettings | undefined,
  after: UpstreamSettings | undefined,
  path: string,
  roots: Comparison['roots'],
  found: Comparison['found'],
): void {
  if (
    before === undefined ||
    after === undefined ||
    before.type !== after.type ||
    !isSame(before.unset, after.unset)
  )
    found.now.push(path);
  else {
    const sides = { before: before as unknown as Values, after: after as unknown as Values };
    compare(FORMS[after.type], { path: `${path}.`, ...sides, reload: 'now', roots, found });
  }
}

function compare(rows: Rows, comparison: Comparison): void {
  const { path, before, after, reload, roots, found } = comparison;
  for (const [name, row] of Object.entries(rows)) {
    if ('alias' in row) continue;
    const [old, next] = [before[toCamel(name)], after[toCamel(name)]];
    const when = row.reload ?? reload;
    if ('group' in row && isValues(old) && isValues(next)) {
      compare(row.group, { ...comparison, path: `${path}${name}.`, before: old, after: next, reload: when });
    } else if (!isSame(old, next) && !('inherits' in row && follows(row.inherits, old, next, roots))) {
      found[when].push(`${path}${name}`);
    }
  }
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null;
}

function isSame(a: unknown, b: unknown): boolean {
  return a instanceof URL && b instanceof URL ? a.href === b.href : isDeepStrictEqual(a, b);
}

function follows(
  path: readonly string[] | undefined,
  old: unknown,
  next: unknown,
  [before, after]: Comparison['roots'],
): boolean {
  const at = (root: Values): unknown =>
    path?.reduce<unknown>((value, step) => (value as Values)[toCamel(step)], root);
  return path !== undefined && old === at(before) && next === at(after);
}
