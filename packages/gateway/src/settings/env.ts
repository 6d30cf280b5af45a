/** `${NAME}` and `${NAME:-otherwise}` in strings, so that secrets stay out of the file. */

type Path = readonly (string | number)[];
type Report = (path: Path, message: string) => void;

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
      const found = env[name] ?? otherwise;
      if (found === undefined) report(path, `The environment variable ${name} is not set`);
      return found ?? '';
    });
  }
  if (Array.isArray(value)) return value.map((item, i) => expandEnv(item, env, report, [...path, i]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, expandEnv(item, env, report, [...path, key])]),
  );
}
