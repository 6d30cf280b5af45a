/** The admin API: what can be asked of it, whoever asks, over HTTP or beside the store. */
import type { DoorFault } from '../http/refusals.ts';
import { nearest } from '../nearest.ts';
import { ROOT } from './describe.ts';
import { bodyInput, queryInput } from './inputs.ts';
import { type AdminHouse, no, type Operation, type Outcome } from './operation.ts';
import { OPERATIONS } from './operations.ts';

/** A request to the API. */
export interface AdminRequest {
  readonly method: string;
  /** Below the root of the API, with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** Who asks, for the audit log. */
  readonly actor: string;
}

/** An operation that was asked for, and what stands in the braces of its path. */
export interface FoundOperation {
  readonly operation: Operation;
  readonly path: { readonly [name: string]: string };
}

/** The API over one house. */
export interface Admin {
  /** What is asked for, before its body is read; a fault where there is no such thing. */
  find(method: string, path: string): FoundOperation | DoorFault;
  /** Does it. Rejects where the store fails. */
  run(found: FoundOperation, request: Omit<AdminRequest, 'method'>): Promise<Outcome>;
}

/** Opens the API. */
export function createAdmin(house: AdminHouse): Admin {
  return {
    find,
    async run({ operation, path }, { path: url, body, actor }) {
      const at = url.indexOf('?');
      const query = queryInput(at < 0 ? '' : url.slice(at + 1), operation.query);
      if ('refused' in query) return query.refused;
      const sent =
        operation.method === 'GET'
          ? { values: {} }
          : bodyInput(body === undefined ? {} : body, operation.body);
      if ('refused' in sent) return sent.refused;
      return operation.run({ house, actor, path, query: query.values, body: sent.values });
    },
  };
}

/** Each path as a pattern. What is named comes before what stands for anything. */
const PATTERNS: readonly { readonly operation: Operation; readonly pattern: RegExp }[] = OPERATIONS.map(
  (operation) => ({ operation, pattern: patternOf(operation) }),
);

function patternOf({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

function find(method: string, url: string): FoundOperation | DoorFault {
  const [path = ''] = url.split('?', 1);
  const fitting = PATTERNS.filter(({ pattern }) => pattern.test(path));
  if (fitting.length === 0) return nothingAt(path);
  const asked = method === 'HEAD' ? 'GET' : method;
  const found = fitting.find(({ operation }) => operation.method === asked);
  if (found === undefined) return wrongMethod(fitting.map(({ operation }) => operation));
  const groups = found.pattern.exec(path)?.groups ?? {};
  return { operation: found.operation, path: decoded(groups) };
}

/** What is not well encoded is no id of anything. */
function decoded(groups: { readonly [name: string]: string }): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(groups).map(([name, said]) => {
      try {
        return [name, decodeURIComponent(said)];
      } catch {
        return [name, said];
      }
    }),
  );
}

function wrongMethod(operations: readonly Operation[]): DoorFault {
  const allowed = operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const names = allowed.join(', ');
  return {
    ...no(405, { kind: 'unsupported', message: `This method is not served here; use ${names}` }),
    headers: { allow: names },
  };
}

function nothingAt(path: string): DoorFault {
  const close = meant(path) ?? nearest(path, KNOWN);
  return no(404, {
    kind: 'not_found',
    subject: { type: 'uri' },
    message: 'The admin API has nothing here',
    advice:
      close === undefined
        ? `${ROOT}/openapi.json describes what there is.`
        : `Did you mean ${ROOT}${close}? ${ROOT}/openapi.json describes what there is.`,
  });
}

const KNOWN: readonly string[] = [...new Set(OPERATIONS.map(({ path }) => path))];

/** The path that is nearest part by part: what stands in braces may be anything, and as long as it likes. */
function meant(path: string): string | undefined {
  const parts = path.split('/');
  let fitting = KNOWN.map((known) => known.split('/')).filter(({ length }) => length === parts.length);
  parts.forEach((part, i) => {
    const names = fitting.map((known) => known[i] ?? '');
    const close = names.includes(part) ? part : nearest(part, names);
    fitting = fitting.filter(({ [i]: name = '' }) => name === close || (name.startsWith('{') && part !== ''));
  });
  return fitting[0]?.join('/');
}
