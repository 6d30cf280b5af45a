/** What crosses a boundary, seen from outside. */

/** Any JSON value from the wire. */
// biome-ignore lint/suspicious/noExplicitAny: what a server sends is what is being judged; a type would be a promise.
export type Wire = any;

/** One JSON-RPC message as it arrived. */
export interface Message {
  readonly jsonrpc?: Wire;
  readonly id?: Wire;
  readonly method?: Wire;
  readonly result?: Wire;
  readonly error?: Wire;
}

/** What a client of 2025-11-25 says first. */
export const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'acceptance', version: '1.0.0' },
};

/** What every POST to an MCP endpoint carries. */
export const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
