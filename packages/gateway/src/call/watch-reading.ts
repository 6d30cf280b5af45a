/** Dialects of somebody's own that throw while they read: the others read on, and the operator is told. */
import { type Dialect, type Language, language as ours } from '@mayday/core';
import { DialectThrew } from './say.ts';

/** The same language. Who throws is told, for each of the verbs. */
export function watchReading(language: Language, onBug: (error: unknown) => void): Language {
  const foreign = language.dialects.filter((dialect) => !ours.dialects.includes(dialect));
  return foreign.length === 0 ? language : language.with(...foreign.map((one) => watched(one, onBug)));
}

function watched(dialect: Dialect, onBug: (error: unknown) => void): Dialect {
  const telling =
    <A extends unknown[], R>(verb: string, ask: (...given: A) => R): ((...given: A) => R) =>
    (...given) => {
      try {
        return ask(...given);
      } catch (error) {
        onBug(new DialectThrew(dialect.id, error, `its ${verb} was passed over`));
        throw error; // whoever reads goes on with the others
      }
    };
  const { fails } = dialect;
  // What it has beside these stays its own, wherever it comes from.
  return Object.assign(Object.create(dialect) as Dialect, {
    recognise: telling('recognise', dialect.recognise.bind(dialect)),
    read: telling('read', dialect.read.bind(dialect)),
    ...(fails === undefined ? {} : { fails: telling('fails', fails.bind(dialect)) }),
  });
}
