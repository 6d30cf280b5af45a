/** A small document of an issuer. */

/** Longer than any list of keys. */
const MAX_BYTES = 1_048_576;
const TIMEOUT_MS = 5000;

/** Fetches JSON. Throws a sentence about what is wrong with it, which holds no secrets. */
export async function fetchJson(url: string): Promise<unknown> {
  const { origin, pathname } = new URL(url);
  const where = origin + pathname;
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error', // who it is sent to is for the operator to say
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new Error(`${where} does not answer (${reasonOf(error)})`);
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${where} answers with status ${response.status}`);
  }
  try {
    return JSON.parse(await textOf(response));
  } catch {
    throw new Error(`${where} answers with something else than JSON`);
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

function reasonOf(error: unknown): string {
  const { name = 'unknown', cause } = error as {
    name?: string;
    cause?: { code?: unknown; message?: unknown };
  };
  return [cause?.code, cause?.message].find((said) => typeof said === 'string') ?? name;
}
