/** Finding things in the catalogue by any name they go by. */
import { type Catalogue, type CatalogueCode, type CatalogueKind, statusCode } from './catalogue.ts';

/** What a word or a number stands for. */
export interface Found {
  readonly kind: CatalogueKind | undefined;
  readonly codes: readonly CatalogueCode[];
}

/** Every meaning of a code, name, kind, HTTP status or system error name. Case and separators do not matter. */
export function lookUp(catalogue: Catalogue, query: string | number): Found {
  const text = String(query).trim();
  if (/^[+-]?\d+$/.test(text)) return { kind: undefined, codes: byNumber(catalogue, Number(text)) };
  const key = plain(text);
  if (key === '') return { kind: undefined, codes: [] };
  const kind = catalogue.kinds.find((entry) => plain(entry.kind) === key);
  const named = catalogue.codes.filter(
    (entry) => plain(String(entry.code)) === key || plain(entry.name) === key,
  );
  if (kind !== undefined || named.length > 0) return { kind, codes: named };
  // Nobody's name for it: perhaps somebody's message.
  const kindSaid = catalogue.kinds.find((entry) => plain(entry.title) === key);
  const said = catalogue.codes.filter((entry) => plain(entry.title) === key);
  if (kindSaid !== undefined || said.length > 0) return { kind: kindSaid, codes: said };
  return { kind: undefined, codes: catalogue.codes.filter((entry) => begins(text, entry)) };
}

/** Fewer words begin too many sentences. */
const FEWEST_WORDS = 3;

/** Does a sentence begin with somebody's phrase, and go on: `Must specify a valid workspace: one of …`? */
function begins(text: string, { name, title }: CatalogueCode): boolean {
  const said = text.toLowerCase();
  return [name, title].some((phrase) => {
    const start = phrase.toLowerCase();
    return (
      start.split(' ').length >= FEWEST_WORDS &&
      said.startsWith(start) &&
      !/^\w/.test(said.slice(start.length))
    );
  });
}

function byNumber(catalogue: Catalogue, code: number): readonly CatalogueCode[] {
  // A code with words of its own, as `400 Must specify a valid workspace`, is one meaning of its number.
  const found = catalogue.codes.filter(
    (entry) => entry.code === code || String(entry.code).startsWith(`${code} `),
  );
  const listed =
    found.some((entry) => entry.source === 'http') || !catalogue.sources.some(({ id }) => id === 'http');
  const status = listed ? undefined : statusCode(code);
  return status === undefined ? found : [...found, status];
}

/** Every word that can be looked up, for suggestions. */
export function termsOf(catalogue: Catalogue): readonly string[] {
  const terms = new Set<string>(catalogue.kinds.map((entry) => entry.kind));
  for (const { code, name } of catalogue.codes) {
    terms.add(String(code));
    terms.add(name);
  }
  return [...terms];
}

/** A name without its spelling: `RATE_LIMIT_EXCEEDED`, `rate-limit exceeded` and `RateLimitExceeded` are one. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '');
}
