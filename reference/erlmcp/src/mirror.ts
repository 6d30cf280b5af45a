/** Pages of another server, which may be down, slow, or hang up. */
import { type Answered, pageBelow, reach } from '@mayday/reference-shared';
import type { App } from './app.ts';
import { Reason } from './refusal.ts';

const MAX_REDIRECTS = 5;

/** A page, or `undefined` when the other server has none. Whatever else goes wrong is thrown as it came. */
export async function fetchPage(
  { mirror, settings }: App,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly mimeType: string; readonly bytes: Buffer } | undefined> {
  const url = mirror === undefined ? undefined : pageBelow(mirror, path);
  if (mirror === undefined || url === undefined) return undefined;
  const headers: { [name: string]: string } = {};
  if (mirror.username !== '') headers['authorization'] = basic(mirror);
  url.username = '';
  url.password = '';
  const limits = { maxBytes: settings.maxContentBytes, redirects: MAX_REDIRECTS, within: mirror };
  const { response: answer, bytes } = await reach(url, { headers, signal }, limits).catch(withReason);
  if (answer.status === 404 || leadsAway(answer)) return undefined;
  if (!answer.ok) throw new Reason(`http_${answer.status}`);
  const mimeType = answer.headers.get('content-type')?.split(';')[0] ?? 'text/plain';
  return { mimeType, bytes };
}

function withReason(cause: unknown): never {
  throw cause instanceof RangeError ? new Reason('page_too_large') : cause;
}

function leadsAway({ status, headers }: Answered): boolean {
  return status >= 300 && status < 400 && headers.has('location');
}

function basic({ username, password }: URL): string {
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}
