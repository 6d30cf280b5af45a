/** `${NAME}` and `${NAME:-otherwise}` in strings, so that secrets stay out of the file. */
import type { Path, Report } from './problems.ts';
import { isMapping } from './values.ts';

/** Deeper than any setting. */
const MAX_DEPTH = 32;

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The same value with all references resolved. A variable that is not set is reported. */
export function expandEnv(
  value: unknown,
  env: { readonly [name: string]: string | undefined },
  report: Report,
  path: Path = [],
): unknown {
  if (typeof value === 'string') {
    return value.replace(REFERENCE, (_all, name: string, otherwise: string | undefined) => {
      const found = (Object.hasOwn(env, name) ? env[name] : undefined) ?? otherwise;
      if (found === undefined) report(path, `The environment variable ${name} is not set`);
      return found ?? '';
    });
  }
  if (typeof value !== 'object' || value === null) return value;
  if (path.length > MAX_DEPTH) {
    report(path.slice(0, 1), 'It is nested too deeply');
    return undefined;
  }
  if (Array.isArray(value)) return value.map((item, i) => expandEnv(item, env, report, [...path, i]));
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, expandEnv(item, env, report, [...path, key])]),
  );
}
