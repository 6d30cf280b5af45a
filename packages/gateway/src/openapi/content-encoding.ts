/** Answers that come packed, although nobody asked for that. */
import { promisify } from 'node:util';
import type { HttpHeaders } from '@mayday/relay';

const KNOWN: { readonly [name: string]: 'gunzip' | 'inflate' | 'brotliDecompress' } = {
  gzip: 'gunzip',
  'x-gzip': 'gunzip',
  deflate: 'inflate',
  br: 'brotliDecompress',
};

/** Is the body packed? */
export function isEncoded(headers: HttpHeaders): boolean {
  const said = encodingOf(headers);
  return said !== '' && said !== 'identity';
}

/** The body itself, if it is no larger than allowed. Rejects otherwise, and when nobody knows how it is packed. */
export async function unpack(body: Buffer, headers: HttpHeaders, maxBytes: number): Promise<Buffer> {
  if (body.length === 0) return body;
  const name = encodingOf(headers);
  const how = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  if (how === undefined) throw new Error('an encoding that is not known');
  const zlib = await import('node:zlib');
  return promisify<Buffer, object, Buffer>(zlib[how])(body, { maxOutputLength: maxBytes });
}

function encodingOf(headers: HttpHeaders): string {
  const said = headers['content-encoding'];
  return typeof said === 'string' ? said.trim().toLowerCase() : '';
}
