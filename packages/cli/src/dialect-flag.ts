/** Dialect names on the command line. */
import { type DialectId, type Language, language } from '@mayday/core';
import { didYouMean } from './nearest.ts';
import { UsageError } from './usage-error.ts';

/** The dialect of that name; a sentence with the nearest name when there is none. */
export function dialectFlag(flag: string, name: string, { dialects }: Language = language): DialectId {
  const names = dialects.map((dialect) => dialect.id);
  if (names.includes(name)) return name;
  throw new UsageError(`${flag} knows no dialect ${JSON.stringify(name)}; ${didYouMean(name, names)}`);
}
