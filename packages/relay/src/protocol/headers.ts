/** HTTP headers: which of them cross the relay, and what 2026-07-28 repeats of a message in them. */

/** Headers; names in lower case. */
export type HttpHeaders = { readonly [name: string]: string | string[] | undefined };

/** They belong to one connection (RFC 9110, 7.6.1), or the relay writes them itself. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Does this header belong to one connection, and to nobody beyond it? The name is in lower case. */
export function isHopByHop(name: string): boolean {
  return HOP_BY_HOP.has(name);
}

/** A caller cannot speak as a proxy, nor to the gateway through the gateway. */
function isOurs(name: string): boolean {
  return name.startsWith('x-forwarded-') || name === 'forwarded' || name.startsWith('mayday-');
}

/**
 * The caller's headers as they go to the server: names and values in turn. `set` replaces what the caller sent;
 * an empty value removes it.
 */
export function requestHeaders(
  raw: readonly string[],
  connection: string | undefined,
  set: ReadonlyMap<string, string>,
): string[] {
  const listed = connectionListed(connection);
  const headers: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    if (HOP_BY_HOP.has(name) || set.has(name) || isOurs(name) || listed?.has(name) === true) continue;
    // The relay reads answers to find failures in them: it asks for them as they are.
    headers.push(name, name === 'accept-encoding' ? 'identity' : (raw[i + 1] ?? ''));
  }
  for (const [name, value] of set) {
    if (value !== '' && (name === 'host' || !isHopByHop(name))) headers.push(name, value);
  }
  return headers;
}

/** Names that `Connection` lists are hop by hop too; the usual values list nothing. */
function connectionListed(connection: string | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}

/**
 * The server's headers as they go to the caller. A value that HTTP does not allow stays behind, and so do cookies:
 * whoever keeps them would show those of one server to every other behind the same host.
 */
export function responseHeaders(headers: HttpHeaders): { readonly [name: string]: string } {
  const known = knownToCross.get(headers);
  if (known !== undefined) return known;
  const kept = keptOf(headers);
  if (Object.isFrozen(headers)) knownToCross.set(headers, Object.freeze(kept));
  return kept;
}

/** By headers that stay as they are: many answers come under the same. */
const knownToCross = new WeakMap<HttpHeaders, { readonly [name: string]: string }>();

function keptOf(headers: HttpHeaders): { [name: string]: string } {
  const { connection } = headers;
  const listed = connectionListed(Array.isArray(connection) ? connection.join(',') : connection);
  const kept: { [name: string]: string } = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || HOP_BY_HOP.has(name) || listed?.has(name) === true) continue;
    if (name === 'set-cookie' || name === 'set-cookie2') continue;
    const text = typeof value === 'string' ? value : value.join(', ');
    if (isHeaderValue(text)) kept[name] = text;
  }
  return kept;
}

/** Can this be sent as the value of a header? */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

/** The session in these headers, and nothing else: for a stream, which begins before anybody knows how it ends. */
export function sessionIn(headers: { readonly [name: string]: string }): { readonly [name: string]: string } {
  const id = headers['mcp-session-id'];
  return id === undefined ? {} : { 'mcp-session-id': id };
}

/** Do these headers announce a stream of events? */
export function isEventStream(headers: HttpHeaders): boolean {
  const type = headers['content-type'];
  return typeof type === 'string' && /^\s*text\/event-stream\s*(?:;|$)/i.test(type);
}

/** Which of its params `Mcp-Name` repeats, for the methods that have one. */
const NAMED_BY: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** The param that says what a method is about; `undefined` for a method that is about nothing in particular. */
export function namedBy(method: string): 'name' | 'uri' | undefined {
  return NAMED_BY.get(method);
}

/** Text as the value of a header: what does not fit in one travels as `=?base64?…?=`. */
export function encodeHeader(value: string): string {
  const fits = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?');
  return fits ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}

/** The text behind the value of a header. */
export function decodeHeader(value: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}
