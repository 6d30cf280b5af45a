/**
 * The head of an HTTP/1.1 answer, read strictly: whatever two readers could understand in two ways is refused.
 * @see https://www.rfc-editor.org/rfc/rfc9112
 */
import type { HttpHeaders } from '../../protocol/headers.ts';
import type { Beside, HttpHead } from '../link.ts';
import { NotHttpError } from './not-http.ts';

/** How the body of an answer ends: it has none, after so many bytes, with its last chunk, or with the connection. */
export type BodyEnd = number | 'chunked' | 'close';

/** A head that was read. */
export interface ResponseHead extends HttpHead {
  /** Set while the answer comes: whoever was told the head looks at it when the answer is whole. */
  beside?: Beside | undefined;
  /** Set by whoever has asked. */
  askedAt?: string | undefined;
  readonly body: BodyEnd;
  /** The connection may carry another request after this answer. */
  readonly keepAlive: boolean;
  /** How long the server says it keeps an idle connection. */
  readonly idleMs: number | undefined;
}

/** Longer heads are refused. */
export const MAX_HEAD_BYTES: number = 64 * 1024;

const MAX_HEADERS = 256;
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/;
const CLOSE = /(?:^|,)\s*close\s*(?:,|$)/i;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Heads that were read lately: until its clock moves on, a server says the same again and again. */
const lately: Map<string, ResponseHead> = new Map();
const MAX_LATELY = 64;
const MAX_LATELY_LENGTH = 1024;

/** Reads a head, without the blank line that ends it. Throws `NotHttpError`. */
export function readHead(text: string, method: string): ResponseHead {
  const isKept = method !== 'HEAD' && text.length <= MAX_LATELY_LENGTH;
  const known = isKept ? lately.get(text) : undefined;
  if (known !== undefined) return { ...known }; // what is said beside an answer is its own
  const head = newHead(text, method);
  if (!isKept) return head;
  if (lately.size >= MAX_LATELY) lately.clear();
  lately.set(text, { ...head });
  return head;
}

function newHead(text: string, method: string): ResponseHead {
  const lines = text.split('\r\n');
  const [, minor, code, statusText = ''] = STATUS_LINE.exec(lines[0] ?? '') ?? [];
  if (code === undefined) throw new NotHttpError('the status line is malformed');
  if (lines.length > MAX_HEADERS) throw new NotHttpError('there are too many headers');
  const headers = Object.freeze(readHeaders(lines.slice(1)));
  const status = Number(code);
  const isOld = minor === '0';
  return {
    status,
    statusText,
    headers,
    body: bodyEnd(status, method, headers, isOld),
    keepAlive: !isOld && !isStray(status, headers) && !CLOSE.test(String(headers['connection'] ?? '')),
    idleMs: idleMs(headers['keep-alive']),
  };
}

/** The headers in these lines. Throws `NotHttpError`. */
export function readHeaders(lines: readonly string[]): { [name: string]: string | string[] } {
  const headers: { [name: string]: string | string[] } = Object.create(null);
  for (const line of lines) addHeader(headers, line);
  return headers;
}

function addHeader(headers: { [name: string]: string | string[] }, line: string): void {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon));
  let start = colon + 1;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start++;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--;
  const value = line.slice(start, end);
  // A line that begins with white space would continue the one before: nobody writes that in good faith.
  if (!NAME.test(name) || !VALUE.test(value)) throw new NotHttpError('a header is malformed');
  const key = name.toLowerCase();
  const said = headers[key];
  if (said === undefined) headers[key] = value;
  else headers[key] = typeof said === 'string' ? [said, value] : [...said, value];
}

function isBlank(char: number): boolean {
  return char === 0x20 || char === 0x09;
}

function bodyEnd(status: number, method: string, headers: HttpHeaders, isOld: boolean): BodyEnd {
  const { 'transfer-encoding': encoding, 'content-length': length } = headers;
  if (encoding !== undefined) {
    const isChunked = typeof encoding === 'string' && encoding.toLowerCase() === 'chunked';
    if (!isChunked || isOld || length !== undefined)
      throw new NotHttpError('the end of the body is not clear');
  } else if (length !== undefined && !(typeof length === 'string' && /^\d{1,15}$/.test(length))) {
    throw new NotHttpError('the length of the body is not clear');
  }
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return 0;
  if (encoding !== undefined) return 'chunked';
  return length === undefined ? 'close' : Number(length);
}

/** An answer that has no body but announces one: servers that are wrong about that send it after all. */
function isStray(status: number, headers: HttpHeaders): boolean {
  if (status !== 204 && status !== 304) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function idleMs(header: string | string[] | undefined): number | undefined {
  const seconds = /(?:^|,)\s*timeout=(\d{1,6})\s*(?:,|$)/i.exec(String(header ?? ''))?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
