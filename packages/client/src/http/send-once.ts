/** A `fetch` sends some requests twice by itself. What may change something is kept from that. */
import { isObject } from './reply.ts';

/**
 * The same request in a form that `fetch` does not repeat. After a 421 the standard has it send the body again, over
 * another connection, as long as it has the body: from a stream it has not. Only Node's own `fetch` keeps the length
 * of a stream that is told beside it; others get the body as it is.
 */
export function sentOnce(init: RequestInit, isOwnFetch: boolean): RequestInit {
  const { body } = init;
  if (!isOwnFetch || !IS_NODE || typeof body !== 'string') return init;
  const bytes = new TextEncoder().encode(body);
  const headers = new Headers(init.headers);
  headers.set('content-length', String(bytes.length));
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const streamed: RequestInit & { duplex: 'half' } = { ...init, headers, body: stream, duplex: 'half' };
  return streamed;
}

const IS_NODE: boolean = isNode((globalThis as { process?: unknown }).process);

function isNode(process: unknown): boolean {
  const versions = isObject(process) ? process['versions'] : undefined;
  return isObject(versions) && 'undici' in versions && !('bun' in versions) && !('deno' in versions);
}
