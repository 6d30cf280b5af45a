/** The admin API as tables, for `docs/admin.md`. */
import { table } from '../packages/cli/src/catalog/markdown.ts';
import type { ObjectSchema, Schema } from '../packages/gateway/src/admin/operation.ts';
import { OPERATIONS } from '../packages/gateway/src/admin/operations.ts';
import { COMPONENTS } from '../packages/gateway/src/admin/schemas.ts';
import { adminSettings } from './settings-table.ts';

/** The generated parts of the page, by the name in their markers. */
export function adminParts(): { readonly [name: string]: string } {
  return { operations: operationsTable(), documents: documentsTable(), 'admin settings': adminSettings() };
}

function operationsTable(): string {
  return table(
    ['', 'path', 'what it does', 'takes', 'answers'],
    OPERATIONS.map(({ method, path, summary, query, body, answer }) => {
      const taken = Object.keys({ ...query?.properties, ...body?.properties }).map((name) => `\`${name}\``);
      return [
        method,
        `\`${path}\``,
        summary,
        taken.join(', '),
        `${answer.status} ${answerOf(answer.schema)}`.trim(),
      ];
    }),
  );
}

/** `Key`, or `keys: [Key]`. */
function answerOf(schema: Schema): string {
  const name = nameIn(schema);
  if (name !== undefined) return name;
  const [list] = Object.entries((schema as Partial<ObjectSchema>).properties ?? {});
  if (list === undefined) return '';
  return `\`${list[0]}\`: ${nameIn(list[1]['items'] as Schema)} …`;
}

function nameIn(schema: Schema): string | undefined {
  return typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
}

function documentsTable(): string {
  return table(
    ['document', 'what it has'],
    Object.entries(COMPONENTS).map(([name, schema]) => {
      const forms = (schema['oneOf'] ?? [schema]) as readonly ObjectSchema[];
      return [name, forms.map(({ properties }) => fieldsOf(properties)).join('; or ')];
    }),
  );
}

function fieldsOf(properties: ObjectSchema['properties']): string {
  return Object.keys(properties)
    .map((field) => `\`${field}\``)
    .join(', ');
}
