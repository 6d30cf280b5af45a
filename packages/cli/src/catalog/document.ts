/** The catalogue as JSON, snake_case. */
import type { Catalogue, CatalogueCode, CatalogueKind } from '@mayday/core/catalog';

/** The JSON form of the whole catalogue. */
export function catalogueDocument(catalogue: Catalogue): { readonly [key: string]: unknown } {
  return {
    kinds: catalogue.kinds.map(kindDocument),
    sources: catalogue.sources,
    codes: catalogue.codes.map(codeDocument),
  };
}

/** The JSON form of a kind. */
export function kindDocument(entry: CatalogueKind): { readonly [key: string]: unknown } {
  const { kind, title, meaning, reaction, when, executed, http, advice, author, example } = entry;
  return { kind, title, meaning, reaction, when, executed, http, advice, author, example };
}

/** The JSON form of a code. */
export function codeDocument(entry: CatalogueCode): { readonly [key: string]: unknown } {
  const { source, code, name, title, kind, subject, reaction, retryable, when } = entry;
  return {
    source,
    code,
    name,
    title,
    kind,
    subject,
    reaction,
    retryable,
    when,
    executed: entry.executed,
    status: entry.status,
    advice: entry.advice,
    written: entry.written,
    data_keys: entry.dataKeys,
    steps: entry.steps,
    shape: entry.shape,
    tell: entry.tell,
  };
}
