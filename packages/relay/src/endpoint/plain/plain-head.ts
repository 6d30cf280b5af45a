/**
 * Heads of requests that leave no doubt. Node's own parser reads everything else: whatever could be read in two ways,
 * is rare, or is refused, is none of them, so that nothing passes here that would not pass there.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHead } from '../request-head.ts';

/** A head without any doubt, and how long the body behind it is. */
export interface PlainHead extends RequestHead {
  readonly bodyBytes: number;
  readonly alike: object;
}

/** Longer ones are left to Node, which has a limit of its own. */
export const MAX_HEAD: number = 8 * 1024;

const REQUEST_LINE = /^POST (\/[\w/.~?=&%+:,;@$-]*) HTTP\/1\.1$/;
const NAME = /^[A-Za-z][A-Za-z0-9-]*$/;
const VALUE = /^[!-~](?:[\t -~]*[!-~])?$/;
const LENGTH = /^(?:0|[1-9]\d{0,7})$/;

/** They change how a connection or a body is read, or Node gives them another shape. */
const NOT_PLAIN: ReadonlySet<string> = new Set([
  'expect',
  'http2-settings',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Reads a head up to the empty line, which is not part of `text`. `undefined`: let Node read it. */
export function readPlainHead(text: string): PlainHead | undefined {
  const [first = '', ...lines] = text.split('\r\n');
  const url = REQUEST_LINE.exec(first)?.[1];
  if (url === undefined) return undefined;
  const headers: IncomingHttpHeaders = {};
  const rawHeaders: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(': ');
    const name = line.slice(0, Math.max(0, colon));
    const value = line.slice(colon + 2);
    const key = name.toLowerCase();
    if (!NAME.test(name) || !VALUE.test(value) || NOT_PLAIN.has(key) || Object.hasOwn(headers, key))
      return undefined;
    headers[key] = value;
    rawHeaders.push(name, value);
  }
  const { host, connection = 'keep-alive', 'content-length': length = '' } = headers;
  if (host === undefined || connection.toLowerCase() !== 'keep-alive' || !LENGTH.test(length))
    return undefined;
  return Object.freeze({
    method: 'POST',
    url,
    headers: Object.freeze(headers),
    rawHeaders: Object.freeze(rawHeaders),
    bodyBytes: Number(length),
    alike: Object.freeze({}),
  });
}

/** Reads the heads of one connection: most of them are the same as the one before, but for the length of the body. */
export class PlainHeads {
  #text = '';
  #head: PlainHead | undefined;
  /** What stands before and behind the length. */
  #before = '';
  #behind = '';

  read(text: string): PlainHead | undefined {
    if (text === this.#text) return this.#head;
    const resized = this.#resized(text);
    this.#text = text;
    this.#head = resized ?? readPlainHead(text);
    if (resized !== undefined || this.#head === undefined) return this.#head;
    const [line = ''] = LENGTH_LINE.exec(text) ?? [];
    const end = text.indexOf(line) + line.length;
    this.#before = text.slice(0, end - String(this.#head.headers['content-length']).length);
    this.#behind = text.slice(end);
    return this.#head;
  }

  /** The last head with another length, if that is all that is new. */
  #resized(text: string): PlainHead | undefined {
    const head = this.#head;
    if (head === undefined || !text.startsWith(this.#before) || !text.endsWith(this.#behind))
      return undefined;
    const length = text.slice(this.#before.length, text.length - this.#behind.length);
    if (!LENGTH.test(length)) return undefined;
    const at = head.rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-length');
    return Object.freeze({
      ...head,
      headers: Object.freeze({ ...head.headers, 'content-length': length }),
      rawHeaders: Object.freeze(head.rawHeaders.with(at + 1, length)),
      bodyBytes: Number(length),
    });
  }
}

/** There is one in every plain head. */
const LENGTH_LINE = /\r\ncontent-length: \d+(?=\r\n|$)/i;
