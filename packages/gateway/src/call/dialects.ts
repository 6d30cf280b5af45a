/** Which dialect a caller is answered in. */
import type { Dialect, DialectId, Language } from '@mayday/core';
import type { HttpHeaders } from '@mayday/relay';
import { nearest } from '../nearest.ts';

/** The header that asks for a dialect. */
export const DIALECT_HEADER = 'mayday-dialect';

/** All names that a configuration or a header may use. */
export function dialectIds({ dialects }: Language): readonly DialectId[] {
  return dialects.map((dialect) => dialect.id);
}

/** What is wrong with a name, as a sentence. */
export function unknownDialect(name: string, language: Language): string {
  const known = dialectIds(language);
  const close = nearest(name, known);
  const hint = close === undefined ? `known are ${known.join(', ')}` : `did you mean ${close}?`;
  return `There is no dialect called ${JSON.stringify(name.slice(0, 40))}; ${hint}`;
}

/** The dialects there are, and which of them an upstream's callers are answered in when they ask for none. */
export interface DialectChoice {
  readonly language: Language;
  readonly of: (upstream: string) => DialectId;
}

/** Somebody who is to be answered. */
interface Asker {
  readonly headers: HttpHeaders;
  readonly by?: { readonly dialect?: string | undefined } | undefined;
}

/**
 * The dialect of the header, else of the caller's key, else of the upstream. Where the operator has chosen a closed one,
 * no header opens it: its document says what may cross.
 */
export function dialectFor({ headers, by }: Asker, upstream: string, choice: DialectChoice): Dialect {
  const { language } = choice;
  const own = by?.dialect;
  const chosen =
    (own === undefined ? undefined : language.dialects.find(({ id }) => id === own)) ??
    language.dialect(choice.of(upstream));
  return chosen.closed === true ? chosen : (askedFor(headers, language) ?? chosen);
}

/** The dialect that a header asks for, where there is one of that name. */
export function askedFor(headers: HttpHeaders, { dialects }: Language): Dialect | undefined {
  const asked = headers[DIALECT_HEADER];
  return asked === undefined ? undefined : dialects.find(({ id }) => id === asked);
}
