/** Settings that belong together, where a reload can apply only some of them. */
import { settingsChanged } from './changes.ts';
import { checkTogether } from './check-together.ts';
import { checkListen } from './checks.ts';
import { SettingsError, type SettingsProblem } from './problems.ts';
import { type Reload, type Rows, toCamel } from './rows.ts';
import type { Settings } from './settings.ts';
import { GENERAL } from './table.ts';

type Values = { readonly [name: string]: unknown };

/**
 * What holds after a reload: the new settings, and for those that need a restart the ones that the gateway was started
 * with. Throws a {@link SettingsError} where no gateway would start with that, or the file means one that is closed.
 */
export function settingsReloaded(started: Settings, next: Settings): Settings {
  const held = heldOver(GENERAL, started as unknown as Values, next as unknown as Values, 'now');
  const after = held as unknown as Settings;
  const before = new Set(mistakesIn(next).map(({ path }) => path));
  const found = mistakesIn(after).filter(({ path }) => !before.has(path));
  if (found.length === 0) return after;
  const { restart } = settingsChanged(started, next);
  const why = `${restart.join(', ')} ${restart.length === 1 ? 'has' : 'have'} changed, and a restart is needed for that`;
  throw new SettingsError(found.map((problem) => ({ ...problem, message: `${problem.message}; ${why}` })));
}

/** A gateway that is open to everybody is one too, where the file means none. */
function mistakesIn(settings: Settings): readonly SettingsProblem[] {
  const found: SettingsProblem[] = [];
  const add = (path: readonly (string | number)[], message: string): void => {
    found.push({ line: 0, path: path.join('.'), message });
  };
  checkTogether(settings, add);
  checkListen(settings, add);
  return found;
}

function heldOver(rows: Rows, started: Values, next: Values, reload: Reload): Values {
  const held: { [name: string]: unknown } = { ...next };
  for (const [name, row] of Object.entries(rows)) {
    if ('alias' in row) continue;
    const key = toCamel(name);
    const [old, now] = [started[key], next[key]];
    const when = row.reload ?? reload;
    if ('group' in row && isValues(old) && isValues(now)) held[key] = heldOver(row.group, old, now, when);
    else if (when === 'restart') held[key] = old;
  }
  return held;
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null;
}
