/** Arguments against the schema of a tool: all issues, not just the first, and never more work than their size. */
import { createRequire } from 'node:module';
import type { Issue } from '@mayday/core';
import type { Ajv2020, Options, ValidateFunction } from 'ajv/dist/2020.js';
import { toIssues } from './issues.ts';

/** Checks arguments, given how many values they hold; an empty list means that they fit. */
export type Validator = (args: unknown, size: number) => readonly Issue[];

/** Arguments with more values than this are told their first issue only: a million issues fill the memory. */
const MAX_SIZE = 10_000;
const MAX_ISSUES = 50;

/** Loaded when it is first needed: most gateways have no document, and it has ninety files. */
const require = createRequire(import.meta.url);

const ajvModule = (): typeof import('ajv/dist/2020.js') => require('ajv/dist/2020.js');
const formatsModule = (): typeof import('ajv-formats') => require('ajv-formats');

/** Loads it before it is needed, for those who can wait now and must not later. */
export function loadValidator(): void {
  ajvModule();
  formatsModule();
}

function createAjv(allErrors: boolean): Ajv2020 {
  const options: Options = {
    strict: false,
    validateSchema: false,
    logger: false,
    ownProperties: true, // what every object has, such as a constructor, was given by nobody
    code: { regExp: engine },
  };
  const { Ajv2020: Ajv } = ajvModule();
  const { default: addFormats } = formatsModule();
  // Beside an issue, the thorough one gives what the arguments could have been called.
  const ajv = new Ajv({ ...options, allErrors, verbose: allErrors });
  addFormats(ajv);
  ajv.removeKeyword('uniqueItems'); // compares each with each; the API does that itself
  return ajv;
}

/** A longer text is not held against a pattern: the API does that itself, and its time is its own. */
const MAX_MATCHED = 256;

/** A repeated group in which something is repeated or chosen: what takes such a pattern for ever is easy to find. */
const REPEATED_GROUP = /\((?:[^()\\]|\\.)*[+*}|](?:[^()\\]|\\.)*\)[?]?[+*{]|\)[^()]*\)[+*{]/;

/** Patterns come from the document and texts from callers: together they must not stop the gateway. */
function createPattern(source: string, flags: string): Pattern {
  const pattern = new RegExp(source, flags);
  const isCheap = !REPEATED_GROUP.test(source);
  return {
    test: (text) => !isCheap || text.length > MAX_MATCHED || pattern.test(text),
    toString: () => String(pattern), // by which the validator tells patterns apart
  };
}

interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

const engine: NonNullable<NonNullable<Options['code']>['regExp']> = Object.assign(createPattern, {
  code: 'createPattern',
});

/** Makes validators for one API: what they are compiled from goes when they go. */
export interface Validators {
  /** Compiles a schema, given as JSON. One that cannot be compiled checks nothing: the API itself still does. */
  compile(schema: string): Validator;
}

/** Makes validators. What they need is made for the first of them: most APIs of a gateway wait long for their first call. */
export function createValidators(): Validators {
  let quick: Ajv2020 | undefined;
  let thorough: Ajv2020 | undefined;
  return {
    compile(schema) {
      quick ??= createAjv(false);
      const fits = compiled(quick, schema);
      let all: ValidateFunction | undefined;
      return (args, size) => {
        if (fits === undefined || fits(args)) return [];
        const { errors: first } = fits;
        if (size > MAX_SIZE) return toIssues(first ?? []);
        thorough ??= createAjv(true);
        all ??= compiled(thorough, schema);
        all?.(args);
        return toIssues(all?.errors ?? first ?? []).slice(0, MAX_ISSUES);
      };
    },
  };
}

function compiled(ajv: Ajv2020, schema: string): ValidateFunction | undefined {
  try {
    return ajv.compile(JSON.parse(schema) as object);
  } catch {
    return undefined; // a document with a broken schema is no reason to keep its operation from its callers
  }
}
