/** The catalogue as one self-contained page: no request leaves it. */
import { type Catalogue, type CatalogueCode, type CatalogueKind, happenedBy } from '@mayday/core/catalog';
import { SCRIPT, STYLE } from './html-assets.ts';

/** The whole catalogue as a page with a filter. */
export function catalogueHtml(catalogue: Catalogue): string {
  const sources = catalogue.sources.map(({ id, title, shape, tell }) => {
    const codes = catalogue.codes.filter((entry) => entry.source === id);
    return `<section><h2 id="${escapeHtml(id)}">${escapeHtml(title)} <code>${escapeHtml(id)}</code></h2>
<p>${escapeHtml(capital(shape))}. Told by ${escapeHtml(tell)}.</p>
<table><thead><tr><th>code</th><th>name</th><th>kind</th><th>subject</th><th>retryable</th><th>message or meaning</th></tr></thead>
<tbody>${codes.map(codeRow).join('\n')}</tbody></table></section>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mayday: kinds and codes</title>
<style>${STYLE}</style>
<header><h1>Kinds and codes</h1>
<p>What can go wrong, and what every system calls it. A number means nothing without its dialect.</p></header>
<input id="filter" type="search" placeholder="-32001, timeout, ORDER_NOT_FOUND…" aria-label="Filter" autofocus>
<nav>${catalogue.sources.map(({ id }) => `<a href="#${escapeHtml(id)}">${escapeHtml(id)}</a>`).join(' ')}</nav>
<main><section><h2 id="kinds">Kinds</h2>
<table><thead><tr><th>kind</th><th>reaction</th><th>retry</th><th>executed</th><th>HTTP</th><th>meaning, and what to do</th></tr></thead>
<tbody>${catalogue.kinds.map(kindRow).join('\n')}</tbody></table></section>
${sources.join('\n')}
</main>
<script>${SCRIPT}</script>
</html>
`;
}

function kindRow(entry: CatalogueKind): string {
  return `<tr id="kind-${entry.kind}"><td><code>${entry.kind}</code></td><td><span class="reaction ${entry.reaction}">${entry.reaction}</span></td><td>${entry.when}</td><td>${happenedBy(entry).words}</td><td>${entry.http}</td><td>${escapeHtml(entry.meaning)}<br><strong>${escapeHtml(entry.advice)}</strong></td></tr>`;
}

function codeRow(entry: CatalogueCode): string {
  const data =
    entry.dataKeys.length === 0 ? '' : ` <small>{${escapeHtml(entry.dataKeys.join(', '))}}</small>`;
  const readOnly = entry.written ? '' : ' <small>read only</small>';
  const steps = entry.steps.length === 0 ? '' : `<br><small>${escapeHtml(entry.steps.join('; '))}</small>`;
  return `<tr><td><code>${escapeHtml(String(entry.code))}</code></td><td>${escapeHtml(entry.name)}</td><td><a href="#kind-${entry.kind}"><code>${entry.kind}</code></a></td><td>${escapeHtml(entry.subject ?? '')}</td><td>${entry.retryable ? 'yes' : 'no'}</td><td>${escapeHtml(entry.title)}${data}${readOnly}${steps}</td></tr>`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
