/** Times on the command line. */
import { UsageError } from './usage-error.ts';

const UNITS: { readonly [unit: string]: number } = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Ten thousand days: whoever wants more wants no end. */
const MAX_MS = 10_000 * 86_400_000;

/** The milliseconds of `90s`, `15m`, `12h` or `30d`. */
export function durationFlag(flag: string, said: string): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(said) ?? [];
  const ms = said === '0' ? 0 : Number(count) * (UNITS[unit] ?? Number.NaN);
  if (ms <= MAX_MS) return ms;
  const what = JSON.stringify(said.slice(0, 40));
  throw new UsageError(`${flag} needs a time like 90s, 15m, 12h or 30d, at most 10000d, not ${what}`);
}
