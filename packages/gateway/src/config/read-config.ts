/** YAML → configuration, or every mistake in it with its line. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type Document, isMap, LineCounter, parseDocument } from 'yaml';
import { nearest } from '../nearest.ts';
import type { GatewayConfig } from './config.ts';
import { expandEnv } from './env.ts';
import { CONFIG_SCHEMA, UPSTREAM_FORMS } from './schema.ts';

/** One mistake. */
export interface ConfigProblem {
  /** From 1. */
  readonly line: number;
  /** `upstreams.files.timeout_ms` */
  readonly path: string;
  readonly message: string;
}

/** A configuration that cannot be used. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[], file = 'configuration') {
    super(
      problems
        .map(({ line, path, message }) => `${file}:${line}: ${path === '' ? '' : `${path}: `}${message}`)
        .join('\n'),
    );
    this.problems = problems;
  }
}

/** Compiled when a file is first read: most of what a start without a file would take. */
const validators = lazy(() => {
  const ajv = new Ajv2020({ allErrors: true, strict: false, verbose: true });
  const forms = Object.entries(UPSTREAM_FORMS).map(([key, schema]) => [key, ajv.compile(schema)] as const);
  return { file: ajv.compile(withoutForms()), forms: new Map(forms) };
});

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Upstreams are checked by their own form, so that mistakes are told about the form that was meant. */
function withoutForms(): object {
  const schema = structuredClone(CONFIG_SCHEMA) as {
    properties: { upstreams: { additionalProperties?: unknown } };
  };
  schema.properties.upstreams.additionalProperties = { type: 'object' };
  return schema;
}

/** Reads a configuration. Throws a {@link ConfigError} with all mistakes. */
export function readConfig(
  text: string,
  options: { readonly file?: string; readonly env?: { readonly [name: string]: string | undefined } } = {},
): GatewayConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const fail = (problems: readonly ConfigProblem[]): never => {
    throw new ConfigError(
      [...problems].sort((a, b) => a.line - b.line),
      options.file,
    );
  };
  if (document.errors.length > 0) {
    fail(
      document.errors.map((error) => ({
        line: lines.linePos(error.pos[0]).line,
        path: '',
        message: error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? 'not YAML',
      })),
    );
  }
  const problems: ConfigProblem[] = [];
  const at = (path: readonly (string | number)[], message: string): void => {
    problems.push({ line: lineOf(document, lines, path), path: path.join('.'), message });
  };
  const config = expandEnv(document.toJS() as unknown, options.env ?? {}, at);
  const { file } = validators();
  file(config);
  for (const error of file.errors ?? []) report(error, [], at);
  for (const [name, upstream] of entriesOf((config as { upstreams?: unknown } | null)?.upstreams)) {
    checkUpstream(name, upstream, at);
  }
  if (problems.length > 0) fail(problems);
  return config as GatewayConfig;
}

type Report = (path: readonly (string | number)[], message: string) => void;

function checkUpstream(name: string, upstream: unknown, at: Report): void {
  const keys = entriesOf(upstream).map(([key]) => key);
  const forms = Object.keys(UPSTREAM_FORMS).filter((form) => keys.includes(form));
  const path = ['upstreams', name];
  if (forms.length !== 1) {
    const said = forms.length === 0 ? 'none of them is here' : `here are ${forms.join(' and ')}`;
    at(path, `An upstream has one of command, url and openapi; ${said}`);
    return;
  }
  const check = validators().forms.get(forms[0] ?? '');
  if (check === undefined || check(upstream)) return;
  for (const error of check.errors ?? []) report(error, path, at);
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** One of ajv's errors as a sentence. */
function report(error: ErrorObject, base: readonly (string | number)[], at: Report): void {
  const path = [...base, ...error.instancePath.split('/').slice(1).map(plain)];
  const { params } = error as { params: { [name: string]: unknown } };
  if (error.keyword === 'additionalProperties') {
    const key = String(params['additionalProperty']);
    const known = Object.keys(
      (error.parentSchema as { properties?: object } | undefined)?.properties ?? knownAt(path),
    );
    const close = nearest(key, known);
    at(
      [...path, key],
      close === undefined
        ? `Unknown setting; known are ${known.join(', ')}`
        : `Unknown setting; did you mean ${close}?`,
    );
  } else if (error.keyword === 'enum') {
    const allowed = params['allowedValues'] as readonly string[];
    const close = typeof error.data === 'string' ? nearest(error.data, allowed) : undefined;
    at(
      path,
      close === undefined ? `Expected one of ${allowed.join(', ')}` : `Unknown value; did you mean ${close}?`,
    );
  } else if (error.keyword === 'propertyNames' || error.keyword === 'oneOf' || error.keyword === 'const') {
    // Said better by the error that comes with it.
    if (error.keyword === 'propertyNames') {
      at(
        [...path, String(params['propertyName'])],
        'Expected a name of lower-case letters, digits and hyphens',
      );
    }
  } else if (error.keyword === 'pattern' && path.length === 1) {
    // The pattern of a name: `propertyNames` says it.
  } else if (error.keyword === 'required') at(path, `${String(params['missingProperty'])} is missing`);
  else at(path, `Expected a value that ${error.message ?? 'fits'}`.replace('that must be', 'that is'));
}

function knownAt(path: readonly (string | number)[]): object {
  let schema: unknown = path[0] === 'upstreams' && path.length > 1 ? undefined : CONFIG_SCHEMA;
  for (const step of schema === undefined ? [] : path) {
    schema = (schema as { properties?: { [key: string]: unknown } } | undefined)?.properties?.[String(step)];
  }
  return (schema as { properties?: object } | undefined)?.properties ?? {};
}

function plain(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The line of a setting; of the nearest one around it when it is not there itself. */
function lineOf(document: Document, lines: LineCounter, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    const pair = isMap(parent) ? parent.items.find((item) => String(item.key) === String(last)) : undefined;
    const key = pair?.key as { range?: readonly number[] } | undefined;
    const node =
      key?.range === undefined
        ? (document.getIn(path.slice(0, length), true) as { range?: readonly number[] } | undefined)
        : key;
    const start = node?.range?.[0];
    if (start !== undefined) return lines.linePos(start).line;
  }
  return 1;
}
