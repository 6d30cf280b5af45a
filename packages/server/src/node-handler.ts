/**
 * A guarded endpoint on `node:http`. The SDK's own bridge answers oversize bodies by itself, in no dialect, and
 * repairs bytes that are no text; here both are refused by the endpoint, in its words.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { type FaultError, fault } from '@mayday/core';
import { type FetchHandler, type Refuse, refuserOf, rememberBody } from './guard-handler.ts';
import { expect, expectKnown, expectPositive } from './options-check.ts';

/** How requests are taken from the network. */
export interface NodeHandlerOptions {
  /** The longest body that is read, in bytes; 4 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * The names under which the server may be called: a request with another `Host`, or from a page with another
   * `Origin`, is refused with 403. Any, if absent.
   */
  readonly hosts?: readonly string[] | undefined;
  /** Answers what is refused here, in place of the endpoint: for paths that do not speak MCP. */
  readonly refuse?: Refuse | undefined;
  /** Hears of answers that could not be sent. */
  readonly onerror?: ((error: Error) => void) | undefined;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const OPTIONS = ['maxBodyBytes', 'hosts', 'refuse', 'onerror'];

/**
 * Serves what `guardHandler` made on `node:http`.
 *
 * @example
 * createServer(nodeHandler(guardHandler(createMcpHandler(() => createServer()), { dialect: 'onx' }))).listen(4800);
 */
export function nodeHandler(
  handler: FetchHandler,
  options: NodeHandlerOptions = {},
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  expectKnown(options, OPTIONS, 'nodeHandler');
  const { maxBodyBytes = MAX_BODY_BYTES, hosts, refuse = refuserOf(handler), onerror } = options;
  expectPositive(maxBodyBytes, 'maxBodyBytes');
  expect(hosts === undefined || Array.isArray(hosts), 'hosts', 'a list of host names', hosts);
  const answer = async (incoming: IncomingMessage, signal: AbortSignal): Promise<Response> => {
    const head = headOf(incoming, signal);
    const stranger = hosts === undefined ? undefined : strangerIn(head.headers, hosts);
    if (stranger !== undefined) return refuse(head, stranger, 403);
    const body = await bodyOf(incoming, maxBodyBytes);
    if (body === undefined) return refuse(head, tooLarge(maxBodyBytes), 413);
    if (!isUtf8(body))
      return refuse(head, fault.parseError('The request body is not UTF-8', { executed: 'no' }), 400);
    return handler.fetch(withBody(head, body));
  };
  return async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    try {
      await send(await answer(incoming, gone.signal), incoming, outgoing);
    } catch (error) {
      // The client went away, or half an answer broke: it must not pass for a whole one.
      outgoing.destroy();
      if (!gone.signal.aborted) onerror?.(error as Error);
    }
  };
}

function headOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const host = incoming.headers.host ?? 'localhost';
  const url = new URL(incoming.url ?? '/', `http://${URL.canParse(`http://${host}`) ? host : 'invalid'}`);
  const method = incoming.method ?? 'GET';
  // A web request cannot even be made with these; no endpoint takes them.
  return new Request(url, {
    method: /^(?:connect|trac[ek])$/i.test(method) ? 'GET' : method,
    headers,
    signal,
  });
}

function withBody(head: Request, body: Buffer): Request {
  if (body.length === 0) return head;
  const request = new Request(head, { body });
  rememberBody(request, body);
  return request;
}

function strangerIn(headers: Headers, hosts: readonly string[]): FaultError | undefined {
  const isKnown = (url: string): boolean => URL.canParse(url) && hosts.includes(new URL(url).hostname);
  const origin = headers.get('origin');
  if (!isKnown(`http://${headers.get('host') ?? ''}`)) return fault.forbidden('The host is not served here');
  if (origin !== null && !isKnown(origin)) return fault.forbidden('The origin is not allowed here');
  return undefined;
}

function tooLarge(maxBytes: number): FaultError {
  const details = { max_bytes: maxBytes };
  return fault.tooLarge('The request body is too large', { subject: { type: 'message' }, details });
}

/** The whole body; nothing when it is longer than allowed, of which no more is kept. */
async function bodyOf(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return undefined;
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    incoming.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size <= maxBytes) pieces.push(piece);
      else resolve(undefined);
    });
    finished(incoming, { writable: false }, (error) =>
      error ? reject(error) : resolve(Buffer.concat(pieces)),
    );
  });
}

async function send(answer: Response, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (!incoming.complete) {
    // What is still to come is let pass unread, or the client would never look at the answer.
    incoming.resume();
    outgoing.setHeader('connection', 'close');
  }
  const cookies = answer.headers.getSetCookie();
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') outgoing.setHeader(name, value);
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
  outgoing.writeHead(answer.status);
  if (answer.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(answer.body as NodeReadableStream), outgoing);
}
