/** Names of headers that are not free. In lower case. */

/** Node writes these itself; a second one breaks every request. */
export const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const OF_THE_GATEWAY: ReadonlySet<string> = new Set([
  ...OF_THE_CONNECTION,
  'accept',
  'authorization',
  'content-type',
  'cookie',
  'host',
  'proxy-authorization',
]);

/**
 * Is it one that no argument and no key of a call is ever sent in? OpenAPI says that a document cannot declare `Accept`, `Authorization`
 * and `Content-Type`; the others belong to the connection, and whoever sets them speaks for somebody else.
 */
export function isReserved(name: string): boolean {
  return OF_THE_GATEWAY.has(name.toLowerCase());
}
