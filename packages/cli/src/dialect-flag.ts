/** Dialect names on the command line. */
import { DIALECTS, type DialectId } from '@mayday/core';
import { didYouMean } from './nearest.ts';
import { UsageError } from './usage-error.ts';

/** The dialect of that name; a sentence with the nearest name when there is none. */
export function dialectFlag(flag: string, name: string): DialectId {
  const dialect = DIALECTS.find((candidate) => candidate.id === name);
  if (dialect !== undefined) return dialect.id;
  const names = DIALECTS.map((candidate) => candidate.id);
  throw new UsageError(`${flag} knows no dialect ${JSON.stringify(name)}; ${didYouMean(name, names)}`);
}
