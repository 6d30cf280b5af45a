/** One request to the backend. */
import { reach as reachBackend } from '@mayday/reference-shared';

/** What came back. */
export interface Reached {
  readonly ok: boolean;
  readonly status: number;
  /** What `Retry-After` says; empty without it. */
  readonly retryAfter: string;
  readonly text: string;
}

/** Posts a value, and gives the whole answer. Rejects when there is none, or only half of one, or far too much. */
export async function reach(url: string, body: object, signal: AbortSignal): Promise<Reached> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body), signal };
  const { response, bytes } = await reachBackend(new URL(url), init);
  const { ok, status } = response;
  return { ok, status, retryAfter: response.headers.get('retry-after') ?? '', text: bytes.toString() };
}
