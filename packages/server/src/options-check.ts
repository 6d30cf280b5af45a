/** Options are checked with sentences that say what was expected. */

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

function show(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return Object.prototype.toString.call(value); // cyclic or otherwise unprintable
  }
}
