/**
 * An HTTP server behind the relay: requests and answers cross it as they are, sessions and resumption included,
 * and only failures are opened.
 */
import type { IncomingMessage } from 'node:http';
import type { FaultInit } from '@mayday/core';
import { createEventRelay } from './event-relay.ts';
import { Exchange } from './exchange.ts';
import { peek } from './framing/peek.ts';
import type { Call, Failure, Guard } from './guard.ts';
import type { Endpoint } from './link-endpoint.ts';
import type { HttpClient } from './links/http-client.ts';
import { createHttpClient } from './links/http1/client.ts';
import { isEventStream, requestHeaders, responseHeaders } from './protocol/headers.ts';
import { revisionOf } from './protocol/revisions.ts';
import { NO_BATCHES, NOT_A_MESSAGE } from './refusals.ts';
import type { Reply } from './reply.ts';

/** Which server, and who guards it. */
export interface ProxyEndpointOptions {
  readonly url: URL;
  readonly guard: Guard;
  /** Headers for the server; they replace what a caller sends under the same name, an empty value removes it. */
  readonly headers?: { readonly [name: string]: string };
  readonly timeoutMs?: number;
  readonly maxMessageBytes?: number;
  readonly now?: () => number;
}

/** Relays to an HTTP server. */
export class ProxyEndpoint implements Endpoint {
  readonly #options: ProxyEndpointOptions;
  readonly #client: HttpClient;
  readonly #path: string;
  readonly #set: ReadonlyMap<string, string>;
  readonly #now: () => number;
  #inFlight = 0;
  #onIdle: (() => void) | undefined;

  constructor(options: ProxyEndpointOptions) {
    this.#options = options;
    this.#client = createHttpClient(options.url.origin);
    this.#path = options.url.pathname + options.url.search;
    this.#set = new Map(
      Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    );
    this.#now = options.now ?? Date.now;
  }

  handle(request: IncomingMessage, body: Buffer, reply: Reply): void {
    if (request.method === 'POST') this.#post(request, body, reply);
    else if (request.method === 'GET' || request.method === 'DELETE')
      this.#pass(request, request.method, reply);
    else reply.raw(405, { allow: 'POST, GET, DELETE' });
  }

  async close(graceMs = 5000): Promise<void> {
    if (this.#inFlight > 0) {
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, graceMs);
        this.#onIdle = () => {
          clearTimeout(late);
          resolve();
        };
      });
    }
    await this.#client.close();
  }

  #post(request: IncomingMessage, body: Buffer, reply: Reply): void {
    const seen = peek(body);
    const call: Call = {
      body,
      peek: seen,
      era: revisionOf(request.headers, { body, peek: seen }),
      headers: request.headers,
      attempt: 1,
      startedAt: this.#now(),
    };
    const { kind, why } = call.peek;
    if (kind === 'invalid') {
      this.#refuse(call, reply, 400, why === 'batch' ? NO_BATCHES : NOT_A_MESSAGE);
      return;
    }
    const refusal = kind === 'request' ? this.#options.guard.admit(call) : undefined;
    if (refusal !== undefined) {
      this.#refuse(call, reply, undefined, refusal);
      return;
    }
    this.#inFlight++;
    this.#attempt(call, requestHeaders(request.rawHeaders, request.headers.connection, this.#set), reply);
  }

  #attempt(call: Call, headers: string[], reply: Reply): void {
    const { guard } = this.#options;
    const exchange = new Exchange({
      call,
      reply,
      guard,
      maxMessageBytes: this.#options.maxMessageBytes ?? 64 * 1024 * 1024,
      done: () => this.#done(),
      again: (afterMs) => {
        call.attempt++;
        setTimeout(() => {
          if (reply.isOpen) this.#attempt(call, headers, reply);
          else {
            // The caller left while the retry was waited for.
            guard.dropped(call);
            this.#done();
          }
        }, afterMs);
      },
    });
    const abort = this.#client.send(
      {
        method: 'POST',
        path: this.#path,
        headers,
        body: call.body,
        headersTimeoutMs: this.#options.timeoutMs ?? 300_000,
      },
      exchange,
    );
    exchange.onGone(abort);
  }

  /** GET and DELETE carry no message: what the server says about them goes through, without its body. */
  #pass(request: IncomingMessage, method: 'GET' | 'DELETE', reply: Reply): void {
    const relay = createEventRelay((_message, bytes) => bytes);
    const abort = this.#client.send(
      {
        method,
        path: this.#path,
        headers: requestHeaders(request.rawHeaders, request.headers.connection, this.#set),
        headersTimeoutMs: this.#options.timeoutMs ?? 300_000,
      },
      {
        onStart: (status, headers, flow) => {
          if (isEventStream(headers) && status < 300) {
            reply.stream(responseHeaders(headers));
            reply.response.on('drain', () => flow.resume());
            this.#pauses.set(reply, () => flow.pause());
          } else {
            const { 'content-type': _type, ...rest } = responseHeaders(headers);
            reply.raw(status, rest);
          }
        },
        onData: (chunk) => {
          if (!reply.isStream) return;
          const out = relay.push(chunk);
          if (out !== undefined && !reply.event(out)) this.#pauses.get(reply)?.();
        },
        onEnd: () => reply.end(),
        onError: () => {
          if (reply.isStream) reply.abort();
          else reply.raw(502, {});
        },
      },
    );
    reply.onGone(abort);
  }

  readonly #pauses: WeakMap<Reply, () => void> = new WeakMap();

  #done(): void {
    this.#inFlight--;
    if (this.#inFlight === 0) this.#onIdle?.();
  }

  #refuse(call: Call, reply: Reply, status: number | undefined, fault: FaultInit): void {
    call.isLast = true;
    const failure: Failure = { type: 'fault', fault, ...(status === undefined ? {} : { status }) };
    const decision = this.#options.guard.failed(call, failure);
    if ('send' in decision) reply.json(decision.status, decision.send, decision.headers);
  }
}
