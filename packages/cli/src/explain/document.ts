/** An explanation as JSON, snake_case. */
import { type CatalogueCode, type CatalogueKind, happenedBy } from '@mayday/core/catalog';
import { adviceFor } from '@mayday/core/render';
import { codeDocument, kindDocument } from '../catalog/document.ts';
import { readingDocument } from '../reading-document.ts';
import type { Explanation } from './explanation.ts';

/** What a kind or a code alone tells of whether it happened, and not what it stands for in a refusal. */
function happened(row: CatalogueKind | CatalogueCode): {
  readonly executed: string;
  readonly happened: string;
} {
  const { executed, words } = happenedBy(row);
  return { executed, happened: words };
}

/** The JSON form of an explanation. Members without a value are null or empty. */
export function explanationDocument(explanation: Explanation): { readonly [key: string]: unknown } {
  const { query, dialect = null, as, meanings, kind, said, range, reading, suggestions } = explanation;
  return {
    query,
    dialect,
    as,
    meanings: meanings.map((code) => ({ ...codeDocument(code), ...happened(code) })),
    kind: kind === undefined ? null : { ...kindDocument(kind), ...happened(kind) },
    said_as: said.map(({ source, code, name }) => ({ source, code, name })),
    range: range ?? null,
    reading: reading === undefined ? null : readingDocument(reading),
    advice: reading?.failure === true ? adviceFor(reading.fault) : (kind?.advice ?? null),
    suggestions,
  };
}
