/** The parameters of an operation, as arguments of a tool. Runs in a worker. */
import type { JsonObject } from '@mayday/core';
import { type SchemaContext, toJsonSchema } from './json-schema.ts';
import { memberOf, type Part, PartProblem } from './references.ts';
import { createNames, type Names } from './tool-names.ts';

/** Where an argument goes. */
export interface Parameter {
  /** The name of the tool's argument. */
  readonly argument: string;
  /** The name on the wire. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly style: 'form' | 'deepObject' | 'spaceDelimited' | 'pipeDelimited' | 'json';
  readonly explode: boolean;
  /** The document says that it may go on over several segments of a path. */
  readonly spansSegments: boolean;
  /** It makes a repeated call known to the API; filled from the call when the caller does not. */
  readonly isIdempotencyKey: boolean;
  readonly isRequired: boolean;
}

/** The parameters, and what they add to the schema of the arguments. */
export interface FoundParameters {
  readonly parameters: readonly Parameter[];
  readonly properties: readonly (readonly [name: string, schema: JsonObject])[];
  readonly required: readonly string[];
  /** The names that are taken. */
  readonly names: Names;
}

/** More is of no use to a model. */
const MAX_PARAMETERS = 500;

/** Reads the parameters of a path and of one operation in it. */
export function parametersOf(
  shared: Part,
  operation: Part,
  path: string,
  context: SchemaContext,
): FoundParameters {
  const own = { value: memberOf(operation.value, 'parameters'), document: operation.document };
  const names = createNames('.');
  const parameters: Parameter[] = [];
  const properties: [string, JsonObject][] = [];
  const required: string[] = [];
  for (const part of merged(shared, own, path, context)) {
    if (parameters.length === MAX_PARAMETERS)
      throw new PartProblem(`it has more than ${MAX_PARAMETERS} parameters`);
    const place = memberOf(part.value, 'in');
    const name = memberOf(part.value, 'name');
    if (typeof name !== 'string' || !isPlace(place) || (place === 'header' && isOurs(name))) continue;
    const argument = names.take(name, `${place} ${name}`);
    const isKey = place === 'header' && IDEMPOTENCY_KEY.test(name);
    const isRequired = memberOf(part.value, 'required') === true || place === 'path';
    parameters.push({
      argument,
      name,
      in: place,
      ...styleOf(part.value, place),
      isIdempotencyKey: isKey,
      isRequired,
    });
    properties.push([argument, described(schemaOf(part, context), part.value, argument, name)]);
    if (isRequired && !isKey) required.push(argument);
  }
  return { parameters, properties, required, names };
}

const IDEMPOTENCY_KEY = /^(?:x-)?idempoten(?:cy|t|ce)[-_]?key$/i;

/**
 * The specification says that a document cannot declare the first three; the others belong to the connection, and
 * whoever sets them speaks for somebody else.
 */
const OURS: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'content-type',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function isOurs(name: string): boolean {
  return OURS.has(name.toLowerCase()) || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}

function isPlace(place: unknown): place is Parameter['in'] {
  return place === 'path' || place === 'query' || place === 'header';
}

/** An operation's own parameter replaces the path's one of the same name and place; none of the path is missing. */
function merged(shared: Part, own: Part, path: string, { references }: SchemaContext): readonly Part[] {
  const all = new Map<string, Part>();
  for (const { value, document } of [shared, own]) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : []) {
      const found = references.resolve({ value: item, document });
      all.set(`${String(memberOf(found.value, 'in'))} ${String(memberOf(found.value, 'name'))}`, found);
    }
  }
  for (const [, name] of path.matchAll(/\{([^{}]+)\}/g)) {
    const undeclared = { value: { name, in: 'path', schema: { type: 'string' } }, document: own.document };
    if (!all.has(`path ${name}`)) all.set(`path ${name}`, undeclared);
  }
  return [...all.values()];
}

function styleOf(
  value: unknown,
  place: Parameter['in'],
): Pick<Parameter, 'style' | 'explode' | 'spansSegments'> {
  const style = memberOf(value, 'style');
  const explode = memberOf(value, 'explode');
  const isKnown = style === 'deepObject' || style === 'spaceDelimited' || style === 'pipeDelimited';
  return {
    style: memberOf(value, 'content') !== undefined ? 'json' : isKnown ? style : 'form',
    explode:
      typeof explode === 'boolean' ? explode : place === 'query' && (!isKnown || style === 'deepObject'),
    spansSegments: memberOf(value, 'allowReserved') === true || memberOf(value, 'x-multi-segment') === true,
  };
}

function schemaOf({ value, document }: Part, context: SchemaContext): JsonObject {
  const content = memberOf(value, 'content');
  const [media] = Object.values(typeof content === 'object' && content !== null ? content : {}) as unknown[];
  const schema = memberOf(value, 'schema') ?? memberOf(media, 'schema') ?? {};
  return toJsonSchema({ value: schema, document }, context);
}

/** What the document says about the parameter; its own name when the argument is called otherwise. */
function described(schema: JsonObject, value: unknown, argument: string, name: string): JsonObject {
  const own = memberOf(value, 'description');
  const said = typeof own === 'string' && own !== '' ? own : schema['description'];
  const known = typeof said === 'string' ? said : '';
  const description = argument === name ? known : [known, `(${name})`].join(' ').trim();
  return description === '' ? schema : { ...schema, description };
}
