/** Arguments against the schema of a tool: all issues, not just the first, and never more work than their size. */
import { createRequire } from 'node:module';
import type { Issue } from '@mayday/core';
import type { Ajv2020, Options, ValidateFunction } from 'ajv/dist/2020.js';
import { boundedPattern, startAnew } from './bounded-patterns.ts';
import { toIssues } from './issues.ts';
import { uniqueItems } from './unique-items.ts';

/** Checks arguments, given how many values they hold; an empty list means that they fit. */
export type Validator = (args: unknown, size: number) => readonly Issue[];

/** Arguments with more values than this are told their first issue only: a million issues fill the memory. */
const MAX_SIZE = 10_000;
const MAX_ISSUES = 50;

/** Loaded when it is first needed: most gateways have no document. */
const require = createRequire(import.meta.url);
const ajvModule = (): typeof import('./ajv.ts') => require('#ajv');

/** Loads it before it is needed, for those who can wait now and must not later. */
export function loadValidator(): void {
  ajvModule();
}

/** Of the formats this one alone takes more than its length; the API looks at longer ones itself. */
const MAX_URL = 2048;

function createAjv(allErrors: boolean, patterns: Patterns): Ajv2020 {
  const options: Options = {
    strict: false,
    validateSchema: false,
    logger: false,
    ownProperties: true, // what every object has, such as a constructor, was given by nobody
    code: patterns === 'own' ? {} : { regExp: engine },
  };
  const { Ajv2020: Ajv, addFormats } = ajvModule();
  // Beside an issue, the thorough one gives what the arguments could have been called.
  const ajv = new Ajv({ ...options, allErrors, verbose: allErrors });
  addFormats(ajv);
  const url = ajv.formats['url'];
  if (url instanceof RegExp) ajv.addFormat('url', (text: string) => text.length > MAX_URL || url.test(text));
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword(uniqueItems);
  return ajv;
}

const engine: NonNullable<NonNullable<Options['code']>['regExp']> = Object.assign(boundedPattern, {
  code: 'boundedPattern',
});

/** Makes validators for one API: what they are compiled from goes when they go. */
export interface Validators {
  /** Compiles a schema, given as JSON. One that cannot be compiled checks nothing: the API itself still does. */
  compile(schema: string): Validator;
}

/** Whose the patterns are: foreign ones are tried as far as that is cheap, our own on everything. */
type Patterns = 'own' | 'foreign';

/** Makes validators. What they need is made for the first of them: most APIs of a gateway wait long for their first call. */
export function createValidators(patterns: Patterns = 'foreign'): Validators {
  let quick: Ajv2020 | undefined;
  let thorough: Ajv2020 | undefined;
  return {
    compile(schema) {
      quick ??= createAjv(false, patterns);
      const fits = compiled(quick, schema);
      let all: ValidateFunction | undefined;
      return (args, size) => {
        startAnew();
        if (fits === undefined || fits(args)) return [];
        const { errors: first } = fits;
        if (size > MAX_SIZE) return toIssues(first ?? []);
        thorough ??= createAjv(true, patterns);
        all ??= compiled(thorough, schema);
        startAnew(); // both look at the same
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
