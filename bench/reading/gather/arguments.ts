/** Arguments for a tool, made from its schema: right ones, and wrong ones. */

/** As much of a JSON schema as tools use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly format?: string;
}

type Bag = { readonly [name: string]: unknown };

const WORDS: readonly (readonly [names: RegExp, value: string])[] = [
  [/ur[il]|link|website/i, 'https://example.com/page'],
  [/e?mail/i, 'alice@example.com'],
  [/from|start|since|date|day|until|end|to$/i, '2026-01-15'],
  [/path|file|dir|folder/i, 'notes/today.md'],
  [/sql|query/i, 'SELECT 1'],
  [/lang|locale/i, 'en'],
  [/country/i, 'DE'],
  [/city|location|place|address/i, 'Berlin'],
  [/domain|host/i, 'example.com'],
  [/ip/i, '192.0.2.7'],
  [/symbol|ticker|coin|currency/i, 'BTC'],
];

/** A value that a schema allows, as far as can be seen. */
export function valid(schema: Schema, name = '', depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (choice !== undefined && depth < 5) return valid(choice, name, depth + 1);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object' || schema.properties !== undefined)
    return depth < 5 ? validObject(schema, depth) : {};
  if (type === 'array') return schema.items === undefined ? [] : [valid(schema.items, name, depth + 1)];
  if (type === 'number' || type === 'integer') return Math.max(1, schema.minimum ?? 1);
  if (type === 'boolean') return true;
  if (schema.format === 'uuid') return '3f2b8a52-6a1c-4f5e-9d55-0a4f3ce0b0aa';
  const word = WORDS.find(([names]) => names.test(name))?.[1] ?? 'example';
  return word.padEnd(schema.minLength ?? 0, 'x');
}

function validObject(schema: Schema, depth: number): Bag {
  const entries = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name));
  return Object.fromEntries(entries.map(([name, inner]) => [name, valid(inner, name, depth + 1)]));
}

/** The same with every required value of another type; nothing when there is none. */
export function wrongTypes(schema: Schema): Bag | undefined {
  const right = validObject(schema, 0);
  const names = Object.keys(right);
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, typeof right[name] === 'number' ? 'many' : 12345]));
}

/** The same with a choice that is none; nothing when there is no choice. */
export function badChoice(schema: Schema): Bag | undefined {
  const choice = Object.entries(schema.properties ?? {}).find(
    ([, inner]) => inner.enum !== undefined && typeof inner.enum[0] === 'string',
  );
  return choice === undefined ? undefined : { ...validObject(schema, 0), [choice[0]]: 'no-such-choice' };
}
