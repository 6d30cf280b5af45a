/** Options are checked once, with sentences that name the option. */
import { editDistance } from '@mayday/core/names';

/** Every name that an options object may have; the compiler checks that none is missing. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: true };

/** A name that is further away is another name, not a slip. */
const NEAR = 3;

/** Refuses options that nobody reads, and says which one was probably meant. */
export function onlyKnown<Options extends object>(
  what: string,
  given: Options | undefined,
  known: OptionNames<Options>,
): void {
  for (const name of Object.keys(given ?? {})) {
    if (Object.hasOwn(known, name)) continue;
    const [nearest] = Object.keys(known)
      .map((option) => ({ option, distance: editDistance(name.toLowerCase(), option.toLowerCase()) }))
      .filter(({ distance }) => distance <= NEAR)
      .sort((left, right) => left.distance - right.distance);
    const hint = nearest === undefined ? '' : `; did you mean \`${nearest.option}\`?`;
    throw new TypeError(`Unknown option \`${name}\` of ${what}${hint}`);
  }
}

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

/** The value, or the default; how long something is kept: more than no time, and not for ever. */
export function lifetime(name: string, value: number | undefined, fallback: number): number {
  const given = value ?? fallback;
  if (typeof given === 'number' && given > 0 && Number.isFinite(given)) return given;
  throw new TypeError(`Expected \`${name}\` to be a positive number of milliseconds, got ${show(given)}`);
}

/** The value, or the default; a share between 0 and 1. */
export function share(name: string, value: number | undefined, fallback: number): number {
  const given = value ?? fallback;
  if (typeof given === 'number' && given >= 0 && given <= 1) return given;
  throw new TypeError(`Expected \`${name}\` to be a number from 0 to 1, got ${String(given)}`);
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
