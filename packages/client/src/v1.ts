/** The resilient client for SDK v1 (`@modelcontextprotocol/sdk`). */
import { callable, members, type OptionNames, onlyKnown, type Upstream } from '@mayday/policy';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolRequest, CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { addressOf } from './http/address.ts';
import { hearingBy } from './http/heard.ts';
import { type MendOptions, mendFetch } from './http/mend-fetch.ts';
import type { CallExtras } from './sdk/call.ts';
import type { ResilientOptions } from './sdk/options.ts';
import { type CallOutcome, type Settled, toCallOutcome } from './sdk/outcome.ts';
import { keepFaultsInStreams } from './sdk/task-streams.ts';
import type { ClientOfV1, Flavour } from './sdk/types.ts';
import { wrapClient } from './sdk/wrap.ts';

export * from './shared.ts';

/**
 * A v1 client that was made resilient. It is the same object, with two members more. Compiled to CommonJS, the SDK's class is
 * another one: write `ResilientClient<Client>` there.
 */
export type ResilientClient<C extends ClientOfV1 = Client> = C & {
  /** Connects; without a transport, through the `transport` option, and again when the connection is gone. */
  connect(transport?: Transport, options?: Parameters<Client['connect']>[1]): Promise<void>;
  /** Calls a tool and returns what became of it; throws a `TypeError` only for options that it does not have. */
  call(params: CallToolRequest['params'], options?: CallExtras): Promise<CallOutcome<CallToolResult>>;
  /** Budget, circuits and places; share it between clients of the same server. */
  readonly upstream: Upstream;
};

const v1: Flavour = {
  version: 1,
  optionsAt: () => 2,
  callOptionsAt: 2,
  asking: (request, options) => [request, AS_IT_IS, options],
  codes: { timeout: -32001, disconnected: -32000 },
  httpError: async ({ status, text }) =>
    new StreamableHTTPError(status, `Error POSTing to endpoint: ${text}`),
};

/** A schema that every result follows, in the form that each version of the SDK asks. */
const AS_IT_IS = {
  parse: (data: unknown) => data,
  safeParse: (data: unknown) => ({ success: true, data }),
};

/** Makes a v1 client resilient, in place. */
export function resilient<C extends ClientOfV1>(
  client: C,
  options: ResilientOptions<Transport> = {},
): ResilientClient<C> {
  const wrapper = wrapClient(client, v1, options);
  keepFaultsInStreams(client, v1);
  const { upstream } = wrapper;
  const call = async (
    params: CallToolRequest['params'],
    extras: CallExtras = {},
    ...more: readonly unknown[]
  ): Promise<CallOutcome<CallToolResult>> =>
    toCallOutcome((await wrapper.callSettled(params, extras, more)) as Settled<CallToolResult>);
  return Object.assign(client, { call, upstream }) as unknown as ResilientClient<C>;
}

/** The SDK's options, and whether a server's word counts. */
type HttpTransportOptions = StreamableHTTPClientTransportOptions & Pick<MendOptions, 'trustDeclarations'>;

const TRANSPORT_OPTIONS: OptionNames<HttpTransportOptions> = {
  trustDeclarations: true,
  authProvider: true,
  requestInit: true,
  fetch: true,
  redirectPolicy: true,
  reconnectionOptions: true,
  sessionId: true,
};

/** The SDK's HTTP transport with a `fetch` that loses nothing. */
export function httpTransport(
  url: string | URL,
  options: HttpTransportOptions = {},
): StreamableHTTPClientTransport {
  onlyKnown('`httpTransport`', options, TRANSPORT_OPTIONS, { headers: 'requestInit: { headers }' });
  callable('fetch', options.fetch);
  members('reconnectionOptions', options.reconnectionOptions);
  const { trustDeclarations, ...own } = options;
  const mended = mendFetch(own.fetch, {
    trustDeclarations,
    resumptions: own.reconnectionOptions?.maxRetries,
  });
  return hearingBy(new StreamableHTTPClientTransport(addressOf(url), { ...own, fetch: mended }), mended);
}
