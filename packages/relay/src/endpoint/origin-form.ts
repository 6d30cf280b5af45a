/** Requests that name the whole address of what they want, as those to a proxy do. Every server must take them. */
import type { IncomingMessage } from 'node:http';

const ABSOLUTE = /^https?:\/\/([^/?#@\s]+)(?=[/?]|$)/i;

/**
 * Puts such a request into the usual form. What its target names counts, and not its `Host`.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
 */
export function toOriginForm(request: IncomingMessage): void {
  const [start, authority] = ABSOLUTE.exec(request.url ?? '') ?? [];
  if (start === undefined || authority === undefined) return;
  const path = (request.url ?? '').slice(start.length);
  request.url = path.startsWith('/') ? path : `/${path}`;
  request.headers.host = authority;
}
