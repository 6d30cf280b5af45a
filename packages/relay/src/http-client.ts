/** Requests to one HTTP server over connections that are kept. */
import { Pool } from 'undici';

/** An answer as it arrives. Exactly one of `onEnd` and `onError` is called, last. */
export interface HttpAnswer {
  onStart(status: number, headers: HttpHeaders, flow: Flow): void;
  onData(chunk: Buffer): void;
  onEnd(): void;
  onError(error: Error): void;
}

/** Response headers; names in lower case. */
export type HttpHeaders = { readonly [name: string]: string | string[] | undefined };

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
  readonly body?: Buffer;
  /** Wait for the first byte of the answer this long. */
  readonly headersTimeoutMs: number;
}

/** A client of one origin. */
export interface HttpClient {
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
      let abort: (() => void) | undefined;
      let gone = false;
      pool.dispatch(
        {
          method: request.method,
          path: request.path,
          headers: request.headers,
          body: request.body ?? null,
          headersTimeout: request.headersTimeoutMs,
        },
        {
          onRequestStart(controller) {
            abort = () => controller.abort(new Error('the caller went away'));
            if (gone) abort();
          },
          onResponseStart(controller, status, headers) {
            if (status < 200) return;
            answer.onStart(status, headers, {
              pause: () => controller.pause(),
              resume: () => controller.resume(),
              abort: () => controller.abort(new Error('the caller went away')),
            });
          },
          onResponseData(_controller, chunk) {
            if (!gone) answer.onData(chunk);
          },
          onResponseEnd() {
            if (!gone) answer.onEnd();
          },
          onResponseError(_controller, error) {
            if (!gone) answer.onError(error);
          },
        },
      );
      return () => {
        gone = true;
        abort?.();
      };
    },
    close: () => pool.destroy(),
  };
}
