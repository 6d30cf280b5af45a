/**
 * The official SDKs, as far as the guard touches them. Both major versions share these shapes, and because
 * they are shapes, no copy of either SDK is ever loaded from here: two copies break its `instanceof`.
 */
import type { Hints } from './hints.ts';

/** A request id. */
export type RequestId = string | number;

/** A JSON-RPC message, in any direction. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: ErrorObject;
}

/** A JSON-RPC error object. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What a transport says about a message beside the message. v2 hands over the request, v1 its headers. */
export interface Extra {
  readonly request?: {
    readonly headers: { get(name: string): string | null } & Iterable<[string, string]>;
    readonly url?: string;
    readonly signal?: AbortSignal;
  };
  readonly requestInfo?: {
    readonly headers?: { readonly [name: string]: string | string[] | undefined };
    readonly url?: URL;
  };
  readonly authInfo?: AuthInfo;
}

/** Who calls, as an authenticating transport knows it. */
export interface AuthInfo {
  readonly token?: string;
  readonly clientId?: string;
  readonly scopes?: readonly string[];
  readonly extra?: { readonly [key: string]: unknown };
}

/** A transport. */
export interface TransportLike {
  start(): Promise<void>;
  send(message: Message, options?: unknown): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: Message, extra?: Extra) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  sessionId?: string | undefined;
}

/** The low-level server of either SDK. */
export interface ServerLike {
  connect(transport: never): Promise<void>;
  setRequestHandler: (...args: never[]) => unknown;
  /** Throws where the method has a handler. */
  assertCanSetRequestHandler(method: string): void;
  readonly fallbackRequestHandler?: unknown;
  readonly transport?: unknown;
  onerror?: ((error: Error) => void) | undefined;
}

/** The high-level server of either SDK. */
export interface McpServerLike {
  readonly server: ServerLike;
}

/** What can be guarded. */
export type Guardable = McpServerLike | ServerLike;

/** A handle that registering a tool, resource or prompt gives back. */
export interface Handle {
  enabled: boolean;
  inputSchema?: unknown;
  outputSchema?: unknown;
  argsSchema?: unknown;
  annotations?: Hints | undefined;
  _meta?: { readonly [key: string]: unknown } | undefined;
  handler?: unknown;
  executor?: unknown;
  callback?: unknown;
  readCallback?: unknown;
  update(updates: { [key: string]: unknown }): void;
}

/** Any function, for wrapping. */
export type AnyFunction = (...args: unknown[]) => unknown;
