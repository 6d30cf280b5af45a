/**
 * A resilient MCP client: it reads every failure to a fault, retries what is safe, breaks circuits, keeps
 * deadlines. For SDK v2; `@mayday/client/v1` is the same for v1.
 */
import { callable, members, type OptionNames, onlyKnown, type Upstream } from '@mayday/policy';
import type {
  CallToolRequest,
  CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  StreamableHTTPClientTransportOptions,
  Transport,
} from '@modelcontextprotocol/client';
import { addressOf } from './http/address.ts';
import { hearingBy } from './http/heard.ts';
import { lazyTransport } from './http/lazy-transport.ts';
import { type MendOptions, mendFetch } from './http/mend-fetch.ts';
import type { CallExtras } from './sdk/call.ts';
import type { ResilientOptions } from './sdk/options.ts';
import { type CallOutcome, type Settled, toCallOutcome } from './sdk/outcome.ts';
import type { ClientOfV2, Flavour } from './sdk/types.ts';
import { wrapClient } from './sdk/wrap.ts';

export * from './shared.ts';

/**
 * A client that was made resilient. It is the same object, with two members more. Compiled to CommonJS, the SDK's class is
 * another one: write `ResilientClient<Client>` there.
 */
export type ResilientClient<C extends ClientOfV2 = Client> = C & {
  /** Connects; without a transport, through the `transport` option, and again when the connection is gone. */
  connect(transport?: Transport, options?: Parameters<Client['connect']>[1]): Promise<void>;
  /** Calls a tool and returns what became of it; throws a `TypeError` only for options that it does not have. */
  call(params: CallToolRequest['params'], options?: CallExtras): Promise<CallOutcome<CallToolResult>>;
  /** Budget, circuits and places; share it between clients of the same server. */
  readonly upstream: Upstream;
};

const v2: Flavour = {
  version: 2,
  // `request(request, options)` for methods of the specification, `request(request, schema, options)` else.
  optionsAt: (args) => (isSchema(args[1]) ? 2 : 1),
  callOptionsAt: 1,
  asking: (request, options) => [request, options],
  codes: { timeout: 'REQUEST_TIMEOUT', disconnected: 'CONNECTION_CLOSED' },
  async httpError({ status, statusText, text }, saidError) {
    // The SDK hands on what the server says with a 400, and with nothing else.
    if (status === 400 && saidError) return undefined;
    const { SdkErrorCode, SdkHttpError } = await import('@modelcontextprotocol/client').catch(missing);
    const message = `Error POSTing to endpoint: ${text}`;
    return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, message, { status, statusText, text });
  },
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
export function resilient<C extends ClientOfV2>(
  client: C,
  options: ResilientOptions<Transport> = {},
): ResilientClient<C> {
  const wrapper = wrapClient(client, v2, options);
  const { upstream } = wrapper;
  const call = async (
    params: CallToolRequest['params'],
    extras: CallExtras = {},
    ...more: readonly unknown[]
  ): Promise<CallOutcome<CallToolResult>> =>
    toCallOutcome((await wrapper.callSettled(params, extras, more)) as Settled<CallToolResult>);
  return Object.assign(client, { call, upstream }) as unknown as ResilientClient<C>;
}

function missing(cause: unknown): never {
  const message =
    'Expected `@modelcontextprotocol/client` to be installed; for SDK v1, import from `@mayday/client/v1`';
  throw new TypeError(message, { cause });
}

/** The SDK's options, and whether a server's word counts. */
type HttpTransportOptions = StreamableHTTPClientTransportOptions & Pick<MendOptions, 'trustDeclarations'>;

const TRANSPORT_OPTIONS: OptionNames<HttpTransportOptions> = {
  trustDeclarations: true,
  authProvider: true,
  skipIssuerMetadataValidation: true,
  requestInit: true,
  fetch: true,
  redirectPolicy: true,
  reconnectionOptions: true,
  reconnectionScheduler: true,
  sessionId: true,
  protocolVersion: true,
  onInsufficientScope: true,
  maxStepUpRetries: true,
};

/** The SDK's HTTP transport with a `fetch` that loses nothing. The SDK is loaded when it starts. */
export function httpTransport(
  url: string | URL,
  options: HttpTransportOptions = {},
): StreamableHTTPClientTransport {
  onlyKnown('`httpTransport`', options, TRANSPORT_OPTIONS, { headers: 'requestInit: { headers }' });
  callable('fetch', options.fetch);
  members('reconnectionOptions', options.reconnectionOptions);
  const target = addressOf(url);
  const { trustDeclarations, ...own } = options;
  const mended = mendFetch(own.fetch, {
    trustDeclarations,
    resumptions: own.reconnectionOptions?.maxRetries,
  });
  const transport = lazyTransport(async () => {
    const sdk = await import('@modelcontextprotocol/client').catch(missing);
    return new sdk.StreamableHTTPClientTransport(target, { ...own, fetch: mended });
  });
  return hearingBy(transport, mended);
}
