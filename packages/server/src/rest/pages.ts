/** The page behind a problem's `type`: HTML for a browser, JSON for a program. */
import {
  type DialectId,
  type JsonObject,
  KIND_NAMES,
  KINDS,
  type Kind,
  type Language,
  language,
  makeFault,
} from '@mayday/core';
import { type CatalogueCode, codesOf, happenedBy } from '@mayday/core/catalog';
import type { KindDefaults } from '@mayday/core/fault';
import { expectDialect, expectKnown, expectLanguage } from '../options-check.ts';

/** An answer with a page. */
export interface Page {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** Which pages are served. */
export interface PageOptions {
  /** The dialect whose codes have the pages; the kinds have them, if absent. */
  readonly dialect?: DialectId | undefined;
  /** The dialects there are; all that come with `@mayday/core`. */
  readonly language?: Language | undefined;
}

const OPTIONS: readonly string[] = ['dialect', 'language'];

/** Options of pages, or a sentence about what is wrong with them. */
export function checkedPages(options: PageOptions = {}): PageOptions {
  expectKnown(options, OPTIONS, 'pages');
  const { dialect, language: spoken = language } = options;
  expectLanguage(spoken);
  const ids = spoken.dialects.map(({ id }) => id);
  if (dialect !== undefined) expectDialect(dialect, 'dialect', ids);
  return options;
}

/** One page: a kind, or a code of a dialect. */
interface Entry {
  /** The last segment of its address. */
  readonly path: string;
  /** By what else it is found. */
  readonly names: readonly string[];
  readonly title: string;
  readonly facts: CatalogueCode | (KindDefaults & { readonly kind: Kind });
}

/**
 * The page for the last segment of a path; the list of all for the folder itself. The pages are those of the kinds, or,
 * where a dialect is named, those of its codes by their names and numbers: what the `type` of its problems points at.
 * What they say is what the catalogue says.
 */
export function faultPage(path: string, accept: string | undefined, options: PageOptions = {}): Page {
  const name = decode(path.slice(path.lastIndexOf('/') + 1));
  const entries = entriesOf(options);
  const html = prefersHtml(accept);
  if (name === '') return html ? page(200, 'Faults', listHtml(entries)) : json(200, entries.map(describe));
  const entry = entries.find(
    ({ names }) => names.includes(name) || names.includes(name.replaceAll('-', '_')),
  );
  if (entry === undefined) {
    const body = noSuchFault(options);
    return html
      ? page(404, 'No such fault', '<p>There is no fault of this name.</p>')
      : json(404, body, 'application/problem+json');
  }
  return html ? page(200, entry.title, entryHtml(entry)) : json(200, describe(entry));
}

/** In the form that the dialect has for problems, if it has one. */
function noSuchFault({ dialect, language: spoken = language }: PageOptions): JsonObject {
  const detail = 'There is no fault of this name';
  const own = dialect === undefined ? undefined : spoken.dialect(dialect).problem;
  const plain = { title: 'Not found', status: 404, detail };
  return own?.(makeFault({ kind: 'not_found', message: detail }), Date.now()) ?? plain;
}

function entriesOf({ dialect, language: spoken = language }: PageOptions): readonly Entry[] {
  if (dialect === undefined) return KIND_NAMES.map(kindEntry);
  const taken = new Set<string>();
  return codesOf(spoken.dialect(dialect)).map((facts) => {
    const { name, title } = facts;
    const code = String(facts.code);
    // Where two codes go by one name, the second one is found by its number alone.
    const path = taken.has(name) ? code : name;
    taken.add(name);
    return { path, names: [path, code], title, facts };
  });
}

function kindEntry(kind: Kind): Entry {
  return { path: kind, names: [kind], title: KINDS[kind].title, facts: { kind, ...KINDS[kind] } };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a stray per cent sign names no kind
  }
}

/** Browsers name text/html; programs do not. */
function prefersHtml(accept: string | undefined): boolean {
  return accept?.includes('text/html') === true;
}

function describe({ facts }: Entry): object {
  const { kind, title, reaction, when: retry, advice } = facts;
  const { executed, words: happened } = happenedBy(facts);
  const told = { kind, title, reaction, retry, executed, happened, advice };
  if (!('source' in facts)) return { ...told, status: facts.http };
  const { name, code, subject, retryable, status, steps } = facts;
  return { name, code, ...told, subject, retryable, status, steps };
}

function json(status: number, body: object, type = 'application/json'): Page {
  return { status, headers: headersFor(`${type}; charset=utf-8`), body: JSON.stringify(body) };
}

function headersFor(type: string): { [name: string]: string } {
  return {
    'content-type': type,
    'cache-control': 'public, max-age=3600',
    vary: 'Accept',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
  };
}

function entryHtml({ facts }: Entry): string {
  const own = 'source' in facts ? facts : undefined;
  const rows = [
    ...(own === undefined ? [] : ownRows(own)),
    ['Kind', `<code>${facts.kind}</code>`],
    ['Reaction', facts.reaction],
    ['Retry', facts.when.replaceAll('_', ' ')],
    ['Did it happen?', happenedBy(facts).words],
    ['HTTP status', String(own?.status ?? KINDS[facts.kind].http)],
  ];
  const table = rows
    .map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`)
    .join('');
  return `<p>${escaped(facts.advice)}</p>${stepsHtml(own?.steps ?? [])}<table>${table}</table>`;
}

function ownRows({ name, code, retryable }: CatalogueCode): string[][] {
  return [
    ['Name', `<code>${escaped(name)}</code>`],
    ['Code', `<code>${escaped(String(code))}</code>`],
    ['Retryable', retryable ? 'yes' : 'no'],
  ];
}

/** What the document of the dialect says itself. */
function stepsHtml(steps: readonly string[]): string {
  if (steps.length === 0) return '';
  return `<ol>${steps.map((step) => `<li>${escaped(step)}</li>`).join('')}</ol>`;
}

function listHtml(entries: readonly Entry[]): string {
  const items = entries.map(
    ({ path, title }) =>
      `<li><a href="${encodeURIComponent(path)}"><code>${escaped(path)}</code></a> ${escaped(title)}</li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}

/** Names and titles of a dialect of somebody's own may hold anything. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function page(status: number, title: string, body: string): Page {
  const style =
    'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}th{text-align:left;padding-right:2rem}';
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style><h1>${escaped(title)}</h1>${body}</html>`;
  return { status, headers: headersFor('text/html; charset=utf-8'), body: text };
}
