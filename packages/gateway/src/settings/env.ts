/** `${NAME}` and `${NAME:-otherwise}` in strings, so that secrets stay out of the file. */
import type { Path } from './problems.ts';
import { isMapping } from './values.ts';

/** Deeper than any setting. */
const MAX_DEPTH = 32;

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The variables of an environment. */
export interface Variables {
  readonly [name: string]: string | undefined;
}

/** Takes what is wrong with a setting; `unset`: the variable that is not set. */
type ReportEnv = (path: Path, message: string, unset?: string) => void;

/**
 * The same value with all references resolved. A variable that is not set is reported, unless the settings give it to the
 * very process that they are for: then it is the server that looks it up, as `mcp-remote` and shells do.
 */
export function expandEnv(
  value: unknown,
  env: Variables,
  report: ReportEnv,
  path: Path = [],
  own: ReadonlySet<string> = NONE,
): unknown {
  if (typeof value === 'string') {
    return value.replace(REFERENCE, (all: string, name: string, otherwise: string | undefined) => {
      const found = (Object.hasOwn(env, name) ? env[name] : undefined) ?? otherwise;
      if (found !== undefined) return found;
      if (own.has(name) && path.at(-1) !== name) return all;
      report(path, notSet(name), name);
      return '';
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  if (path.length > MAX_DEPTH) {
    report(path.slice(0, 1), 'It is nested too deeply');
    return undefined;
  }
  if (Array.isArray(value)) return value.map((item, i) => expandEnv(item, env, report, [...path, i], own));
  if (!isMapping(value)) return value;
  const given = ownOf(value) ?? own;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, expandEnv(item, env, report, [...path, key], given)]),
  );
}

const NONE: ReadonlySet<string> = new Set();

/** The variables that the settings of a process give it. */
function ownOf({ command, env }: { readonly [name: string]: unknown }): ReadonlySet<string> | undefined {
  return command !== undefined && isMapping(env) ? new Set(Object.keys(env)) : undefined;
}

/** What is wrong with a setting that needs it. */
export function notSet(name: string): string {
  return `The environment variable ${name} is not set`;
}
