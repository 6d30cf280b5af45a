/** Pages of another server, which may be down, slow, or hang up. */
import type { App } from './app.ts';
import { Reason } from './refusal.ts';

/** A page, or `undefined` when the other server has none. Whatever else goes wrong is thrown as it came. */
export async function fetchPage(
  { mirror }: App,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly mimeType: string; readonly bytes: Buffer } | undefined> {
  if (mirror === undefined) return undefined;
  const url = new URL(path, mirror);
  // A page that leads elsewhere is not on the mirrored server.
  if (url.origin !== mirror.origin) return undefined;
  const headers: { [name: string]: string } = {};
  if (mirror.username !== '') headers['authorization'] = basic(mirror);
  url.username = '';
  url.password = '';
  const answer = await fetch(url, { headers, signal });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Reason(`http_${answer.status}`);
  const mimeType = answer.headers.get('content-type')?.split(';')[0] ?? 'text/plain';
  return { mimeType, bytes: Buffer.from(await answer.arrayBuffer()) };
}

function basic({ username, password }: URL): string {
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}
