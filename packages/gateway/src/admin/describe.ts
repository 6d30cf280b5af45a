/** The OpenAPI document of the admin API, made from the operations themselves. */
import type { JsonObject } from '@mayday/core';
import type { ObjectSchema, Operation, Schema } from './operation.ts';
import { COMPONENTS, ref } from './schemas.ts';

/** Where the API is. */
export const ROOT = '/-/admin/v1';

/** What any operation may answer with. */
const COMMON: { readonly [status: number]: string } = {
  400: 'The request cannot be understood.',
  401: 'A key of the gateway is needed.',
  403: 'The key is not an operator’s, or the request comes from a page of another origin.',
  429: 'Too many requests in a minute.',
};

/** What changes may answer with beside. */
const OF_CHANGES: { readonly [status: number]: string } = {
  413: 'The request is too large.',
  415: 'The request is no JSON.',
};

/** Describes the operations, as OpenAPI 3.1. */
export function describe(operations: readonly Operation[]): JsonObject {
  const paths: { [path: string]: { [method: string]: object } } = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] as object, {
      [operation.method.toLowerCase()]: operationOf(operation),
    });
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Mayday gateway: admin API',
      version: '1',
      description:
        'Operates a gateway: keys, credentials, approvals, failures, the audit log, and how it is.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: ROOT }],
    security: [{ key: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: COMPONENTS,
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key with the role `operator`.' },
      },
    },
  };
  return JSON.parse(JSON.stringify(document)) as JsonObject;
}

function operationOf(operation: Operation): object {
  const { id, summary, tag, parameters = {}, query, body, answer, faults, method, isStream } = operation;
  const inPath = Object.entries(parameters).map(([name, schema]) => parameter('path', name, schema, true));
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) =>
    parameter('query', name, schema, query?.required?.includes(name) === true),
  );
  const all = [...inPath, ...inQuery, ...(isStream === true ? [LAST_EVENT_ID] : [])];
  const told = { ...COMMON, ...(method === 'POST' ? OF_CHANGES : {}), ...faults };
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(all.length === 0 ? {} : { parameters: all }),
    ...(body === undefined ? {} : { requestBody: bodyOf(body) }),
    responses: {
      [answer.status]: {
        description: answer.about,
        content: {
          [isStream === true ? 'text/event-stream' : 'application/json']: { schema: answer.schema },
        },
      },
      ...Object.fromEntries(Object.entries(told).map(([status, about]) => [status, problem(about)])),
    },
  };
}

const LAST_EVENT_ID: object = parameter(
  'header',
  'Last-Event-ID',
  { type: 'string', description: 'The id of the last failure that was seen.' },
  false,
);

function parameter(
  place: string,
  name: string,
  { description, ...schema }: Schema,
  required: boolean,
): object {
  return { name, in: place, required, description, schema };
}

function bodyOf(schema: ObjectSchema): object {
  return { required: (schema.required ?? []).length > 0, content: { 'application/json': { schema } } };
}

function problem(description: string): object {
  return { description, content: { 'application/problem+json': { schema: ref('Problem') } } };
}
