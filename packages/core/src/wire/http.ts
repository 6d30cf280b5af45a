/** The HTTP side of a wire: headers in any of their forms, and event streams. */
import { isRecord, own, parseJson } from '../json.ts';

/** The last JSON message of a server-sent event stream. */
export function parseEventStream(text: string): unknown {
  if (!/^(?:data|event|id|retry|:)/.test(text)) return undefined;
  const at = text.lastIndexOf('data:');
  if (at < 0) return undefined;
  const end = text.indexOf('\n', at);
  return parseJson(text.slice(at + 5, end < 0 ? undefined : end));
}

/** Headers by lower-case name, from a `Headers`, an object or a list of pairs. */
export function headersOf(value: unknown): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const set = (name: unknown, content: unknown): void => {
    if (typeof name === 'string' && (typeof content === 'string' || typeof content === 'number')) {
      headers.set(name.toLowerCase(), String(content));
    }
  };
  try {
    if (typeof (value as Headers | undefined)?.forEach === 'function' && !Array.isArray(value)) {
      (value as Headers).forEach((content, name) => {
        set(name, content);
      });
    } else if (Array.isArray(value)) {
      for (const pair of value.slice(0, 200)) if (Array.isArray(pair)) set(pair[0], pair[1]);
    } else if (isRecord(value)) {
      for (const name of Object.keys(value).slice(0, 200)) set(name, own(value, name));
    }
  } catch {
    // Headers that cannot be listed are no headers; the status and the body still speak.
  }
  return headers;
}

/** Minimal shape of a web `Headers`; core does not depend on any runtime's types. */
interface Headers {
  forEach(each: (content: string, name: string) => void): void;
}
