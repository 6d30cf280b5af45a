/** Looking at foreign values: any member may be missing, inherited, or a getter that throws. */

/** Is it an object with members? */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}

/** A member, own or inherited; `undefined` when there is none or looking at it throws. */
export function look(value: unknown, key: string): unknown {
  if (!isRecord(value)) return undefined;
  try {
    return value[key];
  } catch {
    return undefined; // a hostile getter is as good as nothing
  }
}

/** An own member: those of a prototype may be streams, or print a warning when they are looked at. */
export function lookOwn(value: unknown, key: string): unknown {
  try {
    return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  } catch {
    return undefined; // as above
  }
}
