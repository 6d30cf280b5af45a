/**
 * What is wrong with a tool's arguments, issue by issue. The SDK has already refused them, in one flat
 * sentence; asking the schema once more, on failures only, gives each issue its path and code and costs a
 * successful call nothing.
 */
import { type FaultError, fault, type Issue } from '@mayday/core';
import type { JsonSchema } from '../words/tool-schema.ts';
import { nearest } from './nearest.ts';

/** One issue, as validators that follow Standard Schema report it, and the members that Zod adds. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: unknown;
  readonly expected?: unknown;
  readonly keys?: unknown;
}

interface StandardSchema {
  readonly '~standard': {
    validate(value: unknown): Result | Promise<Result>;
    readonly jsonSchema?: { input(options: { target: string }): JsonSchema };
  };
  readonly shape?: object;
  readonly _def?: { readonly unknownKeys?: unknown; readonly catchall?: unknown };
}

type Result = { readonly issues?: readonly StandardIssue[] | undefined; readonly value?: unknown };

/** A schema that follows Standard Schema: Zod's, Valibot's, ArkType's. */
export interface ArgumentsSchema<T> {
  readonly '~standard': {
    validate(value: unknown): Result | Promise<Result>;
    readonly types?: { readonly output: T } | undefined;
  };
}

/** What a schema said itself, by the fault that was made of it. */
const spelt = new WeakMap<FaultError, readonly Issue[]>();

/** The issues of a fault in the words of the schema that found them; `undefined` where none did. */
export function schemasIssues(thrown: FaultError): readonly Issue[] | undefined {
  return spelt.get(thrown);
}

/** The fault for arguments that a tool's schema refuses; `sentence` is what the SDK said about them, if anything. */
export async function invalidArguments(
  thing: 'tool' | 'prompt',
  name: string,
  schema: unknown,
  args: unknown,
  sentence?: string,
): Promise<FaultError> {
  const found = await foundBy(schema, args);
  const issues = found === undefined ? issuesFromSentence(sentence) : told(found, schema, args);
  const thrown = fault.invalidArguments(`Invalid arguments for ${thing} ${name}`, {
    issues,
    subject: { type: thing, id: name },
  });
  if (found !== undefined) spelt.set(thrown, found.map(asFound));
  return thrown;
}

/**
 * The arguments as a tool's schema takes them, for those who call the tool's work in another way: what it refuses is
 * thrown as the fault that a caller over MCP gets, word for word.
 */
export async function checkArguments<T>(tool: string, schema: ArgumentsSchema<T>, args: unknown): Promise<T> {
  const checked = await schema['~standard'].validate(args ?? {});
  if (checked.issues === undefined) return checked.value as T;
  throw await invalidArguments('tool', tool, schema, args);
}

/** What a schema finds in arguments; `undefined` where it cannot be asked, or finds nothing. */
async function foundBy(schema: unknown, args: unknown): Promise<readonly StandardIssue[] | undefined> {
  try {
    const result = await (schema as StandardSchema | undefined)?.['~standard'].validate(args ?? {});
    return result?.issues === undefined || result.issues.length === 0 ? undefined : result.issues;
  } catch {
    return undefined; // a schema that throws has no issues to tell
  }
}

/** The same for a caller: shorter, and with what was probably meant. */
function told(found: readonly StandardIssue[], schema: unknown, args: unknown): readonly Issue[] {
  const known = knownKeys(schema);
  const given = typeof args === 'object' && args !== null ? Object.keys(args) : [];
  const strangers = given.filter((key) => !known.includes(key));
  const issues = found.flatMap((issue) => toIssues(issue, isAbsent(issue, args)));
  return withSuggestions(issues, strangers, known);
}

/** What is not there has no type and no value; not every validator says so. */
const OF_VALUES: ReadonlySet<unknown> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

function isAbsent(issue: StandardIssue, args: unknown): boolean {
  if (!OF_VALUES.has(issue.code)) return false;
  const path = pathOf(issue);
  let value: unknown = args ?? {};
  for (const key of path)
    value = Object.hasOwn(Object(value), key) ? (value as { [key: string]: unknown })[key] : undefined;
  return path.length > 0 && value === undefined;
}

/** The keys that a schema knows, where it can say. */
function knownKeys(schema: unknown): readonly string[] {
  return Object.keys(Object(jsonSchemaOf(schema)?.['properties']));
}

/** What a schema of Standard Schema takes, as JSON Schema, as far as it can say. */
export function jsonSchemaOf(schema: unknown): JsonSchema | undefined {
  const { shape, '~standard': standard, _def: definition } = Object(schema) as Partial<StandardSchema>;
  try {
    const json = standard?.jsonSchema?.input({ target: 'draft-2020-12' });
    if (json !== undefined) return json;
  } catch {
    // What has no JSON form may still have a shape.
  }
  if (typeof shape !== 'object' || shape === null) return undefined;
  // Zod 3 says that it lets others through, Zod 4 what they have to be.
  const takesOthers = definition?.unknownKeys === 'passthrough' || isAny(definition?.catchall);
  return { properties: shape, additionalProperties: takesOthers };
}

function isAny(catchall: unknown): boolean {
  const { type, typeName } = Object(Object(catchall)._def) as { type?: unknown; typeName?: unknown };
  return catchall !== undefined && type !== 'never' && typeName !== 'ZodNever';
}

/** Where it is. */
export function pathOf(issue: Pick<StandardIssue, 'path'>): Issue['path'] {
  return (issue.path ?? [])
    .map((segment) => (typeof segment === 'object' ? segment.key : segment))
    .map((key) => (typeof key === 'number' ? key : String(key)));
}

function asFound(issue: StandardIssue): Issue {
  const path = pathOf(issue);
  return typeof issue.code === 'string'
    ? { path, message: issue.message, code: issue.code }
    : { path, message: issue.message };
}

/** Issues as validators that follow Standard Schema report them. Zod's extra members are used where present. */
export function toIssues(issue: StandardIssue, isAbsent = false): readonly Issue[] {
  const path = pathOf(issue);
  if (issue.code === 'unrecognized_keys' && Array.isArray(issue.keys)) {
    return issue.keys.map((key) => ({
      path: [...path, String(key)],
      message: 'unknown argument',
      code: 'unrecognized_keys',
    }));
  }
  const missing = isAbsent || /received undefined$/.test(issue.message);
  const choice = /^Invalid option: expected (.+)$/.exec(issue.message)?.[1];
  const expected = typeof issue.expected === 'string' ? issue.expected : choice;
  const code = missing ? 'required' : typeof issue.code === 'string' ? issue.code : undefined;
  const message = missing
    ? `required${expected === undefined ? '' : `, expected ${expected}`}`
    : shorten(issue, expected);
  return [{ path, message, ...(code === undefined ? {} : { code }) }];
}

/** `Invalid input: expected number, received string` → `expected number, received string`. */
function shorten(issue: StandardIssue, expected: string | undefined): string {
  const message = issue.message.replace(/^Invalid (?:input|option): (?=expected)/, '');
  return expected === undefined || /expected/i.test(message) ? message : `${message}, expected ${expected}`;
}

/** A stranger among the given keys explains a missing one; a stranger near a known key was meant to be it. */
function withSuggestions(
  issues: readonly Issue[],
  strangers: readonly string[],
  known: readonly string[],
): readonly Issue[] {
  const missing = issues.filter((issue) => issue.code === 'required' && issue.path.length === 1).length;
  return issues.map((issue) => {
    const key = issue.path.length === 1 ? String(issue.path[0]) : undefined;
    if (key === undefined) return issue;
    if (issue.code === 'unrecognized_keys') {
      const meant = nearest(key, known);
      return meant === undefined ? issue : { ...issue, message: `unknown argument, did you mean ${meant}?` };
    }
    if (issue.code !== 'required') return issue;
    const given =
      strangers.find((stranger) => nearest(stranger, known) === key) ??
      // One key is missing and one is not known: whatever it is called, it was probably meant.
      (missing === 1 && strangers.length === 1 ? strangers[0] : undefined);
    return given === undefined
      ? issue
      : { ...issue, message: `${issue.message} (you sent ${given.slice(0, 64)}, did you mean ${key}?)` };
  });
}

const SENTENCE = /^(?:MCP error -?\d+: )*Input validation error: Invalid arguments for tool .*?: ([\s\S]*)$/;

/** v2's flat list, `n: Too small, when: Invalid date`, or v1's dump, when the schema cannot be asked. */
function issuesFromSentence(sentence: string | undefined): readonly Issue[] {
  const rest = sentence === undefined ? undefined : SENTENCE.exec(sentence)?.[1];
  if (rest === undefined) return [];
  return issuesFromDump(rest) ?? [{ path: [], message: rest }];
}

/** The issues in a message that is nothing but a validator's JSON. */
export function issuesFromDump(message: string): readonly Issue[] | undefined {
  const start = message.indexOf('[');
  if (start < 0) return undefined;
  try {
    const parsed: unknown = JSON.parse(message.slice(start));
    if (!Array.isArray(parsed) || !parsed.every((item) => typeof item?.message === 'string'))
      return undefined;
    return parsed.flatMap((item) => toIssues(item as StandardIssue));
  } catch {
    return undefined; // ordinary prose
  }
}
