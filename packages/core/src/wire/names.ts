/** What an exception calls itself. */
import type { Unknown } from '../json.ts';

/** Own first, then inherited: `message` and `name` of an exception often sit on a prototype. */
export function messageOf(thrown: Unknown): string {
  try {
    const message = thrown['message'];
    return typeof message === 'string' ? message : '';
  } catch {
    return ''; // a message that cannot be read is no message
  }
}

/** The name of the exception's class. Some libraries subclass `Error` and never set `name`. */
export function nameOf(thrown: Unknown): string {
  try {
    const { name, constructor: made } = thrown as { readonly name?: unknown; readonly constructor?: unknown };
    if (typeof name === 'string' && name !== 'Error') return name;
    const own = typeof made === 'function' && made !== Object ? made.name : name;
    return typeof own === 'string' ? own : '';
  } catch {
    return ''; // a name that cannot be read is no name
  }
}
