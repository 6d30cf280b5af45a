/**
 * Redirects of a call. A server that has moved says so before anybody works on the request, once. One that sends a
 * request on and on, or back, may have worked on it each time.
 */
import { isCredential } from '@mayday/core/http';

/** Where a response sends the request; `undefined` when it sends it nowhere. */
export function movedTo(url: string | URL, { status, headers }: Response): URL | undefined {
  const location = headers.get('location');
  if ((status !== 307 && status !== 308) || location === null) return undefined;
  const from = new URL(url);
  if (!URL.canParse(location, from.href)) return undefined;
  const target = new URL(location, from);
  target.hash = '';
  return target;
}

/** Headers that are for the server they were made for. */
const PRIVATE: readonly string[] = ['authorization', 'cookie', 'proxy-authorization', 'mcp-session-id'];

/** The same request for another address. */
export function moved(init: RequestInit, from: string | URL, to: URL): RequestInit {
  if (new URL(from).origin === to.origin) return init;
  const headers = new Headers(init.headers);
  for (const [name, value] of [...headers])
    if (PRIVATE.includes(name) || isCredential(name, value)) headers.delete(name);
  return { ...init, headers };
}
