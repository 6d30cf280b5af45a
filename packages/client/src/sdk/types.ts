/** What the wrapper needs of an SDK client, v1 or v2: public members only. */
import type { Raising } from './carry-fault.ts';

/** A request, before the SDK gives it an id. */
export interface SdkRequest {
  readonly method: string;
  readonly params?: { readonly [key: string]: unknown } | undefined;
}

/** The SDKs' own request options, as far as they matter here. */
export interface SdkOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeout?: number | undefined;
  readonly maxTotalTimeout?: number | undefined;
  readonly resetTimeoutOnProgress?: boolean | undefined;
  readonly onprogress?: ((progress: never) => void) | undefined;
  /** v2: hands a server's question to whoever called, instead of asking the user. */
  readonly allowInputRequired?: boolean | undefined;
}

/** A transport of either SDK. */
export interface SdkTransport {
  readonly sessionId?: string | undefined;
  send(message: unknown, options?: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: unknown;
}

/** A client of either SDK. */
export interface SdkClient {
  readonly transport?: unknown;
  request(...args: never[]): Promise<unknown>;
  callTool(...args: never[]): Promise<unknown>;
  connect(...args: never[]): Promise<void>;
  close(): Promise<void>;
  notification(...args: never[]): Promise<void>;
  /** v2; nothing until the connection is open. */
  getNegotiatedProtocolVersion?(): string | undefined;
}

/**
 * A client of v2, from either build of the SDK: what `import` gets and what `require` gets are two classes to
 * TypeScript, which takes neither for the other because of their private members.
 */
export interface ClientOfV2 extends SdkClient {
  discover(...args: never[]): Promise<unknown>;
}

/** A client of v1, from either build of the SDK. */
export interface ClientOfV1 extends SdkClient {
  readonly discover?: never;
}

/** Where the two SDKs differ. */
export interface Flavour extends Raising {
  /** The SDK's generation. */
  readonly version: 1 | 2;
  /** Which argument of `request` holds the options. */
  optionsAt(args: readonly unknown[]): number;
  /** Which argument of `callTool` holds the options. */
  readonly callOptionsAt: number;
  /** The arguments of `request` for a method of the specification, whose result is looked at by whoever asks. */
  asking(request: SdkRequest, options: SdkOptions): readonly unknown[];
}
