/** Whether a gateway could start from a file, and serve a client over standard streams. */
import { dirname } from 'node:path';
import process from 'node:process';
import { parseYaml, readSettings, SettingsError, type SettingsProblem } from '@mayday/gateway';
import { isObject } from './sections.ts';

/** What is wrong with the text that a file is to have, on the lines of the text that it has, as far as it stands there. */
export function mistakesIn(text: string, before: string | undefined, to: string): readonly SettingsProblem[] {
  const mistakes = found(text, to);
  if (mistakes.length === 0 || before === undefined) return mistakes;
  const old = new Map(found(before, to).map((mistake) => [`${mistake.path} ${mistake.message}`, mistake]));
  return mistakes.map((mistake) => old.get(`${mistake.path} ${mistake.message}`) ?? mistake);
}

function found(text: string, to: string): readonly SettingsProblem[] {
  const { value, lineOf } = parseYaml(text);
  const references = referencesIn(value);
  const names = [...references.values()].flat();
  // What the client will set is not known here: it stands for anything that would do.
  const unset = Object.fromEntries(names.map((name) => [name, `http://${name}.invalid/`]));
  try {
    const { settings } = readSettings(text, { baseDir: dirname(to), env: { ...unset, ...process.env } });
    if (settings.joined.enabled) return [];
    const path = ['joined', 'enabled'];
    return [{ line: lineOf(path), path: path.join('.'), message: NOTHING_SERVED }];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.filter(({ path }) => !references.has(path));
  }
}

const NOTHING_SERVED = 'The client would find no servers at all; set it to true';

/** The settings that name variables, and which. */
function referencesIn(value: unknown, path = ''): ReadonlyMap<string, readonly string[]> {
  if (typeof value === 'string') {
    const names = [...value.matchAll(/\$\{([A-Za-z_]\w*)/g)].map(([, name]) => name as string);
    return new Map(names.length === 0 ? [] : [[path, names]]);
  }
  const members = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return new Map(
    members.flatMap(([name, item]) => [
      ...referencesIn(item, path === '' ? String(name) : `${path}.${name}`),
    ]),
  );
}
