/** The HTTP response behind an exception, in whatever form its library keeps it: axios, got, ky, undici, OpenAI's … */
import { isObject } from '../http/reply.ts';

/** A failing response. */
export interface HttpFailure {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | undefined;
}

/** Causes and responses are looked for so deep. */
const MAX_DEPTH = 6;
const MAX_HEADERS = 200;
const MAX_BODY = 10_000;

/** The response behind an exception or one of its causes; `undefined` when there is none. */
export function httpIn(thrown: unknown): HttpFailure | undefined {
  let link = thrown;
  for (let depth = 0; depth < MAX_DEPTH && typeof link === 'object' && link !== null; depth += 1) {
    const holders = [link, ...['response', '$response', '$metadata'].map((name) => member(link, name))];
    const status = first(holders, statusOf);
    if (status !== undefined) {
      const headers = first(holders, (holder) => member(holder, 'headers') ?? member(holder, 'header'));
      return { status, headers: headersOf(headers), body: first(holders, bodyOf) };
    }
    link = member(link, 'cause');
  }
  return undefined;
}

function first<T>(holders: readonly unknown[], find: (holder: unknown) => T | undefined): T | undefined {
  for (const holder of holders) {
    const found = find(holder);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Getters of strangers may throw. A `Response` keeps everything on its prototype. */
function member(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  try {
    return (holder as { readonly [name: string]: unknown })[name];
  } catch {
    return undefined;
  }
}

function statusOf(holder: unknown): number | undefined {
  for (const name of ['status', 'statusCode', 'httpStatusCode']) {
    const status = member(holder, name);
    if (Number.isInteger(status) && (status as number) >= 400 && (status as number) < 600)
      return status as number;
  }
  return undefined;
}

function bodyOf(holder: unknown): string | undefined {
  for (const name of ['responseBody', 'data', 'body', 'error']) {
    const body = member(holder, name);
    if (typeof body === 'string') return body.slice(0, MAX_BODY);
    if (isObject(body) && Object.getPrototypeOf(body) === Object.prototype) return stringify(body);
  }
  return undefined;
}

function stringify(value: object): string | undefined {
  try {
    return JSON.stringify(value).slice(0, MAX_BODY);
  } catch {
    return undefined; // cyclic: nothing that came over a wire
  }
}

/** Headers of any make: a `Headers`, pairs, a flat list, an object; names in lower case. */
function headersOf(given: unknown): { readonly [name: string]: string } {
  const headers: { [name: string]: string } = {};
  try {
    for (const [name, value] of pairsIn(given).slice(0, MAX_HEADERS)) {
      const one: unknown = Array.isArray(value) ? value[0] : value;
      if (typeof name === 'string' && (typeof one === 'string' || typeof one === 'number'))
        headers[name.toLowerCase()] = String(one);
    }
  } catch {
    // Headers that cannot be read are no headers.
  }
  return headers;
}

function pairsIn(given: unknown): readonly (readonly [unknown, unknown])[] {
  if (typeof given !== 'object' || given === null) return [];
  if (!(Symbol.iterator in given)) return Object.entries(given);
  const items = [...(given as Iterable<unknown>)];
  if (items.every(Array.isArray)) return items as unknown as (readonly [unknown, unknown])[];
  return items.flatMap((name, at) => (at % 2 === 0 ? [[name, items[at + 1]] as const] : []));
}
