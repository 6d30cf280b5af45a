/** One request to a backend, within limits. */

/** What came back. */
export interface Reached {
  readonly ok: boolean;
  readonly status: number;
  /** What `Retry-After` says; empty without it. */
  readonly retryAfter: string;
  readonly text: string;
}

const MAX_BYTES = 8 * 1024 * 1024;

/** Posts a value, and gives the whole answer. Rejects when there is none, or only half of one, or far too much. */
export async function reach(url: string, body: object, signal: AbortSignal): Promise<Reached> {
  const headers = { 'content-type': 'application/json' };
  // Wherever an answer points to, the operator has not named it.
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal,
    redirect: 'manual',
  });
  const { ok, status } = response;
  return { ok, status, retryAfter: response.headers.get('retry-after') ?? '', text: await textOf(response) };
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > MAX_BYTES) throw new RangeError(`The backend answered with more than ${MAX_BYTES} bytes`);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
