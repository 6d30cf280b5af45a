/** The HTTP side of a wire: headers in any of their forms, and event streams. */
import { isRecord, own, parseJson } from '../json.ts';
import { beginsAsEvents, dataIn } from './events.ts';

/** The answer in a stream of server-sent events: its last response, or its last JSON where nothing is one. */
export function parseEventStream(text: string): unknown {
  if (!beginsAsEvents(text)) return undefined;
  let last: unknown;
  let response: unknown;
  for (const data of dataIn(text)) {
    const message = parseJson(data);
    last = message ?? last;
    if (own(message, 'result') !== undefined || own(message, 'error') !== undefined) response = message;
  }
  return response ?? last;
}

/** So many headers are read. */
const MAX_HEADERS = 200;

/** In place of those that are not: no header has this name. */
export const UNREAD = '';

/** Headers by lower-case name, from a `Headers`, a map, an object, a list of pairs or a flat list. */
export function headersOf(value: unknown): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const set = (name: unknown, content: unknown): void => {
    if (typeof name !== 'string') return;
    const lower = name.toLowerCase();
    const said: unknown = Array.isArray(content) ? [...new Set(content)].join(', ') : content;
    if (typeof said !== 'string' && typeof said !== 'number') return;
    const before = headers.get(lower);
    const isNew = before === undefined || before === String(said);
    headers.set(lower, isNew ? String(said) : `${before}, ${said}`);
  };
  try {
    if (Array.isArray(value)) {
      const pairs = pairsIn(value);
      for (const [name, content] of pairs.slice(0, MAX_HEADERS)) set(name, content);
      if (pairs.length > MAX_HEADERS) headers.set(UNREAD, '');
    } else if (typeof (value as Headers | undefined)?.forEach === 'function') {
      (value as Headers).forEach((content, name) => {
        set(name, content);
      });
    } else if (isRecord(value)) {
      const listed = typeof value['toJSON'] === 'function' ? (value['toJSON'] as () => unknown)() : value;
      const names = Object.keys(listed as object);
      for (const name of names.slice(0, MAX_HEADERS)) set(name, own(listed, name));
      if (names.length > MAX_HEADERS) headers.set(UNREAD, '');
    }
  } catch {
    // Headers that cannot be listed are no headers; the status and the body still speak.
  }
  return headers;
}

/** Pairs as they are, or a flat list of names and contents, as Node's `rawHeaders`. */
function pairsIn(list: readonly unknown[]): readonly (readonly unknown[])[] {
  if (Array.isArray(list[0])) return list.filter((pair) => Array.isArray(pair));
  return list.flatMap((name, at) => (at % 2 === 0 ? [[text(name), text(list[at + 1])]] : []));
}

/** undici's raw headers are bytes. */
function text(value: unknown): unknown {
  return value instanceof Uint8Array ? String.fromCharCode(...value.subarray(0, 1000)) : value;
}

/** Minimal shape of a web `Headers`; core does not depend on any runtime's types. */
interface Headers {
  forEach(each: (content: string, name: string) => void): void;
}
