/** The page behind a problem's `type`: HTML for a browser, JSON for a program. */
import { type DialectId, KIND_NAMES, KINDS, type Kind, type Language, language } from '@mayday/core';
import type { CodeRow } from '@mayday/core/dialects';
import { isRetryable } from '@mayday/core/fault';
import { expect, expectKnown, expectLanguage } from '../options-check.ts';

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
  expect(dialect === undefined || ids.includes(dialect), 'dialect', `one of ${ids.join(', ')}`, dialect);
  return options;
}

/** One page: a kind, or a code of a dialect with the kind that it is. */
interface Entry {
  readonly name: string;
  readonly kind: Kind;
  readonly row?: CodeRow | undefined;
}

/**
 * The page for the last segment of a path; the list of all for the folder itself. The pages are those of the kinds, or,
 * where a dialect is named, those of its codes by their names: what the `type` of its problems points at.
 */
export function faultPage(path: string, accept: string | undefined, options: PageOptions = {}): Page {
  const name = decode(path.slice(path.lastIndexOf('/') + 1));
  const entries = entriesOf(options);
  const html = prefersHtml(accept);
  if (name === '') return html ? page(200, 'Faults', listHtml(entries)) : json(200, entries.map(describe));
  const entry = entries.find((one) => one.name === name || one.name === name.replaceAll('-', '_'));
  if (entry === undefined) {
    const body = { title: 'Not found', status: 404, detail: 'There is no fault of this name' };
    return html
      ? page(404, 'No such fault', '<p>There is no fault of this name.</p>')
      : json(404, body, 'application/problem+json');
  }
  const title = entry.row?.title ?? KINDS[entry.kind].title;
  return html ? page(200, title, entryHtml(entry)) : json(200, describe(entry));
}

function entriesOf({ dialect, language: spoken = language }: PageOptions): readonly Entry[] {
  if (dialect === undefined) return KIND_NAMES.map((kind) => ({ name: kind, kind }));
  return spoken.dialect(dialect).codes.map((row) => ({ name: row.name, kind: row.kind, row }));
}

/** What the dialect's document says wins over what the kind implies. */
function factsOf({ kind, row }: Entry): { readonly retryable: boolean; readonly http: number } {
  const { reaction, http } = KINDS[kind];
  return { retryable: row?.retryable ?? isRetryable(reaction), http: row?.status ?? http };
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

function describe(entry: Entry): object {
  const { kind, name, row } = entry;
  const { title, reaction, when, executed, advice } = KINDS[kind];
  const { retryable, http } = factsOf(entry);
  const about = { kind, title, reaction, retry: when, executed, status: http, advice };
  return row === undefined ? about : { name, code: row.code, ...about, title: row.title, retryable };
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

function entryHtml(entry: Entry): string {
  const { kind, name, row } = entry;
  const { reaction, when, executed, advice } = KINDS[kind];
  const { retryable, http } = factsOf(entry);
  const own =
    row === undefined
      ? []
      : [
          ['Name', `<code>${escaped(name)}</code>`],
          ['Code', `<code>${escaped(String(row.code))}</code>`],
          ['Retryable', retryable ? 'yes' : 'no'],
        ];
  const rows = [
    ...own,
    ['Kind', `<code>${kind}</code>`],
    ['Reaction', reaction],
    ['Retry', when.replaceAll('_', ' ')],
    ['Did it happen?', executed],
    ['HTTP status', String(http)],
  ];
  const table = rows
    .map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`)
    .join('');
  return `<p>${advice}</p><table>${table}</table>`;
}

function listHtml(entries: readonly Entry[]): string {
  const items = entries.map(({ name, kind, row }) => {
    const title = escaped(row?.title ?? KINDS[kind].title);
    return `<li><a href="${encodeURIComponent(name)}"><code>${escaped(name)}</code></a> ${title}</li>`;
  });
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
