/** The operations of an OpenAPI document, as tools. Runs in a worker. */
import type { JsonObject } from '@mayday/core';
import { type SchemaContext, toJsonSchema } from './json-schema.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { memberOf, type Part, PartProblem } from './references.ts';
import { createNames, type Names } from './tool-names.ts';

/** One operation, ready to be called. */
export interface Operation {
  readonly tool: string;
  /** As the document calls it; empty when it does not. */
  readonly operationId: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  /** `/orders/{id}` */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: OperationBody | undefined;
  readonly inputSchema: JsonObject;
}

/** The body of a request. */
interface OperationBody {
  /** The name of the tool's argument. */
  readonly argument: string;
  /** The media type. */
  readonly type: string;
  /** Members of a form that are written as `name[key]=value`. */
  readonly inBrackets?: readonly string[] | undefined;
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
export function operationsOf(root: Part, context: SchemaContext): Operations {
  const operations: Operation[] = [];
  const skipped: string[] = [];
  const names = createNames();
  const paths = memberOf(root.value, 'paths');
  for (const [key, item] of Object.entries(typeof paths === 'object' && paths !== null ? paths : {})) {
    if (key.startsWith('x-')) continue;
    const path = key.startsWith('/') ? key : `/${key}`;
    try {
      const found = context.references.resolve({ value: item, document: root.document });
      for (const method of [...METHODS, ...NO_TOOLS]) {
        const value = memberOf(found.value, method);
        if (value === undefined) continue;
        const outcome = toOperation({ path, method, item: found, value }, names, context);
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
}

/** The operation, or why there is none. */
function toOperation(found: Found, names: Names, context: SchemaContext): Operation | string {
  const { path, method, item, value } = found;
  if (!isMethod(method)) return 'the method cannot be called';
  const { document } = item;
  try {
    const given = parametersOf(
      { value: memberOf(item.value, 'parameters'), document },
      { value, document },
      path,
      context,
    );
    const body = bodyOf({ value: memberOf(value, 'requestBody'), document }, given.names, context);
    if (typeof body === 'string') return body;
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
      path,
      parameters: given.parameters,
      body:
        body === undefined
          ? undefined
          : { argument: body.argument, type: body.type, inBrackets: body.inBrackets },
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

function isMethod(method: string): method is (typeof METHODS)[number] {
  return (METHODS as readonly string[]).includes(method);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

interface FoundBody extends OperationBody {
  readonly property: readonly [string, JsonObject];
  readonly isRequired: boolean;
}

/** Media types that can be written, best first. */
const WRITABLE: readonly RegExp[] = [
  /^application\/json$/,
  /\+json$/,
  /^application\/x-www-form-urlencoded$/,
  /^(?!multipart\/)/,
];

/** The body, if there is one; a string when the operation needs one that cannot be sent. */
function bodyOf(part: Part, names: Names, context: SchemaContext): FoundBody | string | undefined {
  if (part.value === undefined) return undefined;
  const { value, document } = context.references.resolve(part);
  const content = memberOf(value, 'content');
  const types = Object.keys(typeof content === 'object' && content !== null ? content : {});
  const isRequired = memberOf(value, 'required') === true;
  const plain = (type: string): string => type.split(';')[0]?.trim().toLowerCase() ?? '';
  const best = WRITABLE.map((known) => types.find((type) => known.test(plain(type)))).find(
    (type) => type !== undefined,
  );
  if (best === undefined) {
    return isRequired && types.length > 0
      ? `a body of type ${types.join(', ').slice(0, 200)} cannot be sent`
      : undefined;
  }
  const schema = toJsonSchema(
    { value: memberOf(memberOf(content, best), 'schema') ?? {}, document },
    context,
  );
  const argument = names.take('body', 'the body');
  // A range such as */* is no type to send.
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(plain(best)) ? plain(best) : 'application/json';
  const inBrackets = deepMembers(memberOf(memberOf(content, best), 'encoding'));
  return { argument, type, inBrackets, property: [argument, schema], isRequired };
}

/** The members of a form whose document wants `name[key]=value` for them. */
function deepMembers(encoding: unknown): readonly string[] {
  return Object.entries(typeof encoding === 'object' && encoding !== null ? encoding : {})
    .filter(([, how]) => memberOf(how, 'style') === 'deepObject')
    .map(([name]) => name);
}
