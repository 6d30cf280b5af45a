/** Which headers cross the relay. */
import type { HttpHeaders } from './http-client.ts';

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
  for (const [name, value] of set) if (value !== '') headers.push(name, value);
  return headers;
}

/** Names that `Connection` lists are hop by hop too; the usual values list nothing. */
function connectionListed(connection: string | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return undefined;
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}

/** The server's headers as they go to the caller. */
export function responseHeaders(headers: HttpHeaders): { [name: string]: string } {
  const kept: { [name: string]: string } = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || HOP_BY_HOP.has(name)) continue;
    kept[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return kept;
}
