/** What is known about a code, a name, a kind or a message. */
import type { DialectId, Language, Reading } from '@mayday/core';
import {
  type Catalogue,
  type CatalogueCode,
  type CatalogueKind,
  type CodeRange,
  lookUp,
  rangeOf,
  termsOf,
} from '@mayday/core/catalog';
import { nearestNames } from '@mayday/core/names';

/** Everything there is to say about a query. */
export interface Explanation {
  readonly query: string;
  /** The only dialect that was asked about. */
  readonly dialect: DialectId | undefined;
  readonly as: 'code' | 'name' | 'kind' | 'message' | 'nothing';
  readonly meanings: readonly CatalogueCode[];
  readonly kind: CatalogueKind | undefined;
  /** All codes of the kind. */
  readonly said: readonly CatalogueCode[];
  readonly range: CodeRange | undefined;
  readonly reading: Reading | undefined;
  readonly suggestions: readonly string[];
}

const MAX_SUGGESTIONS = 5;
/** Longer than any name: a message, which is not worth comparing with names. */
const MAX_NAME = 64;

/** What is known, and how messages are read. */
export interface Known {
  readonly catalogue: Catalogue;
  readonly language: Language;
  /** The only dialect that is asked about. */
  readonly dialect: DialectId | undefined;
}

/** Explains a code, a name, a kind, or a whole message. */
export function explain(query: string, known: Known): Explanation {
  const { catalogue, dialect } = known;
  const text = query.trim();
  const pasted = parse(text);
  const base = {
    query: text,
    dialect,
    kind: undefined,
    said: [],
    range: undefined,
    reading: undefined,
    suggestions: [],
  };
  if (pasted !== undefined) return explainMessage(base, pasted, known);
  const found = text.length <= MAX_NAME ? lookUp(catalogue, text) : { kind: undefined, codes: [] };
  const meanings = found.codes;
  if (/^[+-]?\d+$/.test(text)) {
    const range = isStatus(Number(text)) ? undefined : rangeOf(Number(text));
    const isTypo = meanings.length === 0 && range?.id === 'application';
    const suggestions = isTypo ? suggest(text, catalogue) : [];
    return { ...base, as: 'code', meanings, range, suggestions };
  }
  if (found.kind !== undefined) return explainKind(base, found.kind, meanings, catalogue);
  const isSentence = /\s/.test(text);
  if (meanings.length > 0 && !isSentence) return { ...base, as: 'name', meanings };
  const reading = text === '' ? undefined : known.language.read(text, { from: dialect });
  if (reading?.failure === true && reading.fault.kind !== 'unknown') {
    // Words that are somebody's name for a code as well: what they say comes first, whose name it is second.
    const message = explainMessage(base, text, known);
    const named = meanings.length > 0 ? meanings : message.meanings;
    return { ...message, meanings: named, suggestions: isSentence ? [] : suggest(text, catalogue) };
  }
  if (meanings.length > 0) return { ...base, as: 'name', meanings };
  const number = numberIn(text);
  if (number !== undefined) return { ...explain(number, known), query: text };
  return { ...base, as: 'nothing', meanings: [], suggestions: suggest(text, catalogue) };
}

type Base = Omit<Explanation, 'as' | 'meanings'>;

function explainKind(
  base: Base,
  kind: CatalogueKind,
  meanings: readonly CatalogueCode[],
  catalogue: Catalogue,
): Explanation {
  // Sources that call their codes by our names add nothing that the table of the kind does not say.
  const others = meanings.filter((meaning) => meaning.kind !== kind.kind);
  return { ...base, as: 'kind', kind, meanings: others, said: codesOf(catalogue, kind) };
}

function explainMessage(base: Base, value: unknown, { catalogue, language, dialect }: Known): Explanation {
  const reading = language.read(value, { from: dialect });
  const kind = catalogue.kinds.find((entry) => reading.failure && entry.kind === reading.fault.kind);
  return { ...base, as: 'message', meanings: candidates(reading, catalogue), kind, reading };
}

/** Where a reading stays undecided, what each candidate would mean. */
function candidates(reading: Reading, catalogue: Catalogue): readonly CatalogueCode[] {
  if (!reading.failure || reading.fault.kind !== 'unknown') return [];
  const code = reading.evidence
    .filter((item) => item.by === 'candidate')
    .map((item) => /^-?\d+/.exec(item.says)?.[0])
    .find((number) => number !== undefined);
  return code === undefined ? [] : lookUp(catalogue, code).codes;
}

function codesOf(catalogue: Catalogue, kind: CatalogueKind): readonly CatalogueCode[] {
  return catalogue.codes.filter((entry) => entry.kind === kind.kind);
}

function parse(text: string): unknown {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // a sentence that starts with a bracket
  }
}

/** Statuses say nothing about JSON-RPC's ranges. */
function isStatus(code: number): boolean {
  return code >= 100 && code < 600;
}

/** An error number inside a sentence, the way SDKs print it. */
function numberIn(text: string): string | undefined {
  const match = /(?:error|code)\s*:?\s*(-?\d{3,5})\b|(-32\d{3})\b/i.exec(text);
  return match?.[1] ?? match?.[2];
}

function suggest(text: string, catalogue: Catalogue): readonly string[] {
  return nearestNames(text, termsOf(catalogue), MAX_SUGGESTIONS);
}
