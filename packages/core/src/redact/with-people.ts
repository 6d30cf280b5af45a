import type { RedactOptions } from './types.ts';

/** What tells who somebody is, and opens nothing. */
const PEOPLE: readonly string[] = ['email', 'phone', 'birth-date', 'national-id', 'ssn', 'iban'];

/** The same options, leaving the people in: for a body that is passed on to whom it is about. Secrets go all the same. */
export function withPeople(options: RedactOptions = {}): RedactOptions {
  return { ...options, disable: [...(options.disable ?? []), ...PEOPLE] };
}
