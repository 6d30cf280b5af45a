/** Options are checked once, with sentences that name the option. */

/** The value, or the default; an integer of at least `least`. */
export function integer(name: string, value: number | undefined, fallback: number, least: number): number {
  const given = value ?? fallback;
  if (Number.isSafeInteger(given) && given >= least) return given;
  const wanted = least === 1 ? 'a positive integer' : `an integer of at least ${least}`;
  throw new TypeError(`Expected \`${name}\` to be ${wanted}, got ${String(given)}`);
}

/** The value, or the default; milliseconds, not negative. Infinity only where `fallback` allows it. */
export function milliseconds(name: string, value: number | undefined, fallback: number): number {
  const given = value ?? fallback;
  if (typeof given === 'number' && given >= 0 && (Number.isFinite(given) || given === fallback)) return given;
  throw new TypeError(`Expected \`${name}\` to be a number of milliseconds, got ${String(given)}`);
}

/** The value, or the default; a share between 0 and 1. */
export function share(name: string, value: number | undefined, fallback: number): number {
  const given = value ?? fallback;
  if (typeof given === 'number' && given >= 0 && given <= 1) return given;
  throw new TypeError(`Expected \`${name}\` to be a number from 0 to 1, got ${String(given)}`);
}
