/**
 * A link to an HTTP server: every message is a request of its own, answers come as JSON or as events, and what
 * the server says unasked comes over the standing stream of the session.
 */
import { type FaultInit, read } from '@mayday/core';
import { createEventSplitter, splitEvents } from './events.ts';
import { isEventStream } from './exchange.ts';
import { metaOf, paramsOf } from './handshake.ts';
import { createHttpClient, type HttpClient, type HttpHeaders } from './http-client.ts';
import type { Cancel, Link, LinkEvents, Outgoing, Sink } from './link.ts';
import { encode, idOf, parse, peek } from './message.ts';
import { transportFault } from './transport-fault.ts';

/** Which server. */
export interface HttpLinkOptions extends LinkEvents {
  readonly url: URL;
  readonly headers?: { readonly [name: string]: string };
  readonly timeoutMs?: number;
  readonly maxMessageBytes?: number;
}

const JSON_TYPE = 'application/json';
const BOTH_TYPES = 'application/json, text/event-stream';

/** A link to an HTTP server. */
export class HttpLink implements Link {
  readonly #options: HttpLinkOptions;
  readonly #client: HttpClient;
  readonly #open: Set<() => void> = new Set();
  #session: string | undefined;
  #version: string | undefined;
  #closed = false;

  constructor(options: HttpLinkOptions) {
    this.#options = options;
    this.#client = createHttpClient(options.url.origin);
  }

  request(message: Outgoing, sink: Sink): Cancel {
    let abort: () => void = () => {};
    let over = false;
    const end = (then: () => void): void => {
      if (over) return;
      over = true;
      this.#open.delete(drop);
      then();
    };
    const drop = (): void => {
      abort();
      end(() => sink.lost(CLOSED));
    };
    this.#open.add(drop);
    abort = this.#post(message, {
      message: (bytes) => {
        if (over) return;
        if (peek(bytes).kind === 'response') {
          if (message.peek.method === 'initialize') this.#opened(bytes);
          end(() => sink.answered(bytes));
        } else sink.related(bytes);
      },
      failed: (fault, original) => end(() => sink.lost(fault, original)),
    });
    return (reason) => {
      end(() => {});
      abort();
      if (message.era === '2025-11-25') this.#tellCancelled(message, reason);
    };
  }

  send(message: Outgoing): void {
    this.#post(message, {
      message: () => {},
      failed: (fault) => this.#options.onNote?.(fault.message ?? fault.kind),
    });
    if (message.peek.method === 'notifications/initialized') this.#listen();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const drop of [...this.#open]) drop();
    if (this.#session !== undefined) await this.#endSession();
    await this.#client.close();
  }

  #post(message: Outgoing, heard: Heard): () => void {
    const collector = new Collector(
      this.#options.maxMessageBytes ?? 64 * 1024 * 1024,
      heard,
      message.peek.kind === 'request',
      (headers) => {
        const id = headers['mcp-session-id'];
        if (message.peek.method === 'initialize' && typeof id === 'string') this.#session = id;
      },
    );
    return this.#client.send(
      {
        method: 'POST',
        path: this.#options.url.pathname + this.#options.url.search,
        headers: this.#headers(BOTH_TYPES, message),
        body: message.body,
        headersTimeoutMs: this.#options.timeoutMs ?? 300_000,
      },
      collector,
    );
  }

  #headers(accept: string, message?: Outgoing): string[] {
    const headers: { [name: string]: string } = {
      'content-type': JSON_TYPE,
      accept,
      ...(message?.headers === undefined ? {} : carriedOn(message.headers)),
      ...lowerCase(this.#options.headers ?? {}),
    };
    if (message?.era === '2026-07-28') Object.assign(headers, envelopeHeaders(message));
    else {
      if (this.#session !== undefined) headers['mcp-session-id'] = this.#session;
      if (this.#version !== undefined) headers['mcp-protocol-version'] = this.#version;
    }
    return Object.entries(headers).flat();
  }

  #opened(answer: Buffer): void {
    const result = (parse(answer) as { result?: { protocolVersion?: unknown } } | undefined)?.result;
    if (typeof result?.protocolVersion === 'string') this.#version = result.protocolVersion;
  }

  /** The standing stream. A server that has none says so, and that is that. */
  #listen(): void {
    if (this.#closed) return;
    const stream = new Collector(
      this.#options.maxMessageBytes ?? 64 * 1024 * 1024,
      { message: (bytes) => this.#options.onMessage(bytes), failed: () => {} },
      false,
      () => {},
    );
    const abort = this.#client.send(
      {
        method: 'GET',
        path: this.#options.url.pathname + this.#options.url.search,
        headers: this.#headers('text/event-stream'),
        headersTimeoutMs: 60_000,
      },
      stream,
    );
    this.#open.add(abort);
  }

  #tellCancelled(message: Outgoing, reason: string | undefined): void {
    const params = {
      requestId: idOf(message.body, message.peek),
      ...(reason === undefined ? {} : { reason }),
    };
    const body = encode({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    this.send({ body, peek: peek(body), era: message.era });
  }

  #endSession(): Promise<void> {
    return new Promise((resolve) => {
      this.#client.send(
        {
          method: 'DELETE',
          path: this.#options.url.pathname + this.#options.url.search,
          headers: this.#headers(JSON_TYPE),
          headersTimeoutMs: 2000,
        },
        { onStart: () => {}, onData: () => {}, onEnd: () => resolve(), onError: () => resolve() },
      );
    });
  }
}

/** Who is told what an answer holds. */
interface Heard {
  readonly message: (bytes: Buffer) => void;
  readonly failed: (fault: FaultInit, original?: Buffer) => void;
}

/** Takes an answer in and gives its messages. */
class Collector {
  readonly #maxBytes: number;
  readonly #heard: Heard;
  readonly #expectsAnswer: boolean;
  readonly #onHeaders: (headers: HttpHeaders) => void;
  readonly #events: ReturnType<typeof createEventSplitter> = createEventSplitter();
  #status = 0;
  #headers: HttpHeaders = {};
  #isStream = false;
  #chunks: Buffer[] = [];
  #size = 0;
  #abort: () => void = () => {};

  constructor(
    maxBytes: number,
    heard: Heard,
    expectsAnswer: boolean,
    onHeaders: (headers: HttpHeaders) => void,
  ) {
    this.#maxBytes = maxBytes;
    this.#heard = heard;
    this.#expectsAnswer = expectsAnswer;
    this.#onHeaders = onHeaders;
  }

  onStart(status: number, headers: HttpHeaders, flow: { abort(): void }): void {
    this.#status = status;
    this.#headers = headers;
    this.#isStream = isEventStream(headers) && status < 300;
    this.#abort = () => flow.abort();
    this.#onHeaders(headers);
  }

  onData(chunk: Buffer): void {
    if (this.#isStream) {
      const run = this.#events.push(chunk);
      for (const event of run === undefined ? [] : splitEvents(run)) {
        if (event.data.length > 0) this.#heard.message(event.data);
      }
      if (this.#events.held > this.#maxBytes) this.#abort();
      return;
    }
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) this.#abort();
  }

  onEnd(): void {
    if (this.#isStream) {
      this.#heard.failed({
        kind: 'disconnected',
        origin: 'upstream',
        message: 'The stream ended before the answer came',
      });
      return;
    }
    const body = Buffer.concat(this.#chunks);
    const isAnswer = peek(body).kind === 'response';
    if (isAnswer && this.#expectsAnswer) this.#heard.message(body);
    else if (this.#status >= 300) this.#heard.failed(faultOfHttp(this.#status, this.#headers, body), body);
    else if (this.#expectsAnswer) {
      const message = 'The server answered with something that is not a JSON-RPC response';
      this.#heard.failed({ kind: 'invalid_output', origin: 'upstream', message }, body);
    }
  }

  onError(error: Error): void {
    this.#heard.failed(transportFault(error));
  }
}

/** What an HTTP response that is no JSON-RPC says. */
export function faultOfHttp(status: number, headers: HttpHeaders, body: Buffer): FaultInit {
  const reading = read({ http: { status, headers, body: body.toString('utf8') } });
  return reading.failure
    ? reading.fault
    : { kind: 'upstream_failed', message: `The server answered with HTTP ${status}` };
}

const CLOSED: FaultInit = {
  kind: 'cancelled',
  origin: 'gateway',
  message: 'The conversation was closed',
};

const NAMED_BY: { readonly [method: string]: string } = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** What 2026-07-28 wants to see in the headers. */
function envelopeHeaders(message: Outgoing): { [name: string]: string } {
  const parsed = parse(message.body);
  const version = metaOf(parsed)?.['io.modelcontextprotocol/protocolVersion'];
  const name = paramsOf(parsed)?.[NAMED_BY[message.peek.method] ?? ''];
  return {
    'mcp-protocol-version': typeof version === 'string' ? version : '2026-07-28',
    'mcp-method': message.peek.method,
    ...(typeof name === 'string' ? { 'mcp-name': headerSafe(name) } : {}),
  };
}

function headerSafe(value: string): string {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** What a message brings along beside its body: where it is traced, and parameters repeated as headers. */
function carriedOn(headers: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /^(?:trace|mcp-param-)/.test(name)));
}

function lowerCase(headers: { readonly [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
