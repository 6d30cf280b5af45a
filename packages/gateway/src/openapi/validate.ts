/** Arguments against the schema of a tool: all issues, not just the first. */
import type { Issue } from '@mayday/core';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** Checks arguments; an empty list means that they fit. */
export type Validator = (args: unknown) => readonly Issue[];

const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, logger: false });
// The package is CommonJS: what it exports is its default, whichever way a loader wraps it.
const addFormats = (formats as unknown as { default?: typeof formats }).default ?? formats;
(addFormats as unknown as (target: unknown) => void)(ajv);

const MAX_ISSUES = 50;

/** Compiles a schema. One that cannot be compiled checks nothing: the API itself still does. */
export function createValidator(schema: object): Validator {
  let validate: ValidateFunction;
  try {
    validate = ajv.compile(schema);
    ajv.removeSchema(schema); // what is compiled stays; what it was compiled from would stay for ever
  } catch {
    return () => []; // a document with a broken schema is no reason to keep its operation from its callers
  }
  return (args) => (validate(args) ? [] : (validate.errors ?? []).slice(0, MAX_ISSUES).map(toIssue));
}

function toIssue(error: ErrorObject): Issue {
  const params = error.params as { [name: string]: unknown };
  const extra = params['missingProperty'] ?? params['additionalProperty'];
  const path = error.instancePath.split('/').slice(1).map(step);
  return {
    path: typeof extra === 'string' ? [...path, extra] : path,
    message: messageOf(error),
    code: CODES[error.keyword] ?? error.keyword,
  };
}

function step(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function messageOf(error: ErrorObject): string {
  if (error.keyword === 'required') return 'Required';
  if (error.keyword === 'additionalProperties') return 'Unknown argument';
  const allowed = (error.params as { allowedValues?: readonly unknown[] }).allowedValues;
  if (allowed !== undefined)
    return `Expected one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`;
  return `${(error.message ?? 'does not fit').replace(/^must /, 'Must ')}`;
}

const CODES: { readonly [keyword: string]: string } = {
  required: 'required',
  type: 'invalid_type',
  format: 'invalid_format',
  pattern: 'invalid_format',
  enum: 'invalid_value',
  const: 'invalid_value',
  additionalProperties: 'unrecognized_key',
  minimum: 'too_small',
  minLength: 'too_small',
  minItems: 'too_small',
  maximum: 'too_big',
  maxLength: 'too_big',
  maxItems: 'too_big',
};
