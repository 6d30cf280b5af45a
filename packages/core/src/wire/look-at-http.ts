/** Answers over HTTP: a status, headers, and a body that may be a message. */
import { isRecord, own, ownArray, ownString, parseJson, type Unknown } from '../json.ts';
import { headersOf, parseEventStream } from './http.ts';
import { type LookInside, statusIn, wordsOf } from './look-by.ts';
import { type HttpPart, makeWire, type Wire } from './wire.ts';

/** A message that came well says so in the status line: it is about the way, not about the work. */
function reasonOf(status: number, said: string | undefined): string | undefined {
  return status === 200 && said?.toLowerCase() === 'ok' ? undefined : said;
}

/** Is it plainly the good answer to a call? A body of another interface may have a `content`, too. */
function isAnswered(body: unknown): boolean {
  const isResponse = own(body, 'jsonrpc') !== undefined && own(body, 'result') !== undefined;
  const first = ownArray(body, 'content')?.[0];
  return isResponse || (ownString(first, 'type') !== undefined && own(body, 'error') === undefined);
}

/** Looks at an answer over HTTP, and at what stands in its body. */
export function lookAtHttp(http: Unknown, unwraps: number, inside: LookInside): Wire {
  const status = statusIn(http) || 0;
  const raw = own(http, 'body') ?? own(http, 'text');
  const body = typeof raw === 'string' ? (parseJson(raw) ?? parseEventStream(raw)) : raw;
  const part: HttpPart = {
    status,
    headers: headersOf(own(http, 'headers')),
    said: body ?? raw,
    reason: reasonOf(status, ownString(http, 'statusText')),
    json: typeof raw === 'string' && body !== undefined ? raw : undefined,
    askedAt: ownString(http, 'askedAt'),
  };
  // Without a status nobody has said that it is a success.
  const failed = status < 100 || (status >= 300 && status !== 304);
  if (unwraps > 0 && (isRecord(body) || Array.isArray(body))) {
    const within = inside(body, unwraps - 1);
    // A result is a result, whatever status it came with; only what stands around it may add something.
    if (within.failed ? within.placement === 'tool' : isAnswered(body))
      return { ...within, http: { ...part, status: undefined, carrier: status } };
    // An error of JSON-RPC says itself what it is.
    if (within.failed ? within.error === undefined : failed) {
      const text = Array.isArray(body) ? wordsOf(body) || within.text : within.text;
      return { ...within, placement: 'http', failed: true, text, http: part, body };
    }
    return { ...within, http: part };
  }
  return makeWire('http', failed, typeof raw === 'string' ? raw : '', { http: part });
}
