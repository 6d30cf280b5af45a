/**
 * HTTP endpoints of this process, for mounts that hide the path they are at. Those that were made before any was asked
 * stand beside each other, so each has keys of its own; one that is made later may be made anew for each request.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isInRequest } from './whole-path.ts';

/** An endpoint; its number is 0 where nothing tells it from others at the same address. */
export interface Endpoint {
  number: number | undefined;
}

const asked = new AsyncLocalStorage<Endpoint>();
/** Endpoints that nobody has asked yet, until one is. */
const unasked = new Set<Endpoint>();
let isAsked = false;

/** A further endpoint. */
export function makeEndpoint(): Endpoint {
  if (isAsked || isInRequest()) return { number: 0 };
  const endpoint: Endpoint = { number: undefined };
  unasked.add(endpoint);
  return endpoint;
}

/** Handles a request at an endpoint. */
export function atEndpoint<T>(endpoint: Endpoint, handle: () => T): T {
  if (endpoint.number === undefined) {
    isAsked = true;
    // The first one shares with those that are made later: it may have been made for its request.
    endpoint.number = 0;
    unasked.delete(endpoint);
    let last = 0;
    for (const other of unasked) other.number = ++last;
    unasked.clear();
  }
  return asked.run(endpoint, handle);
}

/** The number of the endpoint that handles the request. */
export function endpointNumber(): number {
  return asked.getStore()?.number ?? 0;
}
