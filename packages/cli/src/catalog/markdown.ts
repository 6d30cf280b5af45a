/** The catalogue as Markdown. */
import type { Catalogue, CatalogueCode } from '@mayday/core/catalog';

/** The whole catalogue: the kinds, then the codes of every source. */
export function catalogueMarkdown(catalogue: Catalogue): string {
  const kinds = table(
    ['kind', 'reaction', 'retry', 'executed', 'HTTP', 'what the caller does'],
    catalogue.kinds.map((entry) => [
      `\`${entry.kind}\``,
      entry.reaction,
      entry.when,
      entry.executed,
      String(entry.http),
      entry.advice,
    ]),
  );
  const sources = catalogue.sources.map(({ id, title, shape, tell }) =>
    [
      `## \`${id}\` ${title}`,
      `Where: ${shape}. Told by: ${tell}.`,
      codeTable(catalogue.codes.filter((entry) => entry.source === id)),
    ].join('\n\n'),
  );
  return `${['# Kinds and codes', '## Kinds', kinds, ...sources].join('\n\n')}\n`;
}

function codeTable(codes: readonly CatalogueCode[]): string {
  return table(
    ['code', 'name', 'kind', 'subject', 'retryable', 'message or meaning'],
    codes.map((entry) => [
      `\`${entry.code}\``,
      entry.name,
      `\`${entry.kind}\``,
      entry.subject ?? '–',
      entry.retryable ? 'yes' : 'no',
      meaningOf(entry),
    ]),
  );
}

/** What it says, and the steps that its document advises. */
function meaningOf({ title, written, steps }: CatalogueCode): string {
  const meaning = written ? title : `${title} (read only)`;
  return steps.length === 0 ? meaning : `${meaning}. ${steps.join('; ')}`;
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function escapeCell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
}
