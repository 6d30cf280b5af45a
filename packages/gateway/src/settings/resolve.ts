/** What was written → settings. Everything about a setting is known here and in the table, and nowhere else. */
import { type DialectId, type Language, language } from '@mayday/core';
import { dialectIds } from '../call/dialects.ts';
import { nearest } from '../nearest.ts';
import { weighKeys, weighLimits, weighRules } from './access-checks.ts';
import { checkTogether } from './check-together.ts';
import { checkListen } from './checks.ts';
import { isForeignFor } from './foreign-names.ts';
import { checkMachine } from './machine.ts';
import { type Path, SettingsError, type SettingsProblem } from './problems.ts';
import { type RowContext, resolveRows } from './resolve-rows.ts';
import { type Rows, toCamel } from './rows.ts';
import {
  FORMS,
  type Settings,
  type SettingsFile,
  type UpstreamSettings,
  type VirtualSettings,
} from './settings.ts';
import { weighShapes } from './shape-checks.ts';
import { GENERAL, VIRTUAL } from './table.ts';
import { isMapping } from './values.ts';

/** What settings are seen from. */
export interface ResolveOptions {
  /** Relative paths start here; the current folder if absent. */
  readonly baseDir?: string | undefined;
  /** The environment in which commands are looked for. */
  readonly env?: { readonly [name: string]: string | undefined } | undefined;
  /** Whose dialects settings may name; all that come with `@mayday/core`, if absent. */
  readonly language?: Language | undefined;
  /** What was typed wins over what is written, which is checked all the same. */
  readonly override?: SettingsOverride | undefined;
}

/** Settings from the command line. */
export interface SettingsOverride {
  readonly port?: number | undefined;
  readonly dialect?: DialectId | undefined;
}

/** Settings, and what an operator should know about them. */
export interface CheckedSettings {
  readonly settings: Settings;
  readonly warnings: readonly SettingsProblem[];
}

/** Nobody mends more than this at once. */
const MAX_TOLD = 50;

/** Resolves settings that a program wrote. Throws a {@link SettingsError} with all mistakes. */
export function resolveSettings(written: SettingsFile, options: ResolveOptions = {}): CheckedSettings {
  return resolveWith(written, options, () => 0, undefined);
}

/** Resolves anything; `lineOf` finds the line of a setting. */
export function resolveWith(
  written: unknown,
  { baseDir = process.cwd(), env = process.env, language: spoken = language, override }: ResolveOptions,
  lineOf: (path: Path) => number,
  file: string | undefined,
  known: readonly SettingsProblem[] = [],
): CheckedSettings {
  const problems: SettingsProblem[] = [...known];
  const warnings: SettingsProblem[] = [];
  const into =
    (list: SettingsProblem[]) =>
    (at: Path, message: string): void => {
      const path = at.join('.');
      // What is wrong with the value of a variable that is not set is no second mistake.
      if (list.length >= MAX_TOLD || known.some((problem) => problem.path === path)) return;
      list.push({ line: lineOf(at), path, message });
    };
  const report = into(problems);
  const dialects = dialectIds(spoken);
  const settings = resolveAll(written, { report, baseDir, dialects, inherit: () => undefined }, override);
  checkTogether(settings, report, (below = '') => problems.some(({ path }) => path.startsWith(below)));
  if (problems.length > 0) throw new SettingsError(byLine(problems), file);
  checkListen(settings, into(warnings));
  weighKeys(settings, into(warnings));
  weighRules(settings, into(warnings));
  weighLimits(settings, into(warnings));
  weighShapes(settings, into(warnings));
  checkMachine(settings, env, into(warnings));
  return { settings, warnings: byLine(warnings) };
}

function byLine(problems: readonly SettingsProblem[]): readonly SettingsProblem[] {
  return [...problems].sort((a, b) => a.line - b.line);
}

/** The whole file beside `upstreams` and `virtual` is one part of the table; every one of them is another. */
function resolveAll(written: unknown, context: RowContext, override: SettingsOverride = {}): Settings {
  const { upstreams, virtual, ...beside } = isMapping(written) ? written : {};
  if (!isMapping(written)) context.report([], 'Expected settings with their names');
  const rows = { ...GENERAL, $schema: SCHEMA_ROW };
  const read = resolveRows(rows, beside, [], { ...context, beside: ['upstreams', 'virtual'] });
  const general = overridden(read, override);
  delete (general as { $schema?: unknown }).$schema;
  const inherit = (path: readonly string[]): unknown =>
    path.reduce<unknown>((value, step) => (value as { [name: string]: unknown })[toCamel(step)], general);
  const isMisnamed = upstreams === undefined && Object.keys(beside).some(isMeantAsUpstreams);
  const found = resolveUpstreams(isMisnamed ? NONE : upstreams, { ...context, inherit });
  const made = resolveVirtual(virtual, { ...context, inherit });
  return { ...general, upstreams: found, virtual: made } as unknown as Settings;
}

/** What was typed, in the place of what the file says. */
function overridden(read: object, { port, dialect }: SettingsOverride): { [name: string]: unknown } {
  const general: { [name: string]: unknown } = { ...read };
  const { listen } = general;
  if (dialect !== undefined) general['dialect'] = dialect;
  if (port !== undefined && isMapping(listen)) general['listen'] = { ...listen, port };
  return general;
}

/** It has been told what the name is: that there are none is no second mistake. */
const NONE: unique symbol = Symbol('none');

function isMeantAsUpstreams(name: string): boolean {
  if (Object.hasOwn(GENERAL, name)) return false;
  return (
    isForeignFor(name, 'upstreams') || nearest(name, ['upstreams', ...Object.keys(GENERAL)]) === 'upstreams'
  );
}

/** Editors look for it. */
const SCHEMA_ROW: Rows[string] = { type: 'text', optional: true, about: 'The schema of this file.' };

const UPSTREAM_NAME = /^[a-z0-9][a-z0-9-]{0,31}$/;
const NO_NAME = 'Expected a name of at most 32 lower-case letters, digits and hyphens';

function resolveUpstreams(written: unknown, context: RowContext): Map<string, UpstreamSettings> {
  const { report } = context;
  const found = new Map<string, UpstreamSettings>();
  if (written === NONE) return found;
  if (written === undefined) report([], 'upstreams is missing');
  else if (!isMapping(written)) report(['upstreams'], 'Expected upstreams with their names');
  else if (Object.keys(written).length === 0) report(['upstreams'], 'Expected at least one upstream');
  for (const [name, upstream] of Object.entries(isMapping(written) ? written : {})) {
    const path = ['upstreams', name];
    if (!UPSTREAM_NAME.test(name)) report(path, NO_NAME);
    const type = formOf(upstream, path, context);
    if (type === undefined) continue;
    const rows = resolveRows(FORMS[type], upstream, path, context);
    found.set(name, { name, type, ...rows } as unknown as UpstreamSettings);
  }
  return found;
}

function resolveVirtual(written: unknown, context: RowContext): Map<string, VirtualSettings> {
  const { report } = context;
  const found = new Map<string, VirtualSettings>();
  if (written !== undefined && !isMapping(written))
    report(['virtual'], 'Expected virtual servers with their names');
  for (const [name, one] of Object.entries(isMapping(written) ? written : {})) {
    const path = ['virtual', name];
    if (!UPSTREAM_NAME.test(name)) report(path, NO_NAME);
    const rows = resolveRows(VIRTUAL, one ?? {}, path, context);
    found.set(name, { name, ...rows } as unknown as VirtualSettings);
  }
  return found;
}

/** Mistakes are told about the form that was meant. */
function formOf(upstream: unknown, path: Path, { report }: RowContext): keyof typeof FORMS | undefined {
  const forms = (Object.keys(FORMS) as (keyof typeof FORMS)[]).filter(
    (form) => isMapping(upstream) && Object.hasOwn(upstream, form),
  );
  if (forms.length === 1) return forms[0];
  const meant = isMapping(upstream)
    ? Object.keys(upstream).find((name) => isForeignFor(name, 'url'))
    : undefined;
  const none = meant === undefined ? noneOf(upstream) : `${meant} is called url here`;
  const said = forms.length === 0 ? none : `here are ${forms.join(' and ')}`;
  report(path, `An upstream has one of command, url and openapi; ${said}`);
  return undefined;
}

/** No form at all: perhaps the name of one is misspelt. */
function noneOf(upstream: unknown): string {
  for (const name of isMapping(upstream) ? Object.keys(upstream) : []) {
    const close = nearest(name, Object.keys(FORMS));
    if (close !== undefined) return `here is ${name}; did you mean ${close}?`;
  }
  return 'none of them is here';
}
