/** Requests to one HTTP server over connections that are kept. */
import { type Dispatcher, Pool } from 'undici';
import type { HttpHeaders } from '../protocol/headers.ts';

/** An answer as it arrives. Exactly one of `onEnd` and `onError` is called, last, unless the request is aborted. */
export interface HttpAnswer {
  onStart(status: number, headers: HttpHeaders, flow: Flow): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
  /** `sent`: bytes of the request may have reached the server. */
  onError(error: Error, sent: boolean): void;
}

/** Holds the sender back, or lets go of it. */
export interface Flow {
  pause(): void;
  resume(): void;
  abort(): void;
}

/** A request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body?: Buffer | undefined;
  /** Wait for the first byte of the answer this long; 0: as long as it takes. */
  readonly headersTimeoutMs: number;
}

/** A client of one origin. */
export interface HttpClient {
  /** Sends a request, once. What it returns lets go of the answer: nothing is told afterwards. */
  send(request: HttpRequest, answer: HttpAnswer): () => void;
  close(): Promise<void>;
}

/** A client that keeps its connections to `origin`. */
export function createHttpClient(origin: string): HttpClient {
  const pool = new Pool(origin, {
    connections: null, // every open stream holds one
    pipelining: 1,
    keepAliveTimeout: 4000, // below the 5 s after which a plain Node server hangs up
    bodyTimeout: 0, // a stream may be silent for as long as it likes
    allowH2: false,
  });
  return {
    send(request, answer) {
      const sent = new InFlight(answer);
      pool.dispatch(
        {
          method: request.method,
          path: request.path,
          headers: request.headers,
          body: request.body ?? null,
          headersTimeout: request.headersTimeoutMs,
        },
        sent,
      );
      return () => sent.letGo();
    },
    close: () => pool.destroy(),
  };
}

/** One request and its answer. Whoever takes the answer in and throws loses this answer and nothing else. */
class InFlight implements Dispatcher.DispatchHandler {
  readonly #answer: HttpAnswer;
  #controller: Dispatcher.DispatchController | undefined;
  #over = false;
  /** The connection is free again. */
  #ended = false;

  constructor(answer: HttpAnswer) {
    this.#answer = answer;
  }

  letGo(): void {
    this.#over = true;
    if (this.#ended) return;
    this.#controller?.abort(new Error('the caller went away'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) this.letGo();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: HttpHeaders): void {
    if (status < 200) return;
    this.#tell(() =>
      this.#answer.onStart(status, headers, {
        pause: () => controller.pause(),
        resume: () => controller.resume(),
        abort: () => this.letGo(),
      }),
    );
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#tell(() => this.#answer.onData(chunk));
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#tell(() => {
      this.#over = true;
      this.#answer.onEnd();
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // It is told after whoever asked has got hold of the request: some errors are known at once.
    queueMicrotask(() => this.#fail(error));
  }

  #tell(what: () => void): void {
    if (this.#over) return;
    try {
      what();
    } catch (error) {
      this.#over = false;
      this.#fail(error instanceof Error ? error : new Error(String(error)));
      this.letGo();
    }
  }

  #fail(error: Error): void {
    if (this.#over) return;
    this.#over = true;
    try {
      this.#answer.onError(error, this.#controller !== undefined);
    } catch {
      // Who cannot even be told is not waited for.
    }
  }
}
