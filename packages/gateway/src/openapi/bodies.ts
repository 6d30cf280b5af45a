/** The body of a request, as an argument of a tool. Runs in a worker. */
import type { JsonObject } from '@mayday/core';
import { type SchemaContext, toJsonSchema } from './json-schema.ts';
import { memberOf, type Part } from './references.ts';
import type { Names } from './tool-names.ts';

/** The body of a request. */
export interface OperationBody {
  /** The name of the tool's argument. */
  readonly argument: string;
  /** The media type. */
  readonly type: string;
  /** How the argument becomes bytes. */
  readonly form: 'json' | 'text' | 'file' | 'fields' | 'parts';
  /** Members of a form that are written otherwise than most. */
  readonly fields?: { readonly [name: string]: FieldStyle } | undefined;
}

/** How a member of a form is written. */
export interface FieldStyle {
  /** As `name[key]=value`. */
  readonly inBrackets?: true | undefined;
  /** All of a list in one field, between these. */
  readonly separator?: string | undefined;
  /** It is a file, or a list of them. */
  readonly isFile?: true | undefined;
  /** The media type of its part. */
  readonly type?: string | undefined;
}

/** A body as it was found. */
export interface FoundBody extends OperationBody {
  readonly property: readonly [string, JsonObject];
  readonly isRequired: boolean;
}

/** Media types that can be written, best first. */
const WRITABLE: readonly RegExp[] = [
  /^application\/json$/,
  // Of the ways to say a change, the one whose body looks like what it changes.
  /^application\/merge-patch\+json$/,
  /^(?!application\/json-patch).*\+json$/,
  /\+json$/,
  /^application\/x-www-form-urlencoded$/,
  /^multipart\/form-data$/,
  /^text\/(?:plain|\*)$/,
  /^(?!multipart\/)/,
];

/** What a file is to a model: it has no other way to say bytes. */
const FILE: JsonObject = {
  type: 'object',
  description: 'A file: its content as `text`, or as `base64` when it is no text.',
  properties: {
    text: { type: 'string' },
    base64: { type: 'string', contentEncoding: 'base64' },
    filename: { type: 'string' },
    type: { type: 'string', description: 'Its media type, such as image/png.' },
  },
  additionalProperties: false,
};

/** The body, if there is one; a string when the operation needs one that cannot be sent. */
export function bodyOf(part: Part, names: Names, context: SchemaContext): FoundBody | string | undefined {
  if (part.value === undefined) return undefined;
  const { value, document } = context.references.resolve(part);
  const content = memberOf(value, 'content');
  const types = Object.keys(typeof content === 'object' && content !== null ? content : {});
  const isRequired = memberOf(value, 'required') === true;
  const best = WRITABLE.map((known) => types.find((type) => known.test(plain(type)))).find(
    (type) => type !== undefined,
  );
  if (best === undefined) {
    return isRequired && types.length > 0
      ? `a body of type ${types.join(', ').slice(0, 200)} cannot be sent`
      : undefined;
  }
  const media = memberOf(content, best);
  const given: Part = { value: memberOf(media, 'schema') ?? {}, document };
  const argument = names.take('body', 'the body');
  const form = formOf(plain(best), given, context);
  const common = { argument, form, isRequired, type: typeOf(plain(best), form) };
  if (form === 'file')
    return { ...common, property: [argument, described(FILE, memberOf(value, 'description'))] };
  // Nothing here writes XML: whoever calls does.
  const schema = XML_TYPE.test(common.type)
    ? { type: 'string', description: `The body, as ${common.type}.` }
    : patchSchema(common.type, asWritten(form, toJsonSchema(given, context)));
  if (form !== 'fields' && form !== 'parts') return { ...common, property: [argument, schema] };
  const files = form === 'parts' ? filesOf(given, context) : new Map<string, 'file' | 'list'>();
  const fields = fieldsOf(memberOf(media, 'encoding'), files);
  return { ...common, fields, property: [argument, withFiles(schema, files)] };
}

/** A text is sent as it is: who calls it bytes means bytes of text. */
function asWritten(form: OperationBody['form'], schema: JsonObject): JsonObject {
  const { format, contentEncoding, ...rest } = schema;
  return form === 'text' && (format === 'byte' || contentEncoding === 'base64') ? rest : schema;
}

/** A JSON Patch is a list, whatever a document says of all the types of a body at once. */
function patchSchema(type: string, schema: JsonObject): JsonObject {
  return type === 'application/json-patch+json' && schema['type'] === 'object' ? JSON_PATCH : schema;
}

const JSON_PATCH: JsonObject = {
  type: 'array',
  description: 'A JSON Patch: changes that are made one after the other.',
  items: {
    type: 'object',
    properties: {
      op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
      path: { type: 'string', description: 'Where, as a JSON Pointer such as /spec/replicas.' },
      from: { type: 'string', description: 'From where, for move and copy.' },
      value: {},
    },
    required: ['op', 'path'],
  },
};

function plain(type: string): string {
  return type.split(';')[0]?.trim().toLowerCase() ?? '';
}

const XML_TYPE = /[/+]xml$/;
const JSON_TYPE = /[/+]json$/;
const TEXT_TYPE = /^text\/|[/+](?:xml|yaml|x-yaml|javascript|csv|x-ndjson|ndjson|graphql|sql)$/;

function formOf(type: string, schema: Part, { references }: SchemaContext): OperationBody['form'] {
  if (JSON_TYPE.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'fields';
  if (type === 'multipart/form-data') return 'parts';
  const { value } = references.resolve(schema);
  if (isBinary(value)) return 'file';
  const kind = memberOf(value, 'type');
  if (type.includes('*')) return kind === 'string' ? 'text' : kind === undefined ? 'file' : 'json';
  return TEXT_TYPE.test(type) || (kind !== undefined && kind !== 'string') ? 'text' : 'file';
}

/** A range such as `image/*` is no type to send. */
function typeOf(type: string, form: OperationBody['form']): string {
  if (/^[\w.+-]+\/[\w.+-]+$/.test(type)) return type;
  return { file: 'application/octet-stream', text: 'text/plain' }[form as string] ?? 'application/json';
}

function isBinary(schema: unknown): boolean {
  const format = memberOf(schema, 'format');
  if (format === 'binary' || memberOf(schema, 'type') === 'file') return true;
  const media = memberOf(schema, 'contentMediaType');
  if (typeof media !== 'string' || memberOf(schema, 'contentEncoding') !== undefined) return false;
  return !JSON_TYPE.test(media) && !TEXT_TYPE.test(media);
}

/** The members of a schema, and of its parts, that are files. */
function filesOf(schema: Part, { references }: SchemaContext): Map<string, 'file' | 'list'> {
  const files = new Map<string, 'file' | 'list'>();
  const waiting: Part[] = [schema];
  for (let turn = 0; turn < MAX_PARTS && waiting.length > 0; turn++) {
    const { value, document } = references.resolve(waiting.shift() as Part);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const parts = memberOf(value, keyword);
      for (const part of Array.isArray(parts) ? (parts as unknown[]) : [])
        waiting.push({ value: part, document });
    }
    for (const [name, member] of entriesOf(memberOf(value, 'properties'))) {
      const found = references.resolve({ value: member, document });
      const items = memberOf(found.value, 'items');
      if (isBinary(found.value)) files.set(name, 'file');
      else if (items !== undefined && isBinary(references.resolve({ ...found, value: items }).value))
        files.set(name, 'list');
    }
  }
  return files;
}

/** More parts than this has no schema that a model could fill in. */
const MAX_PARTS = 50;

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(typeof value === 'object' && value !== null ? value : {});
}

/** The same schema, with files in place of texts. */
function withFiles(schema: JsonObject, files: ReadonlyMap<string, 'file' | 'list'>): JsonObject {
  if (files.size === 0) return schema;
  const own = new Map(entriesOf(schema['properties']));
  for (const [name, what] of files) {
    if (!own.has(name)) continue;
    const file = described(FILE, memberOf(own.get(name), 'description'));
    own.set(name, what === 'file' ? file : { type: 'array', items: file });
  }
  const changed: { [keyword: string]: unknown } = { ...schema, properties: Object.fromEntries(own) };
  for (const keyword of ['allOf', 'anyOf']) {
    const parts = schema[keyword];
    if (Array.isArray(parts)) changed[keyword] = parts.map((part) => withFiles(part as JsonObject, files));
  }
  return changed as JsonObject;
}

function described(schema: JsonObject, more: unknown): JsonObject {
  if (typeof more !== 'string' || more.trim() === '') return schema;
  return { ...schema, description: `${more.trim()} ${String(schema['description'])}` };
}

const SEPARATORS: { readonly [style: string]: string } = { spaceDelimited: ' ', pipeDelimited: '|' };

/** How the members of a form are written, as far as the document says anything about it. */
function fieldsOf(
  encoding: unknown,
  files: ReadonlyMap<string, unknown>,
): NonNullable<OperationBody['fields']> {
  const fields = new Map<string, FieldStyle>([...files.keys()].map((name) => [name, { isFile: true }]));
  for (const [name, how] of entriesOf(encoding)) {
    const style = memberOf(how, 'style');
    const type = memberOf(how, 'contentType');
    const isJoined = memberOf(how, 'explode') === false;
    const found: FieldStyle = {
      ...fields.get(name),
      ...(style === 'deepObject' ? { inBrackets: true } : {}),
      ...(isJoined && style !== 'deepObject' ? { separator: SEPARATORS[String(style)] ?? ',' } : {}),
      ...(typeof type === 'string' && SENDABLE.test(firstOf(type)) ? { type: firstOf(type) } : {}),
    };
    if (Object.keys(found).length > 0) fields.set(name, found);
  }
  return Object.fromEntries(fields);
}

/** Of several media types, the first; a file may say which it is. */
function firstOf(types: string): string {
  return types.split(',')[0]?.trim() ?? '';
}

/** One media type, rather than a range. */
const SENDABLE = /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/;
