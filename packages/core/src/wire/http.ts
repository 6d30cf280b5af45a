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

const MAX_HEADERS = 200;

/** Headers by lower-case name, from a `Headers`, a map, an object, a list of pairs or a flat list. */
export function headersOf(value: unknown): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const set = (name: unknown, content: unknown): void => {
    if (typeof name !== 'string') return;
    const lower = name.toLowerCase();
    const isList = LISTS.has(lower);
    const said: unknown = Array.isArray(content) ? (isList ? content.join(', ') : content[0]) : content;
    if (typeof said !== 'string' && typeof said !== 'number') return;
    const before = isList ? headers.get(lower) : undefined;
    headers.set(lower, before === undefined ? String(said) : `${before}, ${said}`);
  };
  try {
    if (Array.isArray(value)) {
      for (const [name, content] of pairsIn(value.slice(0, MAX_HEADERS))) set(name, content);
    } else if (typeof (value as Headers | undefined)?.forEach === 'function') {
      (value as Headers).forEach((content, name) => {
        set(name, content);
      });
    } else if (isRecord(value)) {
      const listed = typeof value['toJSON'] === 'function' ? (value['toJSON'] as () => unknown)() : value;
      for (const name of Object.keys(listed as object).slice(0, MAX_HEADERS)) set(name, own(listed, name));
    }
  } catch {
    // Headers that cannot be listed are no headers; the status and the body still speak.
  }
  return headers;
}

/** Each of them counts, however often the header is there. */
const LISTS: ReadonlySet<string> = new Set(['set-cookie', 'server-timing', 'link']);

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
