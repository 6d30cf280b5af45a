/** A request as HTTP/1.1 writes it. */
import { isHeaderValue } from '../../protocol/headers.ts';
import type { HttpRequest } from '../http-client.ts';

/** Thrown before anything is sent. */
class BadRequestError extends Error {
  override readonly name = 'BadRequestError';
  readonly code = 'ERR_UNSENDABLE';
}

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PATH = /^\/[\x21-\x7e]*$/;
/** Copying a body into the same buffer as its head is cheaper than a second write, up to here. */
const SMALL_BODY = 16 * 1024;

/** The client writes these itself: whoever could write them could make one request into two. */
const OURS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

type Use = 'none' | 'host' | 'coding' | 'any';

/** Written where a request has none. */
const NOTED: ReadonlyMap<string, Use> = new Map([
  ['host', 'host'],
  ['accept-encoding', 'coding'],
]);

/** The same few names come with every request. */
const known: Map<string, Use> = new Map();
const MAX_KNOWN = 500;

function useOf(name: string): Use {
  const seen = known.get(name);
  if (seen !== undefined) return seen;
  const lower = name.toLowerCase();
  const use = !NAME.test(name) || OURS.has(lower) ? 'none' : (NOTED.get(lower) ?? 'any');
  if (known.size < MAX_KNOWN && name.length < 100) known.set(name, use);
  return use;
}

/** The bytes of a request, in one piece or two; `origin` stands before its path, for a proxy. Throws `BadRequestError`. */
export function writeRequest(request: HttpRequest, host: string, origin = ''): readonly Buffer[] {
  const { method, path, headers, body } = request;
  if (!PATH.test(path)) throw new BadRequestError('the path cannot be sent');
  let head = `${method} ${origin}${path} HTTP/1.1\r\n`;
  let hasHost = false;
  let hasCoding = false;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    const value = headers[i + 1] ?? '';
    const use = useOf(name);
    if (use === 'none' || !isHeaderValue(value)) throw new BadRequestError('a header cannot be sent');
    hasHost ||= use === 'host';
    hasCoding ||= use === 'coding';
    head += `${name}: ${value}\r\n`;
  }
  if (!hasHost) head += `host: ${host}\r\n`;
  // Without it, anything will do (RFC 9110, 12.5.3), and nobody here reads what is packed.
  if (!hasCoding) head += 'accept-encoding: identity\r\n';
  if (body !== undefined || method === 'POST' || method === 'PUT' || method === 'PATCH') {
    head += `content-length: ${body?.length ?? 0}\r\n`;
  }
  head += '\r\n';
  if (body === undefined || body.length > SMALL_BODY) {
    const first = Buffer.from(head, 'latin1');
    return body === undefined ? [first] : [first, body];
  }
  const whole = Buffer.allocUnsafe(head.length + body.length);
  whole.write(head, 'latin1');
  body.copy(whole, head.length);
  return [whole];
}
