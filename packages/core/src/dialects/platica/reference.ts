/** What Platica's bridge does with an answer of its REST interface. */
import { type Fault, type JsonObject, makeFault } from '../../fault.ts';
import { isRecord, parseJson, toJson } from '../../json.ts';
import { look } from '../../wire/look.ts';
import type { ReadContext } from '../dialect.ts';
import { read } from './read.ts';

const NO_PROSE: ReadContext = { now: () => 0, prose: () => undefined };

/** The fault behind a REST answer, with its body kept to the letter; `undefined` for a 2xx, which is a success. */
export function restError(status: number, body: string): Fault | undefined {
  if (status >= 200 && status < 300) return undefined;
  const text = body.replace(BYTE_ORDER_MARK, '');
  const heard = read(look({ http: { status, body: text } }), NO_PROSE) ?? {
    kind: 'upstream_failed' as const,
  };
  return makeFault({ ...heard, native: { dialect: 'platica', raw: body, ...parsedApart(body, text) } });
}

const BYTE_ORDER_MARK = /^\uFEFF/;

/** No parser of JSON takes a body with a mark before it: it goes out as it came, and parsed without the mark. */
function parsedApart(body: string, text: string): { readonly extra?: JsonObject } {
  const parsed = body === text ? undefined : toJson(parseJson(text));
  return isRecord(parsed) ? { extra: { structuredContent: parsed } } : {};
}
