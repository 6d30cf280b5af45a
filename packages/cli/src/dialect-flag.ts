/** Dialect names on the command line. */
import { type DialectId, type Language, language } from '@mayday/core';
import type { Catalogue } from '@mayday/core/catalog';
import { type Arguments, stringFlag } from './arguments.ts';
import { didYouMean } from './nearest.ts';
import { UsageError } from './usage-error.ts';

/** The dialect of that name; a sentence with the nearest name when there is none. */
export function dialectFlag(flag: string, name: string, { dialects }: Language = language): DialectId {
  const names = dialects.map((dialect) => dialect.id);
  if (names.includes(name)) return name;
  throw new UsageError(`${flag} knows no dialect ${JSON.stringify(name)}; ${didYouMean(name, names)}`);
}

/** What `--dialect` names, by the name that the catalogue lists it under; everything, if it is absent. */
export function catalogueDialect(parsed: Arguments, spoken: Language): DialectId | undefined {
  const name = stringFlag(parsed, 'dialect');
  if (name === undefined) return undefined;
  const id = dialectFlag('--dialect', name, spoken);
  return spoken.dialect(id).aliasOf ?? id;
}

/** The catalogue with the codes of one dialect, and those of the application, which are asked for in so many words. */
export function narrowed(catalogue: Catalogue, dialect: DialectId | undefined): Catalogue {
  if (dialect === undefined) return catalogue;
  const kept: readonly string[] = [dialect, 'application'];
  return {
    ...catalogue,
    sources: catalogue.sources.filter(({ id }) => kept.includes(id)),
    codes: catalogue.codes.filter(({ source }) => kept.includes(source)),
  };
}
