/** Options are checked once, with sentences that name the option. */
import { editDistance } from '@mayday/core/names';

/** Every name that an options object may have; the compiler checks that none is missing. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: true };

/** A name that is further away is another name, not a slip. */
const NEAR = 3;

/**
 * Refuses options that nobody reads, and says which one was probably meant, or which there are. What is no object with members, a Map or a
 * promise, has options that nobody reads too.
 */
export function onlyKnown<Options extends object>(
  what: string,
  given: Options | undefined,
  known: OptionNames<Options>,
  instead: { readonly [name: string]: string } = {},
): void {
  if (given !== undefined && !hasMembers(given))
    throw new TypeError(`Expected the options of ${what} to be an object, got ${shown(given)}`);
  for (const name of Object.keys(given ?? {})) {
    if (Object.hasOwn(known, name)) continue;
    const names = Object.keys(known);
    const near = nearestTo(name, [...names, ...Object.keys(instead)], NEAR);
    const meant = near !== undefined && Object.hasOwn(instead, near) ? instead[near] : near;
    const hint = meant === undefined ? `it has ${names.join(', ')}` : `did you mean \`${meant}\`?`;
    throw new TypeError(`Unknown option \`${name}\` of ${what}; ${hint}`);
  }
}

/** The name that was probably meant; `undefined` when none is that near. */
export function nearestTo(name: string, names: readonly string[], near: number): string | undefined {
  const [nearest] = names
    .map((option) => ({ option, distance: editDistance(name.toLowerCase(), option.toLowerCase()) }))
    .filter(({ distance }) => distance <= near)
    .sort((left, right) => left.distance - right.distance);
  return nearest?.option;
}

/** Refuses what is neither `true` nor `false`: "no" and 0 would be taken for something that nobody meant. */
export function flag(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'boolean')
    throw new TypeError(`Expected \`${name}\` to be true or false, got ${shown(value)}`);
}

/** Refuses what is none of some words, where it is said at all. */
export function oneOf(name: string, value: unknown, words: readonly string[], otherwise = ''): void {
  if (value === undefined || words.includes(value as string)) return;
  throw new TypeError(
    `Expected \`${name}\` to be one of ${words.join(', ')}${otherwise}, got ${shown(value)}`,
  );
}

/** Refuses everything but what `is` takes: what has to be there, of a type that a sentence names. */
export function needed(name: string, value: unknown, wanted: string, is: (value: unknown) => boolean): void {
  if (!is(value)) throw new TypeError(`Expected ${name} to be ${wanted}, got ${shown(value)}`);
}

/** Can it be called? */
export const isFunction = (value: unknown): boolean => typeof value === 'function';

/** Has it members by name? */
export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Refuses what cannot be called. */
export function callable(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function')
    throw new TypeError(`Expected \`${name}\` to be a function, got ${shown(value)}`);
}

/** Refuses what has no members by name: a list, a Map, a text. */
export function members(name: string, value: unknown): void {
  if (value !== undefined && !hasMembers(value))
    throw new TypeError(`Expected \`${name}\` to be an object, got ${shown(value)}`);
}

function hasMembers(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Object]';
}

/** A number or the name of a type: a text may be a secret in the wrong place. */
export function shown(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value !== 'object' || hasMembers(value)) return typeof value;
  return `a ${Object.prototype.toString.call(value).slice('[object '.length, -1)}`;
}

/** The value, or the default; an integer of at least `least`. */
export function integer(name: string, value: number | undefined, fallback: number, least: number): number {
  const given = value ?? fallback;
  if (Number.isSafeInteger(given) && given >= least) return given;
  const wanted = least === 1 ? 'a positive integer' : `an integer of at least ${least}`;
  throw new TypeError(`Expected \`${name}\` to be ${wanted}, got ${shown(given)}`);
}

/** The value, or the default; milliseconds, not negative. Infinity only where `fallback` allows it. */
export function milliseconds(name: string, value: number | undefined, fallback: number): number {
  const given = value ?? fallback;
  if (typeof given === 'number' && given >= 0 && (Number.isFinite(given) || given === fallback)) return given;
  throw new TypeError(`Expected \`${name}\` to be a number of milliseconds, got ${shown(given)}`);
}

/** The value, or the default; how long something is kept: more than no time, and not for ever. */
export function lifetime(name: string, value: number | undefined, fallback: number): number {
  const given = value ?? fallback;
  if (typeof given === 'number' && given > 0 && Number.isFinite(given)) return given;
  throw new TypeError(`Expected \`${name}\` to be a positive number of milliseconds, got ${shown(given)}`);
}

/** The value, or the default; a share between 0 and 1. */
export function share(name: string, value: number | undefined, fallback: number): number {
  const given = value ?? fallback;
  if (typeof given === 'number' && given >= 0 && given <= 1) return given;
  throw new TypeError(`Expected \`${name}\` to be a number from 0 to 1, got ${shown(given)}`);
}
