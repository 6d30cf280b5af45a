/** The pages under `docs/faults/`: generated parts between markers, hand-written parts around them. */
import { type Kind, read } from '@mayday/core';
import {
  buildCatalogue,
  type Catalogue,
  type CatalogueCode,
  type CatalogueKind,
  happenedBy,
  sourceOf,
} from '@mayday/core/catalog';
import { table } from '../packages/cli/src/catalog/markdown.ts';
import { readingDocument } from '../packages/cli/src/reading-document.ts';

/** The generated parts of a page, by the name in their markers. */
export type Parts = { readonly [name: string]: string };

/** What the page of a kind, or the index, says in its generated parts. */
export function generatedParts(page: Kind | 'README', catalogue: Catalogue = buildCatalogue()): Parts {
  if (page === 'README') return { kinds: indexTable(catalogue) };
  const entry = catalogue.kinds.find((candidate) => candidate.kind === page);
  if (entry === undefined) throw new TypeError(`Expected a kind, got ${JSON.stringify(page)}`);
  return {
    meaning: `${entry.meaning}\n\n${defaultsTable(entry)}`,
    caller: callerText(entry),
    author: entry.author,
    dialects: dialectTable(catalogue.codes.filter((code) => code.kind === page)),
    example: exampleText(entry),
  };
}

function indexTable(catalogue: Catalogue): string {
  return table(
    ['kind', 'reaction', 'what the caller does'],
    catalogue.kinds.map(({ kind, reaction, advice }) => [`[\`${kind}\`](${kind}.md)`, reaction, advice]),
  );
}

function defaultsTable({ reaction, when, executed, http }: CatalogueKind): string {
  return table(
    ['reaction', 'retry', 'executed', 'HTTP'],
    [[`\`${reaction}\``, `\`${when}\``, `\`${executed}\``, String(http)]],
  );
}

const REACTIONS: { readonly [reaction: string]: string } = {
  validation: 'The reaction is `validation`: the input has to change before another attempt makes sense.',
  permission: 'The reaction is `permission`: access comes first, the call second.',
  retryable: 'The reaction is `retryable`: the same call may succeed later.',
  dependency: 'The reaction is `dependency`: back off, because something behind the server is broken.',
  terminal: 'The reaction is `terminal`: stop and tell the user.',
};

function callerText(entry: CatalogueKind): string {
  const { advice, reaction } = entry;
  const happened = happenedBy(entry).words.replace(
    ', it may have been.',
    ', it [may have been](../executed.md).',
  );
  return `${advice} ${REACTIONS[reaction]} ${happened}`;
}

function dialectTable(codes: readonly CatalogueCode[]): string {
  const rows: {
    readonly first: CatalogueCode;
    readonly codes: Set<string>;
    readonly sources: Set<string>;
  }[] = [];
  for (const code of codes) {
    const same = rows.find((row) => isOneRow(row.first, code));
    const row = same ?? { first: code, codes: new Set<string>(), sources: new Set<string>() };
    if (same === undefined) rows.push(row);
    row.codes.add(`\`${code.code}\``);
    row.sources.add(sourceOf(code.source).title);
  }
  return table(
    ['said by', 'code', 'name', 'subject', 'message or meaning'],
    rows.map(({ first, ...row }) => [
      [...row.sources].join(', '),
      [...row.codes].join(', '),
      isNamed(first) ? first.name : '–',
      first.subject ?? '–',
      [first.title, ...first.steps].join('; '),
    ]),
  );
}

/** Revisions of the specification that agree, and numbers without a name of their own, share a row. */
function isOneRow(a: CatalogueCode, b: CatalogueCode): boolean {
  if (a.source === b.source) return !isNamed(a) && !isNamed(b) && a.title === b.title;
  const isMcp = a.source.startsWith('mcp@') && b.source.startsWith('mcp@');
  return isMcp && a.code === b.code && a.name === b.name;
}

function isNamed({ name, code }: CatalogueCode): boolean {
  return !(name === String(code) || name === `HTTP ${code}` || name === `refusal_${code}`);
}

function exampleText({ example }: CatalogueKind): string {
  const fence = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
  return [
    'This message:',
    fence(example),
    'reads, with `mayday read`, as:',
    fence(readingDocument(read(example))),
  ].join('\n\n');
}

/** A page with its generated parts brought up to date; everything outside the markers stays. */
export function updatePage(text: string, parts: Parts): string {
  let page = text;
  for (const [name, content] of Object.entries(parts)) {
    const [open, close] = markers(name);
    const start = page.indexOf(open);
    const end = page.indexOf(close);
    if (start < 0 || end < start)
      throw new TypeError(`Expected the markers ${open} and ${close} in the page`);
    page = `${page.slice(0, start)}${open}\n${content}\n${page.slice(end)}`;
  }
  return page;
}

/** A new page, for a kind that has none yet. */
export function newPage(kind: string): string {
  const part = (name: string): string => markers(name).join('\n');
  return [
    `# \`${kind}\``,
    part('meaning'),
    '## What the caller does',
    part('caller'),
    '## What the server author does',
    part('author'),
    '## What each dialect says',
    part('dialects'),
    '## Example',
    part('example'),
  ]
    .join('\n\n')
    .concat('\n');
}

function markers(name: string): readonly [string, string] {
  return [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
}
