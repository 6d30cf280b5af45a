/** The page behind a problem's `type`: HTML for a browser, JSON for a program. */
import { isKind, KIND_NAMES, KINDS, type Kind } from '@mayday/core';

/** An answer with a page. */
export interface Page {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** The page for the last segment of a path; the list of all kinds for the folder itself. */
export function faultPage(path: string, accept: string | undefined): Page {
  const name = decode(path.slice(path.lastIndexOf('/') + 1)).replaceAll('-', '_');
  const html = prefersHtml(accept);
  if (name === '') return html ? page(200, 'Faults', listHtml()) : json(200, KIND_NAMES.map(describe));
  if (!isKind(name)) {
    const body = { title: 'Not found', status: 404, detail: 'There is no fault of this name' };
    return html
      ? page(404, 'No such fault', '<p>There is no fault of this name.</p>')
      : json(404, body, 'application/problem+json');
  }
  return html ? page(200, KINDS[name].title, kindHtml(name)) : json(200, describe(name));
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

function describe(kind: Kind): object {
  const { title, reaction, when, executed, http, advice } = KINDS[kind];
  return { kind, title, reaction, retry: when, executed, status: http, advice };
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

function kindHtml(kind: Kind): string {
  const { reaction, when, executed, http, advice } = KINDS[kind];
  const rows = [
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

function listHtml(): string {
  const items = KIND_NAMES.map(
    (kind) => `<li><a href="${kind}"><code>${kind}</code></a> ${KINDS[kind].title}</li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}

function page(status: number, title: string, body: string): Page {
  const style =
    'body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}th{text-align:left;padding-right:2rem}';
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style><h1>${title}</h1>${body}</html>`;
  return { status, headers: headersFor('text/html; charset=utf-8'), body: text };
}
