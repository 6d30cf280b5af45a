/** Arguments → an HTTP request of the API, or what is wrong with them. */
import type { Issue } from '@mayday/core';
import type { OperationText } from './api-worker.ts';
import { issue, toHeaderText, toPathText, toQueryText, toText } from './arguments.ts';
import type { Parameter } from './parameters.ts';

/** What goes out. */
export interface ApiRequest {
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: Buffer | undefined;
}

/** A call of an operation. */
export interface ApiCall {
  readonly operation: OperationText;
  /** The path of the API itself. */
  readonly basePath: string;
  readonly args: { readonly [name: string]: unknown };
  /** The key that came with the call, for operations that take one. */
  readonly idempotencyKey: unknown;
}

/** A request that is being put together. */
interface Draft {
  readonly path: Map<string, string>;
  readonly query: URLSearchParams;
  readonly headers: { [name: string]: string };
  readonly issues: Issue[];
}

/** Builds the request of one operation. With issues, there is none. */
export function toRequest(call: ApiCall): ApiRequest | readonly Issue[] {
  const { operation, basePath, args } = call;
  const draft: Draft = {
    path: new Map(),
    query: new URLSearchParams(),
    headers: {
      accept: 'application/json, application/problem+json, */*;q=0.5',
      'accept-encoding': 'identity',
      'user-agent': 'mayday-gateway',
    },
    issues: [],
  };
  for (const parameter of operation.parameters) {
    const value = own(args, parameter.argument);
    if (value === undefined && parameter.isIdempotencyKey) placeKey(parameter, call.idempotencyKey, draft);
    else place(parameter, value, draft);
  }
  const body = bodyOf(operation, args, draft);
  if (draft.issues.length > 0) return draft.issues;
  return {
    path: `${basePath.replace(/\/$/, '')}${pathOf(operation.path, draft)}`,
    headers: draft.headers,
    body,
  };
}

function own(args: { readonly [name: string]: unknown }, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

/** A key that is none must not silently protect nobody. */
function placeKey(parameter: Parameter, key: unknown, draft: Draft): void {
  if (key === undefined || typeof key === 'string') place(parameter, key, draft);
  else draft.issues.push(issue([parameter.argument], 'Expected the idempotency key of the call to be text'));
}

function place(parameter: Parameter, value: unknown, draft: Draft): void {
  const at = [parameter.argument];
  if (value === undefined) {
    if (parameter.isRequired) draft.issues.push({ path: at, message: 'Required', code: 'required' });
    return;
  }
  if (parameter.in === 'query') {
    for (const [name, text] of queryOf(parameter, value)) append(draft.query, name, text, at, draft);
    return;
  }
  const text = parameter.in === 'path' ? toPathText(value, parameter.spansSegments) : toHeaderText(value);
  if (typeof text !== 'string') draft.issues.push(issue(at, text.refused));
  else if (parameter.in === 'path') draft.path.set(parameter.name, text);
  else draft.headers[parameter.name.toLowerCase()] = text;
}

function append(
  to: URLSearchParams,
  name: string,
  value: unknown,
  at: readonly string[],
  { issues }: Draft,
): void {
  const text = toQueryText(value);
  if (typeof text === 'string') to.append(name, text);
  else issues.push(issue(at, text.refused));
}

const SEPARATORS = { spaceDelimited: ' ', pipeDelimited: '|' } as const;

/** Names and values, as the style of the parameter says. */
function queryOf(
  { name, style, explode }: Parameter,
  value: unknown,
): readonly (readonly [string, unknown])[] {
  if (style === 'json') return [[name, JSON.stringify(value)]];
  if (style === 'deepObject') return inBrackets(name, value);
  if (Array.isArray(value)) {
    if (explode) return value.map((item: unknown) => [name, item] as const);
    return [[name, toText(value, style === 'form' ? ',' : SEPARATORS[style])]];
  }
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return explode ? Object.entries(value) : [[name, toText(Object.entries(value).flat())]];
}

/** `name[key][0]=value`, as PHP, Rails and Stripe read it. The depth was checked before. */
function inBrackets(name: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, member]) => inBrackets(`${name}[${key}]`, member));
}

function pathOf(template: string, { path, query }: Draft): string {
  const [plain = '', fixed] = (template.split('#')[0] ?? '').split('?');
  const filled = plain
    .split(/(\{[^{}]+\})/)
    .map((part, i) => (i % 2 === 1 ? (path.get(part.slice(1, -1)) ?? '') : encodeURI(part.toWellFormed())))
    .join('');
  const search = [fixed, query.toString()].filter((part) => part !== undefined && part !== '').join('&');
  return search === '' ? filled : `${filled}?${search}`;
}

function bodyOf({ body }: OperationText, args: ApiCall['args'], draft: Draft): Buffer | undefined {
  const value = body === undefined ? undefined : own(args, body.argument);
  if (body === undefined || value === undefined) return undefined;
  draft.headers['content-type'] = body.type;
  if (body.type === 'application/x-www-form-urlencoded' && typeof value === 'object' && value !== null) {
    const form = new URLSearchParams();
    for (const [name, member] of Object.entries(value))
      for (const [field, text] of fieldsOf(name, member, body.inBrackets?.includes(name) === true))
        append(form, field, text, [body.argument, name], draft);
    return Buffer.from(form.toString());
  }
  return Buffer.from(
    typeof value === 'string' && !/[/+]json$/.test(body.type) ? value : JSON.stringify(value),
  );
}

/** The fields of a form for one of its members: a list of plain values is its name again and again, if not asked otherwise. */
function fieldsOf(name: string, value: unknown, isDeep: boolean): readonly (readonly [string, unknown])[] {
  const isPlain = Array.isArray(value) && !value.some((item) => typeof item === 'object' && item !== null);
  return isPlain && !isDeep ? value.map((item: unknown) => [name, item] as const) : inBrackets(name, value);
}
