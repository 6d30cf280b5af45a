/** Options are checked with sentences that say what was expected. */
import type { Language } from '@mayday/core';
import { editDistance } from '@mayday/core/names';
import { nearest } from './boundary/nearest.ts';
import { METHODS } from './guards/methods.ts';

/** Throws the sentence that says what an option should have been. */
export function expect(holds: boolean, option: string, wanted: string, got: unknown): void {
  if (!holds) throw new TypeError(`Expected \`${option}\` to be ${wanted}, got ${show(got)}`);
}

/** A positive number, or a sentence about it. */
export function expectPositive(value: unknown, option: string): void {
  expect(typeof value === 'number' && value > 0, option, 'a positive number', value);
}

/** A function, if there is anything at all. */
export function expectFunction(value: unknown, option: string): void {
  expect(value === undefined || typeof value === 'function', option, 'a function', value);
}

/** An object with these methods, if there is anything at all. */
export function expectMethods(value: unknown, option: string, names: readonly string[]): void {
  const members = Object(value) as { readonly [name: string]: unknown };
  const holds = value === undefined || names.every((name) => typeof members[name] === 'function');
  expect(holds, option, `an object with ${names.map((name) => `\`${name}\``).join(', ')}`, value);
}

/** A challenge that fits in a header, if there is one. */
export function expectChallenge(value: unknown): void {
  const holds = value === undefined || (typeof value === 'string' && /^[\w-]+(?: [^\r\n]+)?$/.test(value));
  expect(holds, 'challenge', 'an authentication challenge', value);
}

/** A language, if there is anything at all. */
export function expectLanguage(value: unknown): void {
  const { dialects, read, write } = Object(value) as Partial<Language>;
  const isOne = Array.isArray(dialects) && typeof read === 'function' && typeof write === 'function';
  const wanted = 'a language: `language.with(…)`, or what `createLanguage` makes';
  expect(value === undefined || isOne, 'language', wanted, value);
}

/** A dialect that there is, or a sentence that says which there are, and which was probably meant. */
export function expectDialect(value: unknown, option: string, ids: readonly string[]): void {
  const meant = typeof value === 'string' ? nearest(value, ids) : undefined;
  const hint = meant === undefined ? '' : `; did you mean \`${meant}\`?`;
  const isOne = ids.includes(value as string);
  if (!isOne)
    throw new TypeError(`Expected \`${option}\` to be one of ${ids.join(', ')}, got ${show(value)}${hint}`);
}

/** A text, if there is anything at all. */
export function expectText(value: unknown, option: string): void {
  expect(value === undefined || typeof value === 'string', option, 'a text', value);
}

/** Is it a list of texts? */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** Is it an object whose members are all that it is? What a map, a list or a class holds elsewhere nobody would read. */
export function isPlainObject(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Methods that a guard looks at, if any are named: a slip in one of the protocol's leaves it unguarded. */
export function expectMethodNames(value: unknown, option: string): void {
  if (value === undefined || value === 'all') return;
  expect(isTexts(value) && value.length > 0, option, '"all" or a list of methods', value);
  for (const name of value as readonly string[]) {
    const meant = METHODS.includes(name) ? undefined : METHODS.find((method) => isSlip(name, method));
    if (meant !== undefined)
      throw new TypeError(`There is no method \`${name}\` in \`${option}\`: did you mean \`${meant}\`?`);
  }
}

/** One letter too many or too few, or other separators: not one letter for another, which may be a word of its own. */
function isSlip(name: string, method: string): boolean {
  const [one, other] = [name, method].map((text) => text.toLowerCase().replace(/[^a-z]/g, '')) as [
    string,
    string,
  ];
  return one === other || (one.length !== other.length && editDistance(one, other) === 1);
}

/** Refuses options that nobody reads, with the one that was probably meant. */
export function expectKnown(options: unknown, known: readonly string[], of: string): void {
  if (!isPlainObject(options))
    throw new TypeError(`Expected the options of \`${of}\` to be an object, got ${show(options)}`);
  for (const option of Object.keys(options)) {
    if (known.includes(option)) continue;
    const meant = nearest(option, known);
    const hint = meant === undefined ? `its options are ${known.join(', ')}` : `did you mean \`${meant}\`?`;
    throw new TypeError(`\`${of}\` has no option \`${option}\`: ${hint}`);
  }
}

function show(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value); // cyclic or otherwise unprintable
  }
}
