/** What is left where it stands, because it is what the text is for. Passwords and keys that are known by their form go all the same. */
import type { RedactOptions } from './types.ts';

/** What tells who somebody is, and opens nothing. */
const PEOPLE: readonly string[] = ['email', 'phone', 'birth-date', 'national-id', 'ssn', 'iban'];

/** In any address people, what only looks random, and the place itself, is the address's own. */
const OF_PLACES: readonly string[] = [
  'email',
  'phone',
  'birth-date',
  'token-shape',
  'near-name',
  'path-secret',
  'one-time-code',
  'ip',
  'private-host',
  'user-path',
];

/** In one that has to be opened, what is named like a secret is as well. */
const TO_OPEN: readonly string[] = ['query-secret', 'assignment', 'jwt'];

/** The same options, leaving the people in: for a body that is passed on to whom it is about. */
export function withPeople(options: RedactOptions = {}): RedactOptions {
  return leaving(PEOPLE, options);
}

/** The same options, leaving what names a place: for an address that nobody opens by what is told here. */
export function withPlaces(options: RedactOptions = {}): RedactOptions {
  return leaving(OF_PLACES, options);
}

/** The same options, leaving what an address cannot be opened without: `state`, one-time tokens, signatures. */
export function toOpen(options: RedactOptions = {}): RedactOptions {
  return leaving([...OF_PLACES, ...TO_OPEN], options);
}

function leaving(rules: readonly string[], options: RedactOptions): RedactOptions {
  return { ...options, disable: [...(options.disable ?? []), ...rules] };
}
