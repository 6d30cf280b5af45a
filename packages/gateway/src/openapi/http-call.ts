/** Arguments → an HTTP request of the API, or what is wrong with them. */
import { randomUUID } from 'node:crypto';
import type { Issue } from '@mayday/core';
import type { CallableOperation } from './api-worker.ts';
import {
  inBrackets,
  issue,
  toCookieText,
  toHeaderText,
  toPathText,
  toQueryText,
  toText,
} from './arguments.ts';
import { writeExact } from './exact-json.ts';
import { toFile } from './files.ts';
import { writeFields, writeParts } from './form-data.ts';
import { isOfTheOperator } from './given-names.ts';
import type { Parameter } from './parameters.ts';
import { templateName } from './path-templates.ts';

/** What goes out. */
export interface ApiRequest {
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: Buffer | undefined;
}

/** A call of an operation. */
export interface ApiCall {
  readonly operation: CallableOperation;
  /** The path of the API itself. */
  readonly basePath: string;
  readonly args: { readonly [name: string]: unknown };
  /** The key that came with the call, for operations that take one. Where the API requires one and none came, it is made. */
  readonly idempotencyKey: unknown;
  /** What the operator adds to every query. */
  readonly query?: { readonly [name: string]: string } | undefined;
}

/** A request that is being put together. */
interface Draft {
  readonly path: Map<string, string>;
  readonly query: string[];
  readonly cookies: string[];
  readonly headers: { [name: string]: string };
  readonly issues: Issue[];
  /** Names in a query that are the operator's. */
  readonly given: readonly string[];
}

/** Builds the request of one operation. With issues, there is none. */
export function toRequest(call: ApiCall): ApiRequest | readonly Issue[] {
  const { operation, basePath, args, query = {} } = call;
  const accept = 'application/json, application/problem+json';
  const draft: Draft = {
    path: new Map(),
    query: [],
    cookies: [],
    headers: {
      accept: `${operation.accept === undefined ? accept : `${operation.accept}, ${accept}`}, */*;q=0.5`,
      'accept-encoding': 'identity',
      'user-agent': 'mayday-gateway',
    },
    issues: [],
    given: Object.keys(query),
  };
  for (const parameter of operation.parameters) {
    if (parameter.isIdempotencyKey) placeKey(parameter, call.idempotencyKey, draft);
    else place(parameter, own(args, parameter.argument), draft);
  }
  const body = bodyOf(operation, args, draft);
  if (draft.issues.length > 0) return draft.issues;
  for (const [name, value] of Object.entries(query)) draft.query.push(`${encode(name)}=${encode(value)}`);
  if (draft.cookies.length > 0) draft.headers['cookie'] = draft.cookies.join('; ');
  return {
    path: `${basePath.replace(/\/$/, '')}${pathOf(operation.path, draft)}`,
    headers: draft.headers,
    body,
  };
}

function own(args: { readonly [name: string]: unknown }, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

/** A key that is none, or that would be another one on its way, must not silently protect nobody. */
function placeKey(parameter: Parameter, key: unknown, draft: Draft): void {
  const at = [parameter.argument];
  if (key === undefined) place(parameter, parameter.isRequired ? randomUUID() : undefined, draft);
  else if (typeof key !== 'string')
    draft.issues.push(issue(at, 'Expected the idempotency key of the call to be text'));
  else if (key === '' || key.trim() !== key)
    draft.issues.push(issue(at, 'Expected the idempotency key of the call to begin and end with no blank'));
  else place(parameter, key, draft);
}

type Text = ReturnType<typeof toQueryText>;

function place(parameter: Parameter, value: unknown, draft: Draft): void {
  const { argument, name } = parameter;
  const at = [argument];
  if (value === undefined) {
    if (parameter.isRequired) draft.issues.push({ path: at, message: 'Required', code: 'required' });
    return;
  }
  const taken = (text: Text, take: (text: string) => void): void => {
    if (typeof text === 'string') take(text);
    else draft.issues.push(issue(at, text.refused));
  };
  if (parameter.in === 'query') {
    for (const [key, text] of queryOf(parameter, value)) {
      const isTheirs = isOfTheOperator(key, draft.given);
      taken(isTheirs ? { refused: `${key} is set by the operator` } : text, (said) =>
        draft.query.push(`${encode(key)}=${said}`),
      );
    }
  } else if (parameter.in === 'path') taken(inPath(parameter, value), (text) => draft.path.set(name, text));
  else if (parameter.in === 'cookie')
    taken(toCookieText(flat(parameter, value)), (text) => draft.cookies.push(`${name}=${text}`));
  else
    taken(toHeaderText(flat(parameter, value)), (text) => {
      draft.headers[name.toLowerCase()] = text;
    });
}

/** What has members, in the one text of a header or a cookie. */
function flat({ style, explode }: Parameter, value: unknown): unknown {
  if (style === 'json') return writeExact(value);
  return typeof value === 'object' && value !== null
    ? itemsOf(value, explode).map((item) => toText(item))
    : value;
}

/** A list as it is; an object as `name,value,…` or as `name=value,…`. */
function itemsOf(value: object, explode: boolean): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return explode ? entries.map(([name, member]) => `${name}=${toText(member)}`) : entries.flat();
}

/** Percent-encoded as RFC 3986 has it: everything reads `%20`, but not everything reads `+`. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function encoded(value: unknown): Text {
  const text = toQueryText(value);
  return typeof text === 'string' ? encode(text) : text;
}

const SEPARATORS: { readonly [style: string]: string } = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** Names and values, as the style of the parameter says. What stands between values is no part of any. */
function queryOf({ name, style, explode }: Parameter, value: unknown): readonly (readonly [string, Text])[] {
  if (style === 'json') return [[name, encoded(writeExact(value))]];
  const each = (pairs: readonly (readonly [string, unknown])[]): readonly (readonly [string, Text])[] =>
    pairs.map(([key, member]) => [key, encoded(member)]);
  if (style === 'deepObject') return each(inBrackets(name, value));
  if (typeof value !== 'object' || value === null) return [[name, encoded(value)]];
  if (explode)
    return each(
      Array.isArray(value) ? value.map((item: unknown) => [name, item] as const) : Object.entries(value),
    );
  return [[name, joined(itemsOf(value, false).map(encoded), SEPARATORS[style] ?? ',')]];
}

/** All of them, or why one cannot be among them. */
function joined(texts: readonly Text[], separator: string): Text {
  return texts.find((text) => typeof text !== 'string') ?? texts.join(separator);
}

/** A value in its place in the path, as its style says. */
function inPath(parameter: Parameter, value: unknown): Text {
  const { name, style, explode, spansSegments } = parameter;
  const isPlain = typeof value !== 'object' || value === null;
  const hasNames = explode && !isPlain && !Array.isArray(value);
  const texts = hasNames
    ? Object.entries(value).map(memberInPath)
    : (isPlain ? [value] : itemsOf(value, explode)).map((item) => toPathText(item, spansSegments && isPlain));
  if (texts.length === 0) return toPathText('', false);
  if (style === 'label') return prefixed('.', joined(texts, explode ? '.' : ','));
  if (style !== 'matrix') return joined(texts, ',');
  if (hasNames) return prefixed(';', joined(texts, ';'));
  const own = `;${encode(name)}=`;
  return prefixed(own, joined(texts, explode ? own : ','));
}

/** `name=value`, whole fit for a path: what stands between the two is no part of either. */
function memberInPath([name, member]: readonly [string, unknown]): Text {
  const text = toText(member);
  const whole = toPathText(`${name}=${text}`, false);
  return typeof whole === 'string' ? `${encode(name)}=${encode(text)}` : whole;
}

function prefixed(prefix: string, text: Text): Text {
  return typeof text === 'string' ? `${prefix}${text}` : text;
}

function pathOf(template: string, { path, query }: Draft): string {
  const [plain = '', fixed] = template.split(/\?(.*)/s);
  const filled = plain
    .split(/(\{[^{}]+\})/)
    .map((part, i) =>
      i % 2 === 1 ? (path.get(templateName(part.slice(1, -1))) ?? '') : encodeURI(part.toWellFormed()),
    )
    .join('');
  const search = [fixed, ...query].filter((part) => part !== undefined && part !== '').join('&');
  return search === '' ? filled : `${filled}?${search}`;
}

function bodyOf({ body }: CallableOperation, args: ApiCall['args'], draft: Draft): Buffer | undefined {
  const value = body === undefined ? undefined : own(args, body.argument);
  if (body === undefined || value === undefined) return undefined;
  draft.headers['content-type'] = body.type;
  if (body.form === 'file') {
    const file = toFile(value, [body.argument]);
    if ('message' in file) {
      draft.issues.push(file);
      return undefined;
    }
    // What the document says decides, unless it says nothing.
    if (body.type === 'application/octet-stream' && file.type !== undefined)
      draft.headers['content-type'] = file.type;
    return file.bytes;
  }
  if ((body.form === 'fields' || body.form === 'parts') && typeof value === 'object' && value !== null) {
    const write = body.form === 'fields' ? writeFields : writeParts;
    const { type, bytes, issues } = write(
      value as { readonly [name: string]: unknown },
      body.fields ?? {},
      body.argument,
    );
    draft.headers['content-type'] = type;
    draft.issues.push(...issues);
    return bytes;
  }
  return Buffer.from(typeof value === 'string' && body.form !== 'json' ? value : writeExact(value));
}
