/** Content that clients send: its type, size and encoding. */

import { invalidUtf8At } from '@mayday/server/rpc';
import { cut, raise } from './errors.ts';

/** What a note may be. */
const TYPES: readonly string[] = ['text/plain', 'text/markdown', 'application/json', 'image/png'];

/** Is it text that people read? */
export function isText(mimeType: string): boolean {
  return mimeType.startsWith('text/') || mimeType === 'application/json';
}

/** Refuses content that cannot be kept. */
export function checkContent(mimeType: string, bytes: Buffer, maxBytes: number): void {
  if (!TYPES.includes(mimeType)) throw raise('invalid_content_type', { content_type: cut(mimeType) });
  if (bytes.length > maxBytes)
    throw raise('content_too_large', { actualSize: bytes.length, maxSize: maxBytes });
  const position = isText(mimeType) ? invalidUtf8At(bytes) : undefined;
  if (position !== undefined) throw raise('invalid_encoding', { encoding: 'utf-8', position });
}
