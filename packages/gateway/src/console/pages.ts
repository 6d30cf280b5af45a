/** The files of the console, as they are sent. They are the same for everybody, and hold nothing of this gateway. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReplyHeaders } from '@mayday/relay';

/** A file of the console. */
export interface Page {
  readonly body: Buffer;
  readonly headers: ReplyHeaders;
}

/** The page at the root. */
export const INDEX = 'index.html';

/** What else may be there is not served. */
const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Nothing from elsewhere, nothing in the page itself, and nobody around it. */
const POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** What every answer at the console carries, also one that refuses. */
export const GUARDED: ReplyHeaders = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The build writes a digest into the names of these: another content has another name. */
const HASHED = /^assets\/[\w-]+-[\w-]{8,}\.\w+$/;

/** Reads all of them, by their path below the root; none, where they were not built. */
export async function readPages(folder: URL): Promise<ReadonlyMap<string, Page>> {
  const root = fileURLToPath(folder);
  const names = await readdir(root, { recursive: true }).catch(() => []);
  const pages = new Map<string, Page>();
  for (const name of names.map((found) => found.replaceAll('\\', '/'))) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const body = await readFile(`${root}/${name}`);
    pages.set(name, { body, headers: headersOf(name, type, body) });
  }
  return pages;
}

function headersOf(name: string, type: string, body: Buffer): ReplyHeaders {
  return {
    ...GUARDED,
    'content-type': type,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    'cache-control': HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}
