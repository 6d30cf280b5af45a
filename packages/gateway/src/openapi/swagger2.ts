/**
 * Swagger 2.0, said in the words of OpenAPI 3. Schemas stay where they are, so that what they refer to is still seen
 * from there. Runs in a worker.
 */
import { memberOf, type Part, type References } from './references.ts';

type Members = { readonly [name: string]: unknown };

/** What the operations of a Swagger document are seen from. */
export interface Swagger {
  readonly root: unknown;
  readonly references: References;
}

/** Is it a document of Swagger 2.0? */
export function isSwagger(root: unknown): boolean {
  const version = memberOf(root, 'swagger');
  return version === '2.0' || version === 2; // as YAML reads it without quotes
}

/** Where its API is, as `servers`. */
export function serversOfSwagger(root: unknown, at: URL): readonly Members[] {
  const host = memberOf(root, 'host');
  const path = memberOf(root, 'basePath');
  const base = typeof path === 'string' ? path : '/';
  if (typeof host !== 'string' || host === '') return [{ url: base }];
  const schemes = textsOf(memberOf(root, 'schemes'));
  const own = at.protocol === 'file:' ? 'https' : at.protocol.slice(0, -1);
  const scheme = schemes.length === 0 ? own : schemes.includes('https') ? 'https' : schemes[0];
  return [{ url: `${scheme}://${host}${base.startsWith('/') ? '' : '/'}${base}` }];
}

/** An operation of a path, and the parameters that it shares with the others there. */
export interface ModernOperation {
  readonly shared: unknown;
  readonly operation: Members;
}

/** An operation with a `requestBody`, and parameters with a `schema`. */
export function modernOperation(item: Part, operation: unknown, swagger: Swagger): ModernOperation {
  const { document } = item;
  const read = (list: unknown): readonly Given[] =>
    (Array.isArray(list) ? (list as unknown[]) : []).map((value) => ({
      value,
      found: swagger.references.resolve({ value, document }).value,
    }));
  const shared = read(memberOf(item.value, 'parameters'));
  const own = read(memberOf(operation, 'parameters'));
  const names = new Set(own.map(keyOf));
  const ofBody = [...shared.filter((given) => !names.has(keyOf(given))), ...own].filter(isOfBody);
  const consumes = textsOf(memberOf(operation, 'consumes') ?? memberOf(swagger.root, 'consumes'));
  const produces = textsOf(memberOf(operation, 'produces') ?? memberOf(swagger.root, 'produces'));
  const body = bodyOf(ofBody, consumes);
  return {
    shared: shared.filter((given) => !isOfBody(given)).map(parameterOf),
    operation: {
      ...(operation as Members),
      parameters: own.filter((given) => !isOfBody(given)).map(parameterOf),
      ...(body === undefined ? {} : { requestBody: body }),
      responses: { 200: { content: Object.fromEntries(produces.map((type) => [type, {}])) } },
    },
  };
}

/** A parameter as it stands there, and what it is when its reference has been followed. */
interface Given {
  readonly value: unknown;
  readonly found: unknown;
}

function keyOf({ found }: Given): string {
  const place = memberOf(found, 'in');
  return place === 'body' ? 'body' : `${String(place)} ${String(memberOf(found, 'name'))}`;
}

function isOfBody({ found }: Given): boolean {
  const place = memberOf(found, 'in');
  return place === 'body' || place === 'formData';
}

/** The place of a parameter's own schema: the parameter itself is one, as far as it says anything about its values. */
function schemaOf({ value, found }: Given): Members {
  const type = memberOf(found, 'type');
  if (type === 'file')
    return { type: 'string', format: 'binary', description: memberOf(found, 'description') };
  return value as Members;
}

function parameterOf(given: Given): Members {
  const { found } = given;
  return {
    name: memberOf(found, 'name'),
    in: memberOf(found, 'in'),
    required: memberOf(found, 'required'),
    description: memberOf(found, 'description'),
    'x-multi-segment': memberOf(found, 'x-multi-segment'),
    schema: schemaOf(given),
    ...styleOf(found),
  };
}

/** How lists are written. */
function styleOf(found: unknown): Members {
  const format = memberOf(found, 'collectionFormat');
  if (format === 'ssv') return { style: 'spaceDelimited', explode: false };
  if (format === 'pipes') return { style: 'pipeDelimited', explode: false };
  return memberOf(found, 'in') === 'query' || memberOf(found, 'in') === 'formData'
    ? { style: 'form', explode: format === 'multi' }
    : {};
}

const MULTIPART = 'multipart/form-data';
const FORM = 'application/x-www-form-urlencoded';

function bodyOf(given: readonly Given[], consumes: readonly string[]): Members | undefined {
  const [whole] = given.filter(({ found }) => memberOf(found, 'in') === 'body');
  if (whole !== undefined) {
    const reference = memberOf(whole.value, '$ref');
    const schema =
      typeof reference === 'string' ? { $ref: `${reference}/schema` } : memberOf(whole.found, 'schema');
    const types = consumes.filter((type) => type !== MULTIPART && type !== FORM);
    const content = (types.length === 0 ? ['application/json'] : types).map((type) => [type, { schema }]);
    return { required: memberOf(whole.found, 'required'), content: Object.fromEntries(content) };
  }
  if (given.length === 0) return undefined;
  const nameOf = ({ found }: Given): string => String(memberOf(found, 'name'));
  const isNeeded = ({ found }: Given): boolean => memberOf(found, 'required') === true;
  const hasFile = given.some(({ found }) => memberOf(found, 'type') === 'file');
  const type = hasFile || (consumes.includes(MULTIPART) && !consumes.includes(FORM)) ? MULTIPART : FORM;
  const schema = {
    type: 'object',
    properties: Object.fromEntries(given.map((one) => [nameOf(one), schemaOf(one)])),
    required: given.filter(isNeeded).map(nameOf),
  };
  const encoding = Object.fromEntries(given.map((one) => [nameOf(one), styleOf(one.found)]));
  return { required: given.some(isNeeded), content: { [type]: { schema, encoding } } };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
