/** The parameters of an operation, as arguments of a tool. Runs in a worker. */
import type { JsonObject } from '@mayday/core';
import { isReserved } from '../header-names.ts';
import { isOfTheOperator } from './given-names.ts';
import { type SchemaContext, toJsonSchema } from './json-schema.ts';
import { isPlainName, type PathTemplates, type QueryTemplate, unfilled } from './path-templates.ts';
import { memberOf, type Part, PartProblem } from './references.ts';
import { createNames, type Names } from './tool-names.ts';

/** What operations are read with. */
export interface OperationsContext extends SchemaContext {
  /** What the operator gives each request, as `header x-api-key`, or `cookie *` for all of them: nobody else is asked for it. */
  readonly given?: ReadonlySet<string> | undefined;
  /** The header in which the API takes idempotency keys, though its document does not say so. */
  readonly keyHeader?: string | undefined;
}

/** Where an argument goes. */
export interface Parameter {
  /** The name of the tool's argument. */
  readonly argument: string;
  /** The name on the wire. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly style: 'form' | 'deepObject' | 'spaceDelimited' | 'pipeDelimited' | 'label' | 'matrix' | 'json';
  readonly explode: boolean;
  /** The document says that it may go on over several segments of a path. */
  readonly spansSegments: boolean;
  /** It makes a repeated call known to the API: it is filled from the call's key, and no argument. */
  readonly isIdempotencyKey: boolean;
  readonly isRequired: boolean;
  /** What goes there is a number. */
  readonly isNumber?: true | undefined;
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
  templates: PathTemplates,
  context: OperationsContext,
): FoundParameters {
  const own = { value: memberOf(operation.value, 'parameters'), document: operation.document };
  const names = createNames('.');
  const parameters: Parameter[] = [];
  const properties: [string, JsonObject][] = [];
  const required: string[] = [];
  for (const part of merged(shared, own, templates, context)) {
    if (parameters.length === MAX_PARAMETERS)
      throw new PartProblem(`it has more than ${MAX_PARAMETERS} parameters`);
    const place = memberOf(part.value, 'in');
    const name = memberOf(part.value, 'name');
    if (typeof name !== 'string' || !isPlace(place)) continue;
    if (place === 'header' && isReserved(name)) continue;
    if ((place === 'header' || place === 'cookie') && !TOKEN.test(name)) continue;
    if (isGiven(place, name, context)) continue;
    const isKey = place === 'header' && (IDEMPOTENCY_KEY.test(name) || isNamed(name, context.keyHeader));
    const argument = isKey ? name : names.take(part.called ?? name, `${place} ${name}`);
    const isRequired = memberOf(part.value, 'required') === true || place === 'path';
    const schema = schemaOf(part, context);
    parameters.push({
      argument,
      name,
      in: place,
      ...styleOf(part, place, templates.path, context),
      isIdempotencyKey: isKey,
      isRequired,
      ...(schema['type'] === 'integer' || schema['type'] === 'number' ? { isNumber: true } : {}),
    });
    // What goes out there is made of the call's own key: said by callers, it could be another caller's, or none.
    if (isKey) continue;
    properties.push([argument, described(schema, part.value, argument, name)]);
    if (isRequired) required.push(argument);
  }
  return { parameters, properties, required, names };
}

const IDEMPOTENCY_KEY = /^(?:x-)?idempoten(?:cy|t|ce)[-_]?key$/i;

/** What names of headers and cookies are made of. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Does the operator give it? */
function isGiven(place: Parameter['in'], name: string, { given = new Set() }: OperationsContext): boolean {
  const own = [...given].flatMap((said) =>
    said.startsWith(`${place} `) ? [said.slice(place.length + 1)] : [],
  );
  if (place === 'query') return isOfTheOperator(name, own);
  return own.includes('*') || own.includes(place === 'header' ? name.toLowerCase() : name);
}

function isNamed(name: string, wanted: string | undefined): boolean {
  return wanted !== undefined && name.toLowerCase() === wanted.toLowerCase();
}

function isPlace(place: unknown): place is Parameter['in'] {
  return place === 'path' || place === 'query' || place === 'header' || place === 'cookie';
}

/** A parameter as it is declared, or would be. */
interface Declared extends Part {
  /** What callers know it by, where it goes out under another name. */
  readonly called?: string;
}

type DeclaredByPlace = Map<`${string} ${string}`, Declared>;

/** An operation's own parameter replaces the path's one of the same name and place; none of the path is missing, and none is lost. */
function merged(
  shared: Part,
  own: Part,
  { names, fixed, inQuery }: PathTemplates,
  context: OperationsContext,
): readonly Declared[] {
  const { references, keyHeader } = context;
  const all: DeclaredByPlace = new Map();
  for (const { value, document } of [shared, own]) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : []) {
      const found = references.resolve({ value: item, document });
      all.set(`${String(memberOf(found.value, 'in'))} ${String(memberOf(found.value, 'name'))}`, found);
    }
  }
  const undeclared = (name: string): Declared => {
    if (!isPlainName(name)) throw unfilled();
    return { value: { name, in: 'path', schema: { type: 'string' } }, document: own.document };
  };
  for (const name of names) if (!all.has(`path ${name}`)) all.set(`path ${name}`, undeclared(name));
  // What the path says itself stands: it is not asked for, and not said twice.
  for (const name of fixed) all.delete(`query ${name}`);
  for (const template of inQuery) intoQuery(template, all, names, undeclared);
  for (const [key, { value }] of all)
    if (key.startsWith('path ') && !names.has(String(memberOf(value, 'name'))))
      throw new PartProblem(`its path has no place for ${JSON.stringify(memberOf(value, 'name'))}`);
  const isDeclared = [...all.values()].some(({ value }) =>
    IDEMPOTENCY_KEY.test(String(memberOf(value, 'name'))),
  );
  if (keyHeader !== undefined && !isDeclared) {
    const value = { name: keyHeader, in: 'header', schema: { type: 'string' } };
    all.set(`header ${keyHeader}`, { value, document: own.document });
  }
  return [...all.values()];
}

/** What a template has in the query goes out there once, wherever it is declared to be. */
function intoQuery(
  { key, name, isOptional }: QueryTemplate,
  all: DeclaredByPlace,
  inPath: ReadonlySet<string>,
  undeclared: (name: string) => Declared,
): void {
  const ofQuery = all.get(`query ${name}`);
  if (key === name && ofQuery !== undefined) {
    if (!inPath.has(name)) all.delete(`path ${name}`);
    return;
  }
  // One argument in two places, or two in one.
  if (inPath.has(name) || all.has(`query ${key}`)) throw unfilled();
  const ofPath = all.get(`path ${name}`) ?? (ofQuery === undefined ? undeclared(name) : undefined);
  const { value, document } = ofPath ?? (ofQuery as Declared);
  const more =
    ofPath === undefined ? {} : { required: !isOptional, explode: memberOf(value, 'explode') === true };
  all.delete(ofPath === undefined ? `query ${name}` : `path ${name}`);
  all.set(`query ${key}`, {
    value: { ...(value as object), ...more, in: 'query', name: key },
    document,
    called: name,
  });
}

const STYLES: { readonly [place in Parameter['in']]: readonly unknown[] } = {
  path: ['label', 'matrix'],
  query: ['deepObject', 'spaceDelimited', 'pipeDelimited'],
  header: [],
  cookie: [],
};

function styleOf(
  part: Part,
  place: Parameter['in'],
  path: string,
  context: OperationsContext,
): Pick<Parameter, 'style' | 'explode' | 'spansSegments'> {
  const { value } = part;
  const style = memberOf(value, 'style');
  const explode = memberOf(value, 'explode');
  const isKnown = STYLES[place].includes(style);
  return {
    style:
      memberOf(value, 'content') !== undefined ? 'json' : isKnown ? (style as Parameter['style']) : 'form',
    explode:
      typeof explode === 'boolean' ? explode : place === 'query' && (!isKnown || style === 'deepObject'),
    spansSegments: place === 'path' && spansSegments(part, path, context),
  };
}

/** Does the document say that it may go on over several segments of a path? Its pattern may have to. */
function spansSegments({ value, document }: Part, path: string, { references }: OperationsContext): boolean {
  if (memberOf(value, 'allowReserved') === true || memberOf(value, 'x-multi-segment') === true) return true;
  const name = String(memberOf(value, 'name'));
  if ([`{+${name}}`, `{${name}+}`, `{${name}*}`].some((template) => path.includes(template))) return true;
  const schema = memberOf(value, 'schema');
  const pattern = schema === undefined ? undefined : memberOf(resolved(schema), 'pattern');
  if (typeof pattern !== 'string') return false;
  const outsideOfClasses = pattern.replace(/\[(?:[^\]\\]|\\.)*\]/g, '').replaceAll('\\/', '/');
  return outsideOfClasses.includes('/') && !outsideOfClasses.includes('//'); // a whole URL is one name

  function resolved(of: unknown): unknown {
    return references.resolve({ value: of, document }).value;
  }
}

function schemaOf({ value, document }: Part, context: OperationsContext): JsonObject {
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
