/** An MCP endpoint on `node:http`, whose own refusals (a body too large, no text, a foreign Host) are faults too. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fault } from '@mayday/core';
import { atWholePath } from './boundary/whole-path.ts';
import { type FetchHandler, type Refusal, refuseRequest, rememberBody } from './guard-handler.ts';
import { type GuardOptions, settingsFrom } from './options.ts';
import { expect, expectPositive, isTexts } from './options-check.ts';
import { createPile } from './pile.ts';

/** How an endpoint is served. */
export interface NodeHandlerOptions extends GuardOptions {
  /** The most that a request may carry, in bytes; 4 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** The names under which it may be called, in `Host` and `Origin`; those of the machine itself. `any` checks nothing. */
  readonly hosts?: readonly string[] | 'any' | undefined;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** The machine's own names. */
export const LOCAL: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * A `node:http` listener for an endpoint. The SDK's own adapter answers in its own words what it refuses; this one
 * in the dialect.
 *
 * @example
 * createServer(nodeHandler(guardHandler(createMcpHandler(factory), options), options)).listen(8080);
 */
export function nodeHandler(
  handler: FetchHandler,
  options: NodeHandlerOptions = {},
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { maxBodyBytes = MAX_BODY_BYTES, hosts = LOCAL, ...guarding } = options;
  expectPositive(maxBodyBytes, 'maxBodyBytes');
  expect(hosts === 'any' || (isTexts(hosts) && hosts.length > 0), 'hosts', '"any" or a list of names', hosts);
  const settings = settingsFrom(guarding);
  return async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    try {
      const refusal = hosts === 'any' ? undefined : foreign(incoming, hosts);
      const body = refusal ?? (await bodyOf(incoming, maxBodyBytes));
      const refused = isRefusal(body);
      const request = webRequest(incoming, refused ? undefined : body, gone.signal);
      const answer = refused
        ? refuseRequest(request, settings, body)
        : await atWholePath(incoming, () => handler.fetch(request));
      await send(answer, outgoing);
    } catch (cause) {
      if (gone.signal.aborted) return; // nobody is there any more
      const thrown = fault.internal('Internal error', { cause });
      await send(refuseRequest(webRequest(incoming, undefined), settings, { status: 500, thrown }), outgoing);
    }
  };
}

function isRefusal(body: Buffer | Refusal): body is Refusal {
  return 'thrown' in body;
}

/** A page of the web may call a server on its reader's machine, but cannot hide where it comes from. */
export function foreign({ headers }: IncomingMessage, hosts: readonly string[]): Refusal | undefined {
  const { host = '', origin } = headers;
  const known = hosts.includes(hostname(`http://${host}`));
  if (known && (origin === undefined || hosts.includes(hostname(origin)))) return undefined;
  return { status: 403, thrown: fault.forbidden('The host or origin is not served here') };
}

function hostname(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/** A body that is this many times too large is not read to its end. */
const LINGER = 16;

/**
 * The body, or why it is not taken. Never holds more than it may; what is too large is read and forgotten, because
 * whoever is still sending would not hear the answer, up to a point where nobody can expect that.
 */
function bodyOf(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | Refusal> {
  return new Promise((resolve, reject) => {
    const held = createPile();
    let size = 0;
    const hangUp = (): void => resolve({ ...tooLarge(maxBytes), headers: { connection: 'close' } });
    if (Number(incoming.headers['content-length']) > maxBytes * LINGER) hangUp();
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) held.add(chunk);
      else held.take();
      if (size > maxBytes * LINGER) hangUp();
    });
    incoming.once('end', () =>
      resolve(size > maxBytes ? tooLarge(maxBytes) : textual(held.take(), incoming)),
    );
    incoming.once('error', reject);
  });
}

function tooLarge(maxBytes: number): Refusal {
  const thrown = fault.tooLarge('The request body is too large', {
    subject: { type: 'message' },
    details: { max_bytes: maxBytes },
  });
  return { status: 413, thrown };
}

function textual(bytes: Buffer, { headers }: IncomingMessage): Buffer | Refusal {
  if (isUtf8(bytes) || headers['content-type']?.includes('json') !== true) return bytes;
  return { status: 400, thrown: fault.parseError('The request body is not valid UTF-8'), code: -32700 };
}

function webRequest(incoming: IncomingMessage, body: Buffer | undefined, signal?: AbortSignal): Request {
  const { method = 'GET', url = '/', headers: given, socket } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const item of [value ?? []].flat()) headers.append(name, item);
  const at = `http://${given.host ?? ''}${url}`;
  const address = URL.canParse(at) ? at : new URL(url, `http://localhost:${socket.localPort}`);
  const init: RequestInit = { method, headers };
  if (signal !== undefined) init.signal = signal;
  if (body === undefined || body.length === 0 || method === 'GET' || method === 'HEAD')
    return new Request(address, init);
  const request = new Request(address, { ...init, body: new Uint8Array(body) });
  rememberBody(request, body);
  return request;
}

async function send(answer: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const chunk of answer.body ?? []) {
    if (outgoing.destroyed) break;
    if (!outgoing.write(chunk)) await drained(outgoing);
  }
  outgoing.end();
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}
