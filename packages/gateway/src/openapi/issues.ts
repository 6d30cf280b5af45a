/** What a validator says → issues that name a field, in words that say what to do about it. */
import type { Issue } from '@mayday/core';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { nearest } from '../nearest.ts';

/** How a file is given, for whoever gave something else. */
export const NO_FILE = 'Expected a file: an object with either text or base64';

/** More than this is not looked through: each alternative is held against the others. */
const MAX_ERRORS = 500;

/** The issues of some arguments. */
export function toIssues(errors: readonly ErrorObject[]): readonly Issue[] {
  return meant(errors.slice(0, MAX_ERRORS)).map(toIssue);
}

/**
 * Where none of several alternatives fits, the validator tells what is wrong with each of them. Told is what is wrong with the one that was meant: the
 * one that fits so far that only something inside it is wrong. Where there is none, what would have been possible.
 */
function meant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  // The innermost come first, as the validator tells them.
  let left = errors;
  for (const error of errors.filter(({ keyword }) => keyword === 'anyOf')) {
    const ofBranches = left.filter((other) => isBelow(other, error));
    if (ofBranches.length === 0) continue;
    const inside = [...new Set(ofBranches.map((other) => branchOf(other, error)))]
      .map((branch) => ofBranches.filter((other) => branchOf(other, error) === branch))
      .filter((branch) => !branch.some((other) => isAboutAll(other, error)));
    const best = bestOf(inside, error);
    const rest = left.filter((other) => other !== error && !ofBranches.includes(other));
    left = [...rest, ...(best ?? [eitherOf(error, ofBranches)])];
  }
  return left;
}

/** Of what is wrong with each alternative, that of the one which the value names, or else of the one that it fits best. */
function bestOf(branches: readonly Branch[], error: ErrorObject): Branch | undefined {
  const tagged = branches
    .map((branch) => ({ branch, wrong: wrongNames(branch, error) }))
    .toSorted((a, b) => a.wrong.size - b.wrong.size || a.branch.length - b.branch.length);
  for (const [instancePath, names] of tagged[0]?.wrong ?? []) {
    const each = tagged.map(({ wrong }) => wrong.get(instancePath));
    const isOneOfMany = each.every(
      (others, i) => others !== undefined && (i === 0 || !areSame(others, names)),
    );
    if (!isOneOfMany || each.length < 2) continue;
    const allowedValues = [...new Set(each.flat())];
    return [{ ...error, instancePath, keyword: 'enum', params: { allowedValues } }];
  }
  return tagged[0]?.branch;
}

type Branch = readonly ErrorObject[];

/** The members, by their paths, that say of the value that it is something else than this alternative, and what they would have to say. */
function wrongNames(branch: Branch, error: ErrorObject): ReadonlyMap<string, readonly unknown[]> {
  const wrong = new Map<string, readonly unknown[]>();
  for (const { instancePath, keyword, params } of branch) {
    const isMember = instancePath.lastIndexOf('/') === error.instancePath.length;
    if (isMember && keyword === 'enum')
      wrong.set(instancePath, params['allowedValues'] as readonly unknown[]);
    if (isMember && keyword === 'const') wrong.set(instancePath, [params['allowedValue']]);
  }
  const index = branch[0] === undefined ? '' : branchOf(branch[0], error);
  const { properties } = ((error.schema as readonly unknown[] | undefined)?.[Number(index)] ?? {}) as Named;
  for (const [name, said] of Object.entries((error.data ?? {}) as object)) {
    const examples = properties && Object.hasOwn(properties, name) ? properties[name]?.examples : undefined;
    if (examples !== undefined && !examples.includes(said))
      wrong.set(`${error.instancePath}/${escaped(name)}`, examples);
  }
  return wrong;
}

interface Named {
  readonly properties?: { readonly [name: string]: { readonly examples?: readonly unknown[] } };
}

function areSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value) => b.includes(value));
}

/** Does it come out of one of the alternatives, for the same value or something in it? */
function isBelow(
  { schemaPath, instancePath }: ErrorObject,
  { schemaPath: of, instancePath: at }: ErrorObject,
): boolean {
  return schemaPath.startsWith(`${of}/`) && (instancePath === at || instancePath.startsWith(`${at}/`));
}

function branchOf({ schemaPath }: ErrorObject, { schemaPath: of }: ErrorObject): string {
  return schemaPath.slice(of.length + 1).split('/')[0] ?? '';
}

/** Is the value as such not what was expected? */
function isAboutAll({ instancePath, keyword }: ErrorObject, { instancePath: at }: ErrorObject): boolean {
  return instancePath === at && WHOLE.has(keyword);
}

const WHOLE: ReadonlySet<string> = new Set(['type', 'enum', 'const']);

function eitherOf(error: ErrorObject, errors: readonly ErrorObject[]): ErrorObject {
  const own = errors.filter(({ instancePath }) => instancePath === error.instancePath);
  const words = [...new Set(own.map(messageOf))].map((said, i) =>
    i === 0 ? said : said.replace(/^[A-Z]/, (c) => c.toLowerCase()),
  );
  return { ...error, message: words.join(', or ') };
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

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function messageOf(error: ErrorObject): string {
  if (error.keyword === 'required') return 'Required';
  if (error.keyword === 'additionalProperties') return unknownArgument(error);
  if (wantsFile(error)) return NO_FILE;
  const allowed = (error.params as { allowedValues?: readonly unknown[] }).allowedValues;
  if (allowed !== undefined)
    return `Expected one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`;
  return `${(error.message ?? 'does not fit').replace(/^must /, 'Must ')}`;
}

interface Holding {
  readonly properties?: { readonly [name: string]: Holding };
}

/** Of a file, models are told no more than that it is an object. */
function wantsFile({ keyword, parentSchema }: ErrorObject): boolean {
  const { properties = {} } = (parentSchema ?? {}) as Holding;
  return keyword === 'type' && Object.hasOwn(properties, 'base64') && Object.hasOwn(properties, 'text');
}

function unknownArgument({ params, parentSchema }: ErrorObject): string {
  const { properties = {} } = (parentSchema ?? {}) as Holding;
  const name = String((params as { additionalProperty?: unknown }).additionalProperty);
  const inBody = Object.hasOwn(properties, 'body') ? properties['body']?.properties : undefined;
  if (inBody !== undefined && Object.hasOwn(inBody, name)) return 'Unknown argument; it belongs in body';
  const close = nearest(name, Object.keys(properties));
  return close === undefined ? 'Unknown argument' : `Unknown argument; did you mean ${close}?`;
}

const CODES: { readonly [keyword: string]: string } = {
  required: 'required',
  type: 'invalid_type',
  format: 'invalid_format',
  pattern: 'invalid_format',
  enum: 'invalid_value',
  const: 'invalid_value',
  anyOf: 'invalid_value',
  additionalProperties: 'unrecognized_key',
  minimum: 'too_small',
  minLength: 'too_small',
  minItems: 'too_small',
  maximum: 'too_big',
  maxLength: 'too_big',
  maxItems: 'too_big',
};
