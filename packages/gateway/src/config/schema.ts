/**
 * The JSON Schema of the configuration file. It is published as `schema/config.schema.json`, for editors, and is
 * what the gateway itself checks a file against.
 */
import type { JsonObject } from '@mayday/core';
import { DIALECT_IDS } from '../faults/dialects.ts';

const MS = { type: 'integer', minimum: 0 } as const;
const DIALECT = { enum: [...DIALECT_IDS] } as const;
const HEADERS = {
  type: 'object',
  additionalProperties: { type: 'string' },
} as const;

const COMMON = {
  from: { ...DIALECT, description: 'The dialect in which it says its failures. Found out if absent.' },
  dialect: { ...DIALECT, description: 'The dialect in which its failures are passed on.' },
  timeout_ms: {
    ...MS,
    description: 'A call that makes no progress for this long is given up. Default 300000.',
  },
  retry: {
    type: 'object',
    additionalProperties: false,
    description: 'When a failed call is made again.',
    properties: {
      attempts: { type: 'integer', minimum: 1, maximum: 10, description: 'Attempts in all. Default 3.' },
      max_wait_ms: { ...MS, description: 'A longer wait is left to the caller. Default 2000.' },
      repeatable: {
        type: 'array',
        items: { type: 'string' },
        description: 'Tools that may be called again whatever became of the first call.',
      },
      trust_annotations: {
        type: 'boolean',
        description: 'Believe readOnlyHint and idempotentHint of the tools. Default true.',
      },
    },
  },
  breaker: {
    description:
      'When calls are held back because the upstream keeps failing; `false` never holds them back.',
    oneOf: [
      { const: false },
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          failures: { type: 'integer', minimum: 1, description: 'Failures in a row. Default 5.' },
          open_ms: { ...MS, description: 'How long at first. Default 1000.' },
        },
      },
    ],
  },
} as const;

const COMMAND = {
  type: 'object',
  additionalProperties: false,
  required: ['command'],
  properties: {
    command: { type: 'string', minLength: 1, description: 'A server over standard input and output.' },
    args: { type: 'array', items: { type: 'string' } },
    env: { type: 'object', additionalProperties: { type: 'string' } },
    cwd: { type: 'string' },
    max_sessions: { type: 'integer', minimum: 1, description: 'Processes at once. Default 64.' },
    ...COMMON,
  },
} as const;

const URL_UPSTREAM = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: { type: 'string', pattern: '^https?://', description: 'A server over streamable HTTP.' },
    headers: { ...HEADERS, description: 'Sent with every request, in place of what the caller sent.' },
    ...COMMON,
  },
} as const;

const OPENAPI = {
  type: 'object',
  additionalProperties: false,
  required: ['openapi'],
  properties: {
    openapi: {
      type: 'string',
      minLength: 1,
      description: 'A file or URL of an OpenAPI 3.0 or 3.1 document.',
    },
    base_url: {
      type: 'string',
      pattern: '^https?://',
      description: 'Where the API is. Default: the first server of the document.',
    },
    headers: { ...HEADERS, description: 'Sent with every request.' },
    operations: {
      type: 'array',
      items: { type: 'string' },
      description: 'Only these operationIds become tools.',
    },
    ...COMMON,
  },
} as const;

/** The forms an upstream can have, by the member that tells them apart. */
export const UPSTREAM_FORMS: { readonly [key: string]: JsonObject } = {
  command: COMMAND,
  url: URL_UPSTREAM,
  openapi: OPENAPI,
};

/** The schema of the whole file. */
export const CONFIG_SCHEMA: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Mayday gateway',
  type: 'object',
  additionalProperties: false,
  required: ['upstreams'],
  properties: {
    $schema: { type: 'string' },
    listen: {
      type: 'object',
      additionalProperties: false,
      properties: {
        host: { type: 'string', description: 'Default 127.0.0.1.' },
        port: { type: 'integer', minimum: 0, maximum: 65535, description: 'Default 7350.' },
        allowed_hosts: { type: 'array', items: { type: 'string' } },
        allowed_origins: { type: 'array', items: { type: 'string' } },
      },
    },
    dialect: { ...DIALECT, description: 'The dialect of callers who ask for none. Default mayday.' },
    upstreams: {
      type: 'object',
      minProperties: 1,
      description: 'The servers, by name. Each is served at /<name>/mcp, and all of them together at /mcp.',
      propertyNames: { pattern: '^[a-z0-9][a-z0-9-]{0,31}$' },
      additionalProperties: { anyOf: [COMMAND, URL_UPSTREAM, OPENAPI] },
    },
    keys: {
      type: 'array',
      description: 'Callers. With at least one, a call needs `Authorization: Bearer <key>`.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'key'],
        properties: {
          name: { type: 'string', minLength: 1 },
          key: { type: 'string', minLength: 8 },
          dialect: DIALECT,
          upstreams: { type: 'array', items: { type: 'string' }, description: 'Only these. Default: all.' },
        },
      },
    },
    joined: {
      type: 'object',
      additionalProperties: false,
      properties: {
        enabled: { type: 'boolean', description: 'Serve all upstreams together at /mcp. Default true.' },
        separator: {
          enum: ['_', '__', '-', '.', '/', ''],
          description: 'Between an upstream and a name of its own. Default _; empty for no prefix.',
        },
      },
    },
    limits: {
      type: 'object',
      additionalProperties: false,
      properties: {
        body_bytes: { type: 'integer', minimum: 1024, description: 'Of a request. Default 16 MiB.' },
        message_bytes: { type: 'integer', minimum: 1024, description: 'Of an answer. Default 64 MiB.' },
      },
    },
    faults: {
      type: 'object',
      additionalProperties: false,
      properties: { keep: { type: 'integer', minimum: 0, maximum: 100_000, description: 'Default 1000.' } },
    },
  },
};
