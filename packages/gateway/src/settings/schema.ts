/** The settings table as a JSON Schema, for editors: `npm run docs` writes it to `schema/config.schema.json`. */
import { type JsonObject, language } from '@mayday/core';
import { dialectIds } from '../call/dialects.ts';
import { TOOL_NAME } from '../shape/tool-name.ts';
import { HOST, WEB_ORIGIN } from './knocking.ts';
import type { Row, Rows } from './rows.ts';
import { FORMS } from './settings.ts';
import { GENERAL, VIRTUAL } from './table.ts';
import { HEADER_NAME, MAX_BYTES, MAX_MS, MIN_BYTES, ORIGIN, STORE_PATH } from './values.ts';

/** The schema of the whole file. */
export function settingsSchema(): JsonObject {
  const general = objectOf(GENERAL);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Mayday gateway',
    ...general,
    required: ['upstreams'],
    properties: {
      $schema: { type: 'string' },
      ...(general['properties'] as JsonObject),
      upstreams: {
        description: 'The servers, by name. Each is served at /<name>/mcp, and all of them together at /mcp.',
        type: 'object',
        minProperties: 1,
        propertyNames: { pattern: '^[a-z0-9][a-z0-9-]{0,31}$' },
        additionalProperties: { anyOf: Object.values(FORMS).map(objectOf) },
      },
      virtual: {
        description:
          'Servers that are made of tools of the upstreams, by name. Each is served at /<name>/mcp.',
        type: 'object',
        propertyNames: { pattern: '^[a-z0-9][a-z0-9-]{0,31}$' },
        additionalProperties: objectOf(VIRTUAL),
      },
    },
  };
}

function objectOf(rows: Rows): JsonObject {
  const properties: { [name: string]: JsonObject } = {};
  const required: string[] = [];
  for (const [name, row] of Object.entries(rows)) {
    properties[name] = schemaOf(row);
    if ('required' in row) required.push(name);
  }
  const object: JsonObject = { type: 'object', additionalProperties: false, properties };
  return required.length === 0 ? object : { ...object, required };
}

function schemaOf(row: Rows[string]): JsonObject {
  const description = row.about;
  if ('list' in row) return { description, type: 'array', items: objectOf(row.list) };
  if (!('group' in row)) return { description, ...VALUES[row.type](row), ...defaultOf(row) };
  const { needs } = row;
  const group = { ...objectOf(row.group), ...(needs === undefined ? {} : { required: [needs] }) };
  const short = row.short === undefined ? undefined : row.group[row.short];
  if (short !== undefined) return { description, anyOf: [schemaOf(short), group] };
  return row.off === true ? { description, anyOf: [{ const: false }, group] } : { description, ...group };
}

function defaultOf(row: Row): JsonObject {
  if (row.alias !== undefined) return { deprecated: true };
  return row.default === undefined ? {} : { default: row.default as JsonObject };
}

const TEXT: JsonObject = { type: 'string', minLength: 1 };
/** A store that is known, or a path. */
const STORE_PATTERN = `^(?:(?:memory|rediss?|valkeys?):|file://|(?:file:)?${STORE_PATH})`;
const STRINGS: JsonObject = { type: 'object', additionalProperties: { type: 'string' } };

const VALUES: { readonly [type in Row['type']]: (row: Row) => JsonObject } = {
  flag: () => ({ type: 'boolean' }),
  count: ({ min = 0, max = Number.MAX_SAFE_INTEGER }) => ({ type: 'integer', minimum: min, maximum: max }),
  ms: ({ min = 0 }) => ({ type: 'integer', minimum: min, maximum: MAX_MS }),
  share: () => ({ type: 'number', minimum: 0, maximum: 1 }),
  bytes: () => ({ type: 'integer', minimum: MIN_BYTES, maximum: MAX_BYTES }),
  text: () => TEXT,
  secret: ({ min = 8 }) => ({ type: 'string', minLength: min }),
  choice: ({ of = [] }) => ({ enum: [...of] }),
  choices: ({ of = [] }) => ({ type: 'array', items: { enum: [...of] } }),
  counts: ({ min = 0, max = Number.MAX_SAFE_INTEGER }) => ({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: min, maximum: max },
  }),
  dialect: () => ({ enum: [...dialectIds(language)] }),
  names: () => ({ type: 'array', items: { type: 'string' } }),
  strings: () => STRINGS,
  renames: () => ({
    type: 'object',
    additionalProperties: { type: 'string', pattern: TOOL_NAME.source },
  }),
  texts: () => STRINGS,
  headers: () => STRINGS,
  header_name: () => ({ type: 'string', pattern: HEADER_NAME }),
  origins: () => ({ type: 'array', items: { type: 'string', pattern: ORIGIN } }),
  hosts: () => ({ type: 'array', items: { type: 'string', pattern: HOST } }),
  web_origins: () => ({ type: 'array', items: { type: 'string', pattern: WEB_ORIGIN } }),
  url: () => ({ type: 'string', pattern: '^https?://' }),
  path: () => TEXT,
  document: () => TEXT,
  store: () => ({ type: 'string', minLength: 1, pattern: STORE_PATTERN }),
};
