/**
 * The path that a client used. Routers and adapters cut off where they are mounted before a server sees its request;
 * Node itself says what came, to whoever has asked before the first request.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** Of the HTTP request that is being handled. */
const whole = new AsyncLocalStorage<string>();

// Here, not in `guard`: a stateless server is made when its request is under way.
subscribe('http.server.request.start', (said) => {
  const { url } = (said as { readonly request: { readonly url?: string } }).request;
  whole.enterWith(url ?? '');
});

/** Is an HTTP request being handled? */
export function isInRequest(): boolean {
  return whole.getStore() !== undefined;
}

/** Handles a request of which a router may remember the whole address. */
export function atWholePath<T>(request: IncomingMessage, handle: () => T): T {
  const { originalUrl } = request as { readonly originalUrl?: unknown }; // Express, Connect and Koa call it so
  return typeof originalUrl === 'string' ? whole.run(originalUrl, handle) : handle();
}

/**
 * The path that a client used, of which the server sees this one; the same where no more is known. What does not end
 * like it belongs to another request: one whose handler is itself a client of this server.
 */
export function wholePathOf(seen: string): string {
  const came = without(whole.getStore()?.split('?')[0] ?? '');
  const end = without(seen);
  return came.endsWith(end) ? came : end;
}

/** A slash at the end, and nothing, mean the same to routers. */
function without(path: string): string {
  return path.replace(/\/$/, '');
}
