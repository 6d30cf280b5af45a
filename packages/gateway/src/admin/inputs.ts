/** What somebody sends, held against its schema; every mistake is told, with what was probably meant. */
import type { Issue } from '@mayday/core';
import type { DoorFault } from '../http/refusals.ts';
import { nearest } from '../nearest.ts';
import { createValidators, type Validator, type Validators } from '../openapi/validate.ts';
import { no, type ObjectSchema } from './operation.ts';

type Values = { readonly [name: string]: unknown };

/** What was sent, or why it cannot be taken. */
export type Input = { readonly values: Values } | { readonly refused: DoorFault };

const NOTHING: ObjectSchema = { type: 'object', properties: {}, additionalProperties: false };

/** Made when they are first needed: most gateways start and are never asked. */
let validators: Validators | undefined;
const compiled = new WeakMap<ObjectSchema, Validator>();

function validatorOf(schema: ObjectSchema): Validator {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  validators ??= createValidators('own');
  const made = validators.compile(JSON.stringify(schema));
  compiled.set(schema, made);
  return made;
}

/** Holds the parts of a query against their schema; numbers are texts there. */
export function queryInput(query: string, schema: ObjectSchema = NOTHING): Input {
  const values: { [name: string]: unknown } = Object.create(null);
  const issues: Issue[] = [];
  for (const [name, said] of new URLSearchParams(query)) {
    if (Object.hasOwn(values, name)) issues.push(hereTwice(name));
    const { type } = Object.hasOwn(schema.properties, name) ? (schema.properties[name] ?? {}) : {};
    values[name] = type === 'integer' && /^\d{1,16}$/.test(said) ? Number(said) : said;
  }
  return checked({ ...values }, schema, issues, 'parameter');
}

/** Holds the members of a body against their schema. */
export function bodyInput(body: unknown, schema: ObjectSchema = NOTHING): Input {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { refused: no(400, { kind: 'invalid_arguments', message: 'A change is sent as a JSON object' }) };
  return checked(body as Values, schema, [], 'field');
}

function checked(values: Values, schema: ObjectSchema, odd: readonly Issue[], what: string): Input {
  const found = validatorOf(schema)(values, Object.keys(values).length).map((issue) =>
    explained(issue, schema, what),
  );
  const refused = refusalOf([...odd, ...found], what);
  return refused === undefined ? { values } : { refused };
}

/** Says no for what is wrong, in the words of the first of it. */
export function refusalOf(issues: readonly Issue[], what: string): DoorFault | undefined {
  const [first] = issues;
  if (first === undefined) return undefined;
  const message = `${String(first.path[0] ?? what)}: ${first.message}`;
  return no(400, { kind: 'invalid_arguments', message, issues });
}

/** Two of one name: readers differ in which of them counts. */
export function hereTwice(name: string): Issue {
  return { path: [name], message: 'It is here twice', code: 'twice' };
}

/** A pattern is no sentence; what the member is for is one. */
function explained(issue: Issue, { properties }: ObjectSchema, what: string): Issue {
  const [name] = issue.path;
  if (issue.code === 'unrecognized_key') {
    const known = Object.keys(properties);
    const close = nearest(String(name), known);
    const use = known.length === 0 ? 'none is taken here' : `known are ${known.join(', ')}`;
    const hint = close === undefined ? use : `did you mean ${close}?`;
    return { ...issue, path: [String(name).slice(0, 100)], message: `Unknown ${what}; ${hint}` };
  }
  const { description } = properties[String(name)] ?? {};
  if (issue.code !== 'invalid_format' || typeof description !== 'string') return issue;
  return { ...issue, message: `Expected ${description.charAt(0).toLowerCase()}${description.slice(1)}` };
}
