/**
 * A resilient MCP client: it reads every failure to a fault, retries what is safe, breaks circuits, keeps
 * deadlines. For SDK v2; `@mayday/client/v1` is the same for v1.
 */
import {
  type CallToolRequest,
  type CallToolResult,
  type Client,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  type Transport,
} from '@modelcontextprotocol/client';
import { mendFetch } from './http/mend-fetch.ts';
import type { Upstream } from '@mayday/policy';
import type { CallExtras } from './sdk/call.ts';
import type { ResilientOptions } from './sdk/options.ts';
import type { Flavour } from './sdk/types.ts';
import { wrapClient } from './sdk/wrap.ts';
import { type Settled, toCallOutcome, type CallOutcome } from './sdk/outcome.ts';

export { type Failure, readError, readResult } from './agents/read.ts';
export { type FetchLike, type MendOptions, mendFetch } from './http/mend-fetch.ts';
export {
  type BreakerOptions,
  type BreakerState,
  type BudgetOptions,
  type CallEvent,
  type Clock,
  createUpstream,
  type FaultEvent,
  type Listener,
  type Random,
  type Upstream,
  type UpstreamOptions,
} from '@mayday/policy';
export type { CallExtras } from './sdk/call.ts';
export type { Failures, ResilientOptions, ToolPolicy } from './sdk/options.ts';
export type { CallOutcome } from './sdk/outcome.ts';
export type { CallTelemetry, Telemetry } from './sdk/telemetry.ts';
export { type FailedToolResult, toToolResult } from './sdk/tool-result.ts';

/** A client that was made resilient. It is the same object, with two members more. */
export type ResilientClient<C extends Client = Client> = C & {
  /** Connects; without a transport, through the `transport` option, and again when the connection is gone. */
  connect(transport?: Transport, options?: Parameters<Client['connect']>[1]): Promise<void>;
  /** Calls a tool and returns what became of it; never throws. */
  call(params: CallToolRequest['params'], options?: CallExtras): Promise<CallOutcome<CallToolResult>>;
  /** Budget, circuits and places; share it between clients of the same server. */
  readonly upstream: Upstream;
};

const v2: Flavour = {
  // `request(request, options)` for methods of the specification, `request(request, schema, options)` else.
  optionsAt: (args) => (isSchema(args[1]) ? 2 : 1),
  callOptionsAt: 1,
};

function isSchema(value: unknown): boolean {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && '~standard' in value;
}

/**
 * Makes a client resilient, in place.
 *
 * @example
 * const client = resilient(new Client({ name: 'agent', version: '1.0.0' }), {
 *   transport: () => httpTransport('https://example.com/mcp'),
 * });
 * await client.connect();
 */
export function resilient<C extends Client>(
  client: C,
  options: ResilientOptions<Transport> = {},
): ResilientClient<C> {
  const { upstream, callSettled } = wrapClient(client, v2, options);
  const call = async (
    params: CallToolRequest['params'],
    extras: CallExtras = {},
  ): Promise<CallOutcome<CallToolResult>> =>
    toCallOutcome((await callSettled(params, extras)) as Settled<CallToolResult>);
  return Object.assign(client, { call, upstream }) as unknown as ResilientClient<C>;
}

/** The SDK's HTTP transport with a `fetch` that loses nothing. */
export function httpTransport(
  url: string | URL,
  options: StreamableHTTPClientTransportOptions = {},
): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), { ...options, fetch: mendFetch(options.fetch) });
}
