/** Both SDKs, behind one face, so that every story is told twice. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { COMPILE_CACHE } from '../../../test/compile-cache.ts';
import * as v2 from '../src/index.ts';
import type { ResilientOptions } from '../src/sdk/options.ts';
import * as v1 from '../src/v1.ts';

const INFO = { name: 'agent', version: '1.0.0' };

/** The part of both clients that the tests use. */
export interface Tested {
  connect(): Promise<void>;
  close(): Promise<void>;
  call: v2.ResilientClient['call'];
  callTool(params: { name: string; arguments?: object }): Promise<unknown>;
  listTools(params?: { cursor: string }, options?: { signal?: AbortSignal }): Promise<unknown>;
  listPrompts(): Promise<unknown>;
  listResources(): Promise<unknown>;
  listResourceTemplates(): Promise<unknown>;
  getPrompt(params: { name: string }): Promise<unknown>;
  readonly upstream: v2.Upstream;
}

type Options = Omit<ResilientOptions<never>, 'transport'>;

export interface Flavour {
  readonly name: string;
  http(url: string, options?: Options): Tested;
  stdio(args: readonly string[], options?: Options): Tested;
  /** On a transport of stdio that starts this command, by itself or as a promise. */
  started(command: string, options?: Options & { readonly isPromised?: boolean }): Tested;
}

/** Backoffs of no length, chance at its lower end; three attempts, so that the stories stay short. */
const QUICK = { upstream: { random: () => 0 }, attempts: 3 };

const command = (args: readonly string[]) => ({
  command: process.execPath,
  args: [...args],
  env: { ...COMPILE_CACHE },
  stderr: 'ignore' as const,
});

/** What nobody may give, and some do. */
function promisedIf<T>(isPromised: boolean, made: T): T {
  return isPromised ? (Promise.resolve(made) as T) : made;
}

export const FLAVOURS: readonly Flavour[] = [
  {
    name: 'SDK v2',
    http: (url, options) =>
      v2.resilient(new ClientV2(INFO), {
        ...QUICK,
        ...options,
        transport: () => v2.httpTransport(url),
      }) as Tested,
    stdio: (args, options) =>
      v2.resilient(new ClientV2(INFO), {
        ...QUICK,
        ...options,
        transport: () => new StdioV2(command(args)),
      }) as Tested,
    started: (program, { isPromised = false, ...options } = {}) =>
      v2.resilient(new ClientV2(INFO), {
        ...QUICK,
        ...options,
        transport: () => promisedIf(isPromised, new StdioV2({ command: program, stderr: 'ignore' })),
      }) as Tested,
  },
  {
    name: 'SDK v1',
    http: (url, options) =>
      v1.resilient(new ClientV1(INFO), {
        ...QUICK,
        ...options,
        transport: () => v1.httpTransport(url),
      }) as unknown as Tested,
    stdio: (args, options) =>
      v1.resilient(new ClientV1(INFO), {
        ...QUICK,
        ...options,
        transport: () => new StdioV1(command(args)),
      }) as unknown as Tested,
    started: (program, { isPromised = false, ...options } = {}) =>
      v1.resilient(new ClientV1(INFO), {
        ...QUICK,
        ...options,
        transport: () => promisedIf(isPromised, new StdioV1({ command: program, stderr: 'ignore' })),
      }) as unknown as Tested,
  },
];

/** A v2 client on the SDK's own transport, without our `fetch`. */
export function plainHttp(url: string, options: Options = {}): Tested {
  return v2.resilient(new ClientV2(INFO), {
    ...QUICK,
    ...options,
    transport: () => new HttpV2(new URL(url)),
  }) as Tested;
}

/** The same for v1. */
export function plainHttpV1(url: string, options: Options = {}): Tested {
  return v1.resilient(new ClientV1(INFO), {
    ...QUICK,
    ...options,
    transport: () => new HttpV1(new URL(url)) as never,
  }) as unknown as Tested;
}
