/** Options that nobody reads are refused: whoever misspells one believes in something that is not so. */

/** The names of some options, and what `typeof` says of their values; `null` where more than one type is right. */
export type OptionTypes<O> = {
  readonly [K in keyof Required<O>]: 'string' | 'number' | 'boolean' | 'object' | 'function' | null;
};

/** The known name that a wrong one was probably meant to be. */
type Nearest = (wrong: string, known: readonly string[]) => string | undefined;

/** Throws a `TypeError` for an option there is not, which `nearest` may have a better name for, and for one of another type. */
export function refuseUnsound<O extends object>(
  of: string,
  options: O,
  types: OptionTypes<O>,
  nearest?: Nearest,
): void {
  for (const name of Object.keys(options)) {
    const type = Object.hasOwn(types, name) ? types[name as keyof O] : undefined;
    if (type === undefined) {
      const known = Object.keys(types);
      const meant = nearest?.(name, known);
      const hint = meant === undefined ? `it has ${known.join(', ')}` : `did you mean \`${meant}\`?`;
      throw new TypeError(`Unknown option \`${name}\` of ${of}; ${hint}`);
    }
    const value: unknown = options[name as keyof O];
    if (value !== undefined && type !== null && (typeof value !== type || value === null))
      throw new TypeError(
        `Expected \`${name}\` of ${of} to be ${type === 'object' ? 'an' : 'a'} ${type}, got ${shown(value)}`,
      );
  }
}

/** What was given, where it is short enough to say nothing that should not be said. */
function shown(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? 'a string' : `a ${typeof value}`;
}
