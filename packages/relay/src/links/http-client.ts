/** Requests to one HTTP server, and their answers as they arrive. */
import type { HttpHead } from './link.ts';

/** An answer as it arrives. Exactly one of `onEnd` and `onError` is called, last, unless the request is aborted. */
export interface HttpAnswer {
  onStart(head: HttpHead, flow: Flow): void;
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
  /** Only over a connection that has carried nothing but requests of this session, if it is one's. */
  readonly session?: string | undefined;
  /** In whose name it is made, where its caller has one: what is given for the caller goes along. */
  readonly callerName?: string | undefined;
  /** Wait for the first byte of the answer this long; 0: as long as it takes. */
  readonly headersTimeoutMs: number;
}

/** A client of one origin. */
export interface HttpClient {
  /** Sends a request, once. What it returns lets go of the answer: nothing is told afterwards. */
  send(request: HttpRequest, answer: HttpAnswer): () => void;
  close(): Promise<void>;
}
