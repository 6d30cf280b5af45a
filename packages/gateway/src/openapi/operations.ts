/** The operations of an OpenAPI document, as tools. */
import type { JsonObject } from '@mayday/core';

/** Where an argument goes. */
interface Parameter {
  /** The name of the tool's argument. */
  readonly argument: string;
  /** The name on the wire. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly explode: boolean;
}

/** One operation, ready to be called. */
export interface Operation {
  readonly tool: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  /** `/orders/{id}` */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The media type of the body, which is the argument `body`. */
  readonly bodyType: string | undefined;
  readonly inputSchema: JsonObject;
}

type Json = { readonly [key: string]: unknown };

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;
const BODY_TYPES: readonly string[] = ['application/json', 'application/x-www-form-urlencoded'];

/** All operations of a dereferenced document. */
export function operationsOf(document: Json): readonly Operation[] {
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries((document['paths'] ?? {}) as { [path: string]: Json })) {
    for (const method of METHODS) {
      const operation = item?.[method] as Json | undefined;
      if (operation !== undefined) operations.push(toOperation(path, method, item, operation));
    }
  }
  return operations;
}

function toOperation(path: string, method: (typeof METHODS)[number], item: Json, operation: Json): Operation {
  const properties: { [name: string]: unknown } = {};
  const required: string[] = [];
  const parameters: Parameter[] = [];
  for (const parameter of mergeParameters(item['parameters'], operation['parameters'])) {
    const place = parameter['in'];
    if (place !== 'path' && place !== 'query' && place !== 'header') continue;
    const name = String(parameter['name']);
    const argument = Object.hasOwn(properties, name) ? `${place}_${name}` : name;
    properties[argument] = described(
      parameter['schema'] ?? firstSchema(parameter['content']),
      parameter['description'],
    );
    if (parameter['required'] === true || place === 'path') required.push(argument);
    parameters.push({ argument, name, in: place, explode: parameter['explode'] !== false });
  }
  const body = bodyOf(operation['requestBody'] as Json | undefined);
  if (body !== undefined) {
    properties['body'] = body.schema;
    if (body.required) required.push('body');
  }
  return {
    tool: toolName(operation['operationId'], method, path),
    title: typeof operation['summary'] === 'string' ? operation['summary'] : undefined,
    description: String(
      operation['description'] ?? operation['summary'] ?? `${method.toUpperCase()} ${path}`,
    ),
    method: method.toUpperCase() as Operation['method'],
    path,
    parameters,
    bodyType: body?.type,
    inputSchema: withoutCycles({
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    }) as JsonObject,
  };
}

/** An operation's own parameter replaces the path's one of the same name and place. */
function mergeParameters(shared: unknown, own: unknown): readonly Json[] {
  const all = new Map<string, Json>();
  for (const parameter of [...listOf(shared), ...listOf(own)]) {
    all.set(`${String(parameter['in'])} ${String(parameter['name'])}`, parameter);
  }
  return [...all.values()];
}

function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

function firstSchema(content: unknown): unknown {
  const [media] = Object.values((content ?? {}) as { [type: string]: Json });
  return media?.['schema'] ?? {};
}

function described(schema: unknown, description: unknown): unknown {
  if (typeof description !== 'string' || typeof schema !== 'object' || schema === null) return schema;
  return { description, ...schema };
}

function bodyOf(body: Json | undefined): { type: string; schema: unknown; required: boolean } | undefined {
  const content = (body?.['content'] ?? {}) as { [type: string]: Json };
  const types = Object.keys(content);
  const type =
    BODY_TYPES.find((known) => types.includes(known)) ??
    types.find((name) => name.endsWith('+json')) ??
    types[0];
  if (type === undefined) return undefined;
  return { type, schema: content[type]?.['schema'] ?? {}, required: body?.['required'] === true };
}

/** Names that every client accepts: letters, digits, `_` and `-`, at most 64. */
function toolName(operationId: unknown, method: string, path: string): string {
  const name = typeof operationId === 'string' && operationId !== '' ? operationId : `${method}_${path}`;
  return name
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);
}

/**
 * A plain tree: a schema that contains itself ends in "anything" at the second turn, and OpenAPI 3.0's
 * `nullable` becomes a type, as JSON Schema has it.
 */
function withoutCycles(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (above.includes(value)) return {};
  const path = [...above, value];
  if (Array.isArray(value)) return value.map((item) => withoutCycles(item, path));
  const copy: { [key: string]: unknown } = {};
  for (const [key, member] of Object.entries(value)) {
    if (!OPENAPI_ONLY.has(key)) copy[key] = withoutCycles(member, path);
  }
  if ((value as Json)['nullable'] === true && typeof copy['type'] === 'string')
    copy['type'] = [copy['type'], 'null'];
  for (const bound of ['exclusiveMinimum', 'exclusiveMaximum'] as const) {
    if (typeof copy[bound] !== 'boolean') continue;
    const plain = bound === 'exclusiveMinimum' ? 'minimum' : 'maximum';
    if (copy[bound] === true && typeof copy[plain] === 'number') {
      copy[bound] = copy[plain];
      delete copy[plain];
    } else delete copy[bound];
  }
  return copy;
}

const OPENAPI_ONLY: ReadonlySet<string> = new Set([
  'nullable',
  'discriminator',
  'xml',
  'externalDocs',
  'example',
]);
