/** An MCP endpoint on `node:http`, whose own refusals (a body too large, no text, a foreign Host) are faults too. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FaultError, fault } from '@mayday/core';
import { atWholePath } from './boundary/whole-path.ts';
import { type FetchHandler, type Refusal, refuseRequest, rememberBody } from './guard-handler.ts';
import { expectHandler } from './handler-check.ts';
import { bodyOf, wasRead } from './node-body.ts';
import { type GuardOptions, optionNames, type Settings, settingsFrom } from './options.ts';
import { expect, expectFunction, expectKnown, expectPositive, isTexts } from './options-check.ts';
import { insistOnGuard } from './unguarded.ts';

/** How an endpoint is served. */
export interface NodeHandlerOptions extends GuardOptions {
  /** The most that a request may carry, in bytes; what the dialect's document says, else 4 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** The names under which it may be called, in `Host` and `Origin`; those of the machine itself. `any` checks nothing. */
  readonly hosts?: readonly string[] | 'any' | undefined;
  /** Answers what is refused at a path where something else than MCP is served; `undefined` leaves it to the dialect. */
  readonly refused?: ((refusal: NodeRefusal) => Response | undefined) | undefined;
}

/** What the listener itself refuses. */
export interface NodeRefusal {
  /** Where it went: `/v1/orders`; empty where that cannot be read. */
  readonly path: string;
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly thrown: FaultError;
}

const OPTIONS: readonly string[] = ['hosts', 'maxBodyBytes', 'refused'];
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
  expectHandler(handler);
  expectKnown(options, [...OPTIONS, ...optionNames()], 'nodeHandler');
  const { maxBodyBytes: given, hosts = LOCAL, refused, ...guarding } = options;
  expectFunction(refused, 'refused');
  expect(hosts === 'any' || (isTexts(hosts) && hosts.length > 0), 'hosts', '"any" or a list of names', hosts);
  const settings = settingsFrom(guarding);
  const maxBodyBytes = given ?? settings.dialect.messageBytes ?? MAX_BODY_BYTES;
  expectPositive(maxBodyBytes, 'maxBodyBytes');
  const refuse = (incoming: IncomingMessage, refusal: Refusal): Response => {
    const { status, headers = {}, thrown } = refusal;
    const path = addressOf(incoming)?.pathname ?? '';
    const own = refused?.({ path, status, headers, thrown });
    return own ?? refuseRequest(bareRequest(incoming), settings, refusal);
  };
  // There may be no `guardHandler` in between.
  const insisting = insistOnGuard((request, refusal) => refuseRequest(request, settings, refusal));
  return async (incoming, outgoing, given) => {
    const answerTo = async (request: Request): Promise<Response> => {
      const came = await insisting(request, () => atWholePath(incoming, () => handler.fetch(request)));
      return 'refusal' in came ? came.refusal : came.handled;
    };
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    try {
      const isRewritten = wasRead(incoming, given);
      const refusal =
        noWebRequest(incoming, settings) ?? (hosts === 'any' ? undefined : foreign(incoming, hosts));
      const body = refusal ?? (await bodyOf(incoming, given, maxBodyBytes));
      const answer = isRefusal(body)
        ? refuse(incoming, body)
        : await answerTo(webRequest(incoming, body, gone.signal, isRewritten));
      await send(answer, outgoing);
    } catch (cause) {
      if (gone.signal.aborted) return; // nobody is there any more
      const thrown = fault.internal('Internal error', { cause });
      await send(refuseRequest(bareRequest(incoming), settings, { status: 500, thrown }), outgoing).catch(
        () => outgoing.destroy(),
      );
    }
  };
}

function isRefusal(body: Buffer | Refusal): body is Refusal {
  return 'thrown' in body;
}

/** Methods that a request of the web cannot have. */
const NO_METHODS: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** What Node takes for a request, and nobody can serve. */
function noWebRequest(incoming: IncomingMessage, { dialect }: Settings): Refusal | undefined {
  if (NO_METHODS.has(incoming.method?.toUpperCase() ?? ''))
    return {
      status: 405,
      headers: { allow: dialect.postOnly === true ? 'POST' : 'GET, POST, DELETE' },
      thrown: fault.unsupported('Method not allowed'),
    };
  if (addressOf(incoming) !== undefined) return undefined;
  return { status: 400, thrown: fault.invalidRequest('The address of the request cannot be read') };
}

/** A page of the web may call a server on its reader's machine, but cannot hide where it comes from. */
export function foreign({ headers }: IncomingMessage, hosts: readonly string[]): Refusal | undefined {
  const { host = '', origin } = headers;
  const known = HOST.test(host) && hosts.includes(hostname(`http://${host}`));
  if (known && (origin === undefined || hosts.includes(hostname(origin)))) return undefined;
  return { status: 403, thrown: fault.forbidden('The host or origin is not served here') };
}

/** A name and a port: with anything else in it, what is before or behind the name would not be looked at. */
const HOST = /^[^\s/\\@?#]+$/;

function hostname(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/** Where a request goes; `undefined` when that cannot be told, or is no place of the web's. */
function addressOf({ url = '/', headers: { host = '' }, socket }: IncomingMessage): URL | undefined {
  const path = url === '*' ? '/' : url;
  const here = [`http://${host}${path}`, `http://localhost:${socket.localPort}${path}`];
  const at = (path.startsWith('/') ? here : [path]).find((one) => URL.canParse(one));
  const address = at === undefined ? undefined : new URL(at);
  const isPlain = address?.username === '' && address.password === '';
  return isPlain && WEB.has(address.protocol) ? address : undefined;
}

const WEB: ReadonlySet<string> = new Set(['http:', 'https:']);

/** Method and headers, for whoever says no to a request; nothing else of it is used. */
function bareRequest({ method = 'GET', headers }: IncomingMessage): Request {
  const named = NO_METHODS.has(method.toUpperCase()) ? 'GET' : method;
  return new Request('http://localhost/', { method: named, headers: headersOf(headers) });
}

function headersOf(given: IncomingMessage['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const item of [value ?? []].flat()) headers.append(name, item);
  return headers;
}

function webRequest(
  incoming: IncomingMessage,
  body: Buffer,
  signal: AbortSignal,
  isRewritten: boolean,
): Request {
  const { method = 'GET' } = incoming;
  const headers = headersOf(incoming.headers);
  if (isRewritten) {
    headers.delete('content-encoding');
    headers.delete('transfer-encoding');
    headers.set('content-length', String(body.length));
  }
  const address = addressOf(incoming) ?? 'http://localhost/';
  const init: RequestInit = { method, headers, signal };
  if (body.length === 0 || method === 'GET' || method === 'HEAD') return new Request(address, init);
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
