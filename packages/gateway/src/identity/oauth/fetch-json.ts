/** A small document of an issuer. */

/** Longer than any list of keys. */
const MAX_BYTES = 1_048_576;
const TIMEOUT_MS = 5000;

/** Fetches JSON. Throws a sentence about what is wrong with it, which holds no secrets. */
export async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error', // who it is sent to is for the operator to say
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new Error(`${url} does not answer (${codeOf(error)})`);
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url} answers with status ${response.status}`);
  }
  try {
    return JSON.parse(await textOf(response));
  } catch {
    throw new Error(`${url} answers with something else than JSON`);
  }
}

async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new RangeError('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function codeOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : (name ?? 'unknown');
}
