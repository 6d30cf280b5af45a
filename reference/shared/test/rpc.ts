/** JSON-RPC by hand: what a test must see to the byte, and what no client would send. */

/** A JSON-RPC response. */
export interface Rpc {
  readonly id?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back
  readonly error?: any;
}

/** Posts a body to `/mcp` as it is. */
export function post(
  url: string,
  body: string,
  headers: { readonly [name: string]: string } = {},
): Promise<Response> {
  return fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
}

/** The JSON-RPC response in an HTTP response, streamed or not. */
export async function rpcResponse(response: Response): Promise<Rpc> {
  const text = await response.text();
  const event = /^data: (.+)$/m.exec(text)?.[1];
  return JSON.parse(event ?? text) as Rpc;
}

/** Calls a tool without a client. */
export async function callTool(
  url: string,
  name: string,
  args: unknown,
  headers: { readonly [name: string]: string } = {},
): Promise<Rpc> {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  return rpcResponse(await post(url, JSON.stringify(request), headers));
}

/** The body of a response, as whatever it is. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back
export async function jsonOf(response: Response): Promise<any> {
  return response.json();
}
