/**
 * A schema of an OpenAPI document → a JSON Schema that stands for itself: no references, nothing that only OpenAPI
 * knows, nothing that a strict client would refuse, and of bounded size. Runs in a worker.
 */
import type { Json, JsonObject } from '@mayday/core';
import { memberOf, type Part, PartProblem, type References } from './references.ts';

/** What a conversion works with. */
export interface SchemaContext {
  readonly references: References;
  /** Takes what an operator should know. */
  readonly note: (text: string) => void;
}

/** More than this is of no use to a model. */
const MAX_NODES = 1500;
const MAX_LENGTH = 100_000;
/** Tried in turn until the schema is small enough. */
const DEPTHS = [40, 10, 6, 4, 2, 1] as const;

interface Walk extends SchemaContext {
  nodes: number;
  /** By schema: properties that only answers have. */
  readonly hidden: Map<JsonObject, readonly string[]>;
  /** Something was left out, so that what is there says less than it did. */
  isCut: boolean;
}

/** Converts a schema. What is too deep, contains itself or cannot be found allows anything. */
export function toJsonSchema(part: Part, context: SchemaContext): JsonObject {
  for (const depth of DEPTHS) {
    const walk: Walk = { ...context, nodes: 0, hidden: new Map(), isCut: false };
    const schema = convert(part, depth, [], walk);
    if (walk.nodes > MAX_NODES || JSON.stringify(schema).length > MAX_LENGTH) continue;
    return schema === false ? { not: {} } : schema === true ? {} : schema;
  }
  return {};
}

type Schema = JsonObject | boolean;

function convert(part: Part, depth: number, above: readonly unknown[], walk: Walk): Schema {
  if (typeof part.value === 'boolean') return part.value;
  const found = resolved(part, walk);
  walk.nodes++;
  if (found === undefined || depth === 0 || walk.nodes > MAX_NODES || above.includes(found.value)) {
    walk.isCut = true;
    return {};
  }
  const { value, document } = found;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const path = [...above, value];
  const inner = (member: unknown): Schema => convert({ value: member, document }, depth - 1, path, walk);
  const schema: Members = {};
  for (const [keyword, member] of Object.entries(value)) {
    if (Object.hasOwn(PLAIN, keyword)) {
      const plain = PLAIN[keyword]?.(member);
      if (plain !== undefined) schema[keyword] = plain;
    } else if (SCHEMA.has(keyword)) schema[keyword] = inner(member);
    else if (STRICT.has(keyword)) addStrict(schema, keyword, member, inner, walk);
    else if (SCHEMAS.has(keyword) && Array.isArray(member))
      addList(schema, keyword, member.map(CHOICES.has(keyword) ? chosenBy(value, inner) : inner));
    else if (NAMED.has(keyword) && isObject(member)) schema[keyword] = mapped(member, inner);
    else if (keyword === 'items') addItems(schema, member, inner);
  }
  withBounds(schema, value);
  hideReadOnly(schema, walk);
  return withNull(schema, value);
}

type Members = { [keyword: string]: Json };

/** What only answers have is not asked for, wherever among the parts of a schema it is declared and required. */
function hideReadOnly(schema: Members, { hidden }: Walk): void {
  const parts = Array.isArray(schema['allOf']) ? (schema['allOf'] as Members[]) : [];
  const properties = (schema['properties'] ?? {}) as { [name: string]: Json };
  const own = Object.keys(properties).filter((name) => memberOf(properties[name], 'readOnly') === true);
  for (const name of own) delete properties[name];
  const names = [...own, ...parts.flatMap((part) => hidden.get(part) ?? [])];
  if (names.length === 0) return;
  hidden.set(schema, names);
  for (const part of [schema, ...parts]) {
    if (!Array.isArray(part['required'])) continue;
    const left = part['required'].filter((name) => !names.includes(String(name)));
    if (left.length > 0) part['required'] = left;
    else delete part['required'];
  }
}

function resolved(part: Part, walk: Walk): Part | undefined {
  try {
    return walk.references.resolve(part);
  } catch (error) {
    if (!(error instanceof PartProblem)) throw error;
    walk.note(error.message);
    return undefined;
  }
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapped(
  members: { readonly [name: string]: unknown },
  inner: (member: unknown) => Schema,
): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, inner(member)]));
}

/**
 * A schema that is one of several, with the names by which it is chosen as examples: many documents are not exact about
 * them, so that nothing is refused for their sake, but callers know what to say.
 */
function chosenBy(parent: object, inner: (member: unknown) => Schema): (member: unknown) => Schema {
  const discriminator = memberOf(parent, 'discriminator');
  const property = memberOf(discriminator, 'propertyName');
  const mapping = memberOf(discriminator, 'mapping');
  return (member) => {
    const schema = inner(member);
    const reference = memberOf(member, '$ref');
    if (typeof property !== 'string' || typeof reference !== 'string' || !isObject(schema)) return schema;
    const tags = declared(schema, property);
    if (tags.length === 0) return schema;
    const own = reference.slice(reference.lastIndexOf('/') + 1);
    const others = Object.entries(isObject(mapping) ? mapping : {}).filter(
      ([, to]) => to === reference || to === own,
    );
    const names = new Set([...others.map(([name]) => name), own]);
    const examples = [...names].filter((name) => tags.every((tag) => allows(tag, name)));
    if (examples.length === 0) return schema;
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const tag = { ...(memberOf(properties, property) as JsonObject | undefined), examples };
    return { ...schema, properties: { ...properties, [property]: tag } };
  };
}

/** A property as it is declared in a schema, and in the parts that it is made of. */
function declared(schema: unknown, name: string): readonly JsonObject[] {
  const parts = memberOf(schema, 'allOf');
  const own = memberOf(memberOf(schema, 'properties'), name);
  const inParts = Array.isArray(parts) ? parts.flatMap((part) => declared(part, name)) : [];
  return isObject(own) ? [own as JsonObject, ...inParts] : inParts;
}

function allows({ enum: values, const: only }: JsonObject, name: string): boolean {
  return (!Array.isArray(values) || values.includes(name)) && (only === undefined || only === name);
}

/** Exactly one of several that were cut is never true: the API decides between them. */
function addList(schema: Members, keyword: string, list: readonly Schema[]): void {
  if (list.length === 0) return;
  const name = keyword === 'oneOf' ? 'anyOf' : keyword;
  // A part that allows nothing beside itself forbids the other parts, which nobody means.
  for (const part of keyword === 'allOf' ? list : [])
    if (memberOf(part, 'additionalProperties') === false) delete (part as Members)['additionalProperties'];
  if (schema[name] === undefined) schema[name] = list;
  else schema['allOf'] = [...((schema['allOf'] as Json[] | undefined) ?? []), { [name]: list }];
}

/** Under these, leaving something out would forbid more instead of less. */
function addStrict(
  schema: Members,
  keyword: string,
  member: unknown,
  inner: (member: unknown) => Schema,
  walk: Walk,
): void {
  const wasCut = walk.isCut;
  walk.isCut = false;
  const converted = inner(member);
  if (!walk.isCut) schema[keyword] = converted;
  walk.isCut ||= wasCut;
}

function addItems(schema: Members, member: unknown, inner: (member: unknown) => Schema): void {
  if (Array.isArray(member)) schema['prefixItems'] = member.map(inner);
  else schema['items'] = inner(member);
}

/** OpenAPI 3.0 has `nullable`, Swagger an extension, JSON Schema a type. */
function withNull(schema: Members, value: object): Members {
  if (memberOf(value, 'nullable') !== true && memberOf(value, 'x-nullable') !== true) return schema;
  if (typeof schema['type'] === 'string') schema['type'] = [schema['type'], 'null'];
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(null))
    schema['enum'] = [...schema['enum'], null];
  if (Array.isArray(schema['anyOf'])) schema['anyOf'] = [...schema['anyOf'], { type: 'null' }];
  if (schema['allOf'] === undefined && schema['const'] === undefined) return schema;
  const { description, ...rest } = schema;
  const either = { anyOf: [rest, { type: 'null' }] };
  return description === undefined ? either : { description, ...either };
}

/** OpenAPI 3.0's bounds are exclusive by a flag, those of JSON Schema by their name. */
function withBounds(schema: Members, value: object): void {
  for (const [flag, bound] of BOUNDS) {
    if (memberOf(value, flag) !== true || schema[bound] === undefined) continue;
    schema[flag] = schema[bound];
    delete schema[bound];
  }
}

const BOUNDS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

const SCHEMA: ReadonlySet<string> = new Set(['additionalProperties', 'contains', 'propertyNames']);
const STRICT: ReadonlySet<string> = new Set(['not']);
const SCHEMAS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const CHOICES: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas']);
const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

type Plain = (value: unknown) => Json | undefined;

const text: Plain = (value) => (typeof value === 'string' ? value : undefined);
const number: Plain = (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const size: Plain = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
const flag: Plain = (value) => (typeof value === 'boolean' ? value : undefined);
const json: Plain = (value) => smallJson(value);

/** Keywords whose value is taken as it is, if it is one. */
const PLAIN: { readonly [keyword: string]: Plain } = {
  title: text,
  description: text,
  format: text,
  pattern: (value) => (typeof value === 'string' && isPattern(value) ? value : undefined),
  type: (value) => {
    if (!Array.isArray(value)) return TYPES.includes(value) ? (value as string) : undefined;
    const known = [...new Set(value.filter((type) => TYPES.includes(type)) as string[])];
    return known.length > 0 ? known : undefined;
  },
  required: (value) => {
    const names = Array.isArray(value)
      ? value.filter((name): name is string => typeof name === 'string')
      : [];
    return names.length > 0 ? [...new Set(names)] : undefined;
  },
  enum: (value) => (Array.isArray(value) && value.length > 0 ? smallJson(value) : undefined),
  const: json,
  default: json,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: (value) => (typeof value === 'number' && value > 0 ? value : undefined),
  minLength: size,
  maxLength: size,
  minItems: size,
  maxItems: size,
  minProperties: size,
  maxProperties: size,
  uniqueItems: flag,
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
};

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'u') !== undefined;
  } catch {
    return false; // the API checks it itself
  }
}

const MAX_JSON = 20_000;

/** Deeper than any example. */
const MAX_JSON_DEPTH = 100;

/** A value as JSON, if it is some and not too much. A few lines of YAML can stand for gigabytes: no more is looked at than is taken. */
function smallJson(value: unknown): Json | undefined {
  let left = MAX_JSON;
  function isSmall(part: unknown, depth: number): boolean {
    left -= typeof part === 'string' ? part.length + 2 : 1;
    if (left < 0 || depth > MAX_JSON_DEPTH) return false;
    if (typeof part !== 'object' || part === null) return true;
    for (const name in part) {
      left -= Array.isArray(part) ? 0 : name.length;
      if (!isSmall((part as { readonly [name: string]: unknown })[name], depth + 1)) return false;
    }
    return true;
  }
  if (!isSmall(value, 0)) return undefined;
  const said = JSON.stringify(value);
  return said === undefined || said.length > MAX_JSON ? undefined : (JSON.parse(said) as Json);
}
