/** The admin API as tables, for `docs/admin.md`. */
import { table } from '../packages/cli/src/catalog/markdown.ts';
import { OPERATIONS } from '../packages/gateway/src/admin/operations.ts';
import { adminSettings } from './settings-table.ts';

/** The generated parts of the page, by the name in their markers. */
export function adminParts(): { readonly [name: string]: string } {
  return { operations: operationsTable(), 'admin settings': adminSettings() };
}

function operationsTable(): string {
  return table(
    ['', 'path', 'what it does', 'takes'],
    OPERATIONS.map(({ method, path, summary, query, body }) => {
      const taken = Object.keys({ ...query?.properties, ...body?.properties }).map((name) => `\`${name}\``);
      return [method, `\`${path}\``, summary, taken.join(', ')];
    }),
  );
}
