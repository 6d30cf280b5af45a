/** The operations of an OpenAPI document, as tools. Runs in a worker. */
import type { JsonObject } from '@mayday/core';
import { bodyOf, type OperationBody } from './bodies.ts';
import { type OperationsContext, type Parameter, parametersOf } from './parameters.ts';
import { readPath } from './path-templates.ts';
import { memberOf, type Part, PartProblem } from './references.ts';
import { ownServer, whyNotCalled } from './servers.ts';
import { isSwagger, modernOperation } from './swagger2.ts';
import { createNames, type Names } from './tool-names.ts';

/** One operation, ready to be called. */
export interface Operation {
  readonly tool: string;
  /** As the document calls it; empty when it does not. */
  readonly operationId: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  /** As it is called: `/orders/{id}` */
  readonly path: string;
  /** Where it is, if not where the others are. */
  readonly server?: string | undefined;
  /** The media types of its answers, best first. */
  readonly accept?: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: OperationBody | undefined;
  readonly inputSchema: JsonObject;
}

/** Operations, and those that could not become one. */
export interface Operations {
  readonly operations: readonly Operation[];
  /** `GET /orders: …` with the reason. */
  readonly skipped: readonly string[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;
const NO_TOOLS = ['trace', 'query'] as const;

/** All operations of a document: each becomes a tool or is told of with a reason. */
export function operationsOf(root: Part, context: OperationsContext): Operations {
  const operations: Operation[] = [];
  const skipped: string[] = [];
  const names = createNames();
  const swagger = isSwagger(root.value) ? { root: root.value, references: context.references } : undefined;
  const paths = memberOf(root.value, 'paths');
  for (const [key, item] of Object.entries(typeof paths === 'object' && paths !== null ? paths : {})) {
    if (key.startsWith('x-')) continue;
    const path = key.startsWith('/') ? key : `/${key}`;
    try {
      const found = context.references.resolve({ value: item, document: root.document });
      for (const method of [...METHODS, ...NO_TOOLS]) {
        const value = memberOf(found.value, method);
        if (value === undefined) continue;
        const outcome = toOperation({ path, method, item: found, value, swagger }, names, context);
        if (typeof outcome === 'string') skipped.push(`${method.toUpperCase()} ${path}: ${outcome}`);
        else operations.push(outcome);
      }
    } catch (error) {
      if (!(error instanceof PartProblem)) throw error;
      skipped.push(`${path}: ${error.message}`);
    }
  }
  return { operations, skipped };
}

/** An operation where it stands. */
interface Found {
  readonly path: string;
  readonly method: (typeof METHODS)[number] | (typeof NO_TOOLS)[number];
  readonly item: Part;
  readonly value: unknown;
  readonly swagger: Parameters<typeof modernOperation>[2] | undefined;
}

/** The operation, or why there is none. */
function toOperation(found: Found, names: Names, context: OperationsContext): Operation | string {
  const { path, method, item, swagger } = found;
  if (!isMethod(method)) return 'the method cannot be called';
  const { document } = item;
  try {
    const modern = swagger === undefined ? undefined : modernOperation(item, found.value, swagger);
    const value = modern?.operation ?? found.value;
    const shared = modern === undefined ? memberOf(item.value, 'parameters') : modern.shared;
    const templates = readPath(path);
    const given = parametersOf({ value: shared, document }, { value, document }, templates, {
      ...context,
      keyHeader: method === 'post' || method === 'patch' ? context.keyHeader : undefined,
    });
    const body = bodyOf({ value: memberOf(value, 'requestBody'), document }, given.names, context);
    if (typeof body === 'string') return body;
    const server = ownServer(value) ?? ownServer(item.value);
    const away = server === undefined ? undefined : whyNotCalled(server);
    if (away !== undefined) return away;
    const operationId = textOf(memberOf(value, 'operationId'));
    const title = textOf(memberOf(value, 'summary'));
    const summary = title === '' ? `${method.toUpperCase()} ${path}` : title;
    const properties = body === undefined ? given.properties : [...given.properties, body.property];
    const required = body?.isRequired === true ? [...given.required, body.argument] : given.required;
    return {
      tool: names.take(operationId === '' ? `${method}_${path}` : operationId, `${method} ${path}`),
      operationId,
      title: title === '' ? undefined : title,
      description: textOf(memberOf(value, 'description')) || summary,
      method: method.toUpperCase() as Operation['method'],
      path: templates.path,
      server,
      accept: acceptOf({ value: memberOf(value, 'responses'), document }, context),
      parameters: given.parameters,
      body:
        body === undefined
          ? undefined
          : { argument: body.argument, type: body.type, form: body.form, fields: body.fields },
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(properties),
        required,
        additionalProperties: false,
      },
    };
  } catch (error) {
    if (error instanceof PartProblem) return error.message;
    throw error;
  }
}

const MAX_TYPES = 4;

/** What the operation says it answers with, if that is anything else than plain JSON. */
function acceptOf({ value, document }: Part, { references }: OperationsContext): string | undefined {
  const types = new Set<string>();
  for (const [status, response] of Object.entries(typeof value === 'object' && value !== null ? value : {})) {
    if (!/^(?:2|default$)/.test(status)) continue;
    const content = memberOf(found(response), 'content');
    for (const type of Object.keys(typeof content === 'object' && content !== null ? content : {}))
      if (/^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.-]+)*$/.test(type)) types.add(type);
  }
  if (types.size === 0 || types.has('application/json')) return undefined;
  const isJson = (type: string): number => (/json/.test(type) ? 0 : 1);
  return [...types]
    .sort((a, b) => isJson(a) - isJson(b))
    .slice(0, MAX_TYPES)
    .join(', ');

  function found(response: unknown): unknown {
    try {
      return references.resolve({ value: response, document }).value;
    } catch {
      return undefined; // what is asked for does not depend on it
    }
  }
}

function isMethod(method: string): method is (typeof METHODS)[number] {
  return (METHODS as readonly string[]).includes(method);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
