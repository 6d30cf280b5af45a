/** The body of a request on `node:http`: as it comes, or as somebody before us has read it. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { fault } from '@mayday/core';
import { packedBody, type Refusal } from './guard-handler.ts';
import { createPile } from './pile.ts';

/** A body that is this many times too large is not read to its end. */
const LINGER = 16;

/** The body, or why it is not taken. `given`: what somebody has read and handed over. */
export async function bodyOf(
  incoming: IncomingMessage,
  given: unknown,
  maxBytes: number,
): Promise<Buffer | Refusal> {
  const body = givenBody(incoming, given);
  if (body === undefined) return streamed(incoming, maxBytes);
  if (!(body instanceof Buffer)) return body;
  return body.length > maxBytes ? tooLarge(maxBytes, body.length) : textual(body, incoming);
}

/** Was the body, or a part of it, not read from the request by us? Then its length and encoding are others. */
export function wasRead(incoming: IncomingMessage, given: unknown): boolean {
  return isBody(given) || isOver(incoming);
}

/** What was read before; `undefined` where the request is still to be read. */
function givenBody(incoming: IncomingMessage, given: unknown): Buffer | Refusal | undefined {
  if (isBody(given)) return bytesOf(given);
  if (!isOver(incoming)) return undefined;
  if (!hasBody(incoming)) return Buffer.alloc(0);
  const { body } = incoming as { readonly body?: unknown }; // Express and its parsers call it so
  return isBody(body) ? bytesOf(body) : MISREAD;
}

/** Routers hand a function over where a body could be: the next handler. */
function isBody(given: unknown): boolean {
  return given !== undefined && typeof given !== 'function';
}

/** Nothing comes any more: somebody has read it to its end, or given it up. */
function isOver(incoming: IncomingMessage): boolean {
  return incoming.readableEnded || incoming.destroyed;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function bytesOf(body: unknown): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.from(JSON.stringify(body));
}

const MISREAD: Refusal = {
  status: 500,
  thrown: fault.misconfigured(
    'The request body was read before the MCP endpoint saw it, and not handed over',
    {
      executed: 'no',
      advice: 'The server has to hand it over: `handle(request, response, body)`.',
    },
  ),
};

/**
 * Never holds more than it may; what is too large is read and forgotten, because whoever is still sending would not
 * hear the answer, up to a point where nobody can expect that.
 */
function streamed(incoming: IncomingMessage, maxBytes: number): Promise<Buffer | Refusal> {
  return new Promise((resolve, reject) => {
    const held = createPile();
    let size = 0;
    const hangUp = (): void => resolve({ ...tooLarge(maxBytes), headers: { connection: 'close' } });
    if (Number(incoming.headers['content-length']) > maxBytes * LINGER) hangUp();
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) held.add(chunk);
      else held.take();
      if (size > maxBytes * LINGER) hangUp();
    });
    incoming.once('end', () =>
      resolve(
        size > maxBytes
          ? tooLarge(maxBytes, size)
          : (packedBody(incoming.headers['content-encoding']) ?? textual(held.take(), incoming)),
      ),
    );
    incoming.once('error', reject);
  });
}

/** `size` is known of what was read to its end. */
function tooLarge(maxBytes: number, size?: number): Refusal {
  const thrown = fault.tooLarge('The request body is too large', {
    subject: { type: 'message' },
    details: { max_bytes: maxBytes, ...(size === undefined ? {} : { actual_bytes: size }) },
  });
  return { status: 413, thrown };
}

function textual(bytes: Buffer, { headers }: IncomingMessage): Buffer | Refusal {
  if (isUtf8(bytes) || headers['content-type']?.includes('json') !== true) return bytes;
  return { status: 400, thrown: fault.parseError('The request body is not valid UTF-8'), code: -32700 };
}
