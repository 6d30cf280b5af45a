/** What crosses a boundary, seen from outside: names for values that the tests judge. */

/** Any JSON value from the wire. */
// biome-ignore lint/suspicious/noExplicitAny: what a server sends is what is being judged; a type would be a promise.
export type Wire = any;

/** One JSON-RPC message as it arrived. */
export interface Message {
  readonly jsonrpc?: Wire;
  readonly id?: Wire;
  readonly method?: Wire;
  readonly params?: Wire;
  readonly result?: Wire;
  readonly error?: Wire;
}

/** One connection on which requests are answered, whatever carries it. */
export interface Channel {
  /** Sends a request and gives its answer, a result or an error, without judging it. */
  request(method: string, params?: Wire): Promise<Message>;
  close(): Promise<void>;
}

/** Calls a tool over a channel. */
export function callTool(channel: Channel, name: string, args: Wire = {}): Promise<Message> {
  return channel.request('tools/call', { name, arguments: args });
}

/** The revision with a handshake, the one every official client starts with. */
export const HANDSHAKE_REVISION = '2025-11-25';

/** What a client without special abilities says first. */
export const INITIALIZE = {
  protocolVersion: HANDSHAKE_REVISION,
  capabilities: {},
  clientInfo: { name: 'acceptance', version: '1.0.0' },
};

/** The `_meta` that every request of the stateless revision carries. */
export const STATELESS_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'acceptance', version: '1.0.0' },
};
