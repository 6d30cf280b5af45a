/** What is taken out of the failing answers of an upstream before callers see them. Journal and log are always redacted whole. */
import type { Fault } from '@mayday/core';
import {
  addressRedactor,
  createRedactor,
  hidingTold,
  type RedactOptions,
  redact,
  redactBytes,
  redactFault,
  toldSecrets,
  withPeople,
} from '@mayday/core/redact';
import type { Wire } from '@mayday/relay';
import { cleanStartOf } from '../clean-cut.ts';
import type { CommonSettings } from '../settings/settings.ts';

/** How much is taken out. */
export type Redaction = CommonSettings['redaction'];

/** Takes out what callers must not see. */
export interface Cleaner {
  /** A value of the server's as it may leave. */
  clean<T>(value: T): T;
  /** The same, with the people in it: as a document passes it on to whom it is about. */
  cleanButPeople<T>(value: T): T;
  /** An address that somebody has to open: without passwords and keys, by their form and by names that no page is opened by, and no less. */
  cleanAddress(address: string): string;
  cleanFault(fault: Fault): Fault;
  /** The same for all that is made of an answer: what one part of it gives away as a secret goes from each. */
  knowing(said: Wire | undefined): Cleaner;
}

/** Secrets, personal data, stack traces and internals. */
export const STANDARD: Cleaner = cleanerWith(undefined);

const CLEANERS: { readonly [redaction in Redaction]: Cleaner } = {
  standard: STANDARD,
  secrets: cleanerWith({ level: 'secrets' }),
  off: {
    clean: (value) => value,
    cleanButPeople: (value) => value,
    cleanAddress: (address) => address,
    cleanFault: (fault) => fault,
    knowing: () => CLEANERS.off,
  },
};

/** Who takes out as much as this. */
export function cleanerOf(redaction: Redaction): Cleaner {
  return CLEANERS[redaction];
}

function cleanerWith(
  options: RedactOptions | undefined,
  cleanAddress: Cleaner['cleanAddress'] = addressRedactor(options),
): Cleaner {
  const { redact: clean } = options === undefined ? { redact } : createRedactor(options);
  const people = createRedactor(withPeople(options));
  // What a server repeats is the same each time, and so is who cleans it.
  const known = new WeakMap<Wire, Cleaner>();
  const cleaner: Cleaner = {
    clean: withBytes((value) => clean(value).value, options),
    cleanButPeople: withBytes((value) => people.redact(value).value, withPeople(options)),
    cleanAddress,
    cleanFault: (fault) => redactFault(fault, options),
    knowing(said) {
      if (said === undefined) return cleaner;
      const before = known.get(said);
      if (before !== undefined) return before;
      const told = toldSecrets(answerIn(said), options);
      // Whoever is to open an address needs what it gives away.
      const knowing = told.length === 0 ? cleaner : cleanerWith(hidingTold(options, told), cleanAddress);
      known.set(said, knowing);
      return knowing;
    },
  };
  return cleaner;
}

/** So much of an answer is read for what it gives away. */
const MAX_READ = 256 * 1024;

function answerIn(said: Wire): unknown {
  if (said.type === 'message')
    return said.bytes.length > MAX_READ ? said.bytes.toString('utf8', 0, MAX_READ) : said.message;
  return said.type === 'http' ? said.body.toString('utf8', 0, MAX_READ) : undefined;
}

/** A text that is sent as bytes is as long as this at most. */
const MAX_TEXT = 1024 * 1024;

/** Bytes are read as what they are. */
function withBytes(clean: Cleaner['clean'], redaction: RedactOptions | undefined): Cleaner['clean'] {
  const asText = (text: string): string => cleanStartOf(text, MAX_TEXT, clean);
  return (value) => redactBytes(value, clean, { asText, redaction });
}
