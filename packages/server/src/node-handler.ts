/** An MCP endpoint on `node:http`, whose own refusals (a body too large, no text, a foreign Host) are faults too. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fault } from '@mayday/core';
import { atWholePath } from './boundary/whole-path.ts';
import { type FetchHandler, type Refusal, refuseRequest, rememberBody } from './guard-handler.ts';
import { bodyOf, wasRead } from './node-body.ts';
import { type GuardOptions, settingsFrom } from './options.ts';
import { expect, expectPositive, isTexts } from './options-check.ts';

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
 * in the dialect. What has read the body before hands it over as the third argument, parsed or not, or leaves it in
 * `request.body`, as parsers of Express do.
 *
 * @example
 * createServer(nodeHandler(guardHandler(createMcpHandler(factory), options), options)).listen(8080);
 */
export function nodeHandler(
  handler: FetchHandler,
  options: NodeHandlerOptions = {},
): (request: IncomingMessage, response: ServerResponse, body?: unknown) => Promise<void> {
  const { maxBodyBytes = MAX_BODY_BYTES, hosts = LOCAL, ...guarding } = options;
  expectPositive(maxBodyBytes, 'maxBodyBytes');
  expect(hosts === 'any' || (isTexts(hosts) && hosts.length > 0), 'hosts', '"any" or a list of names', hosts);
  const settings = settingsFrom(guarding);
  return async (incoming, outgoing, given) => {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    try {
      const isRewritten = wasRead(incoming, given);
      const refusal = hosts === 'any' ? undefined : foreign(incoming, hosts);
      const body = refusal ?? (await bodyOf(incoming, given, maxBodyBytes));
      const refused = isRefusal(body);
      const request = webRequest(incoming, refused ? undefined : body, gone.signal, isRewritten);
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

function webRequest(
  incoming: IncomingMessage,
  body: Buffer | undefined,
  signal?: AbortSignal,
  isRewritten = false,
): Request {
  const { method = 'GET', url = '/', headers: given, socket } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const item of [value ?? []].flat()) headers.append(name, item);
  if (isRewritten) {
    headers.delete('content-encoding');
    headers.delete('transfer-encoding');
    headers.set('content-length', String(body?.length ?? 0));
  }
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
