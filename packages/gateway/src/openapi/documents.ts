/** Reads an OpenAPI document and the documents beside it that it refers to. Runs in a worker. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sha256 } from '../sha256.ts';
import { toUrl } from '../to-url.ts';
import { NOTHING, type SourceDigest, stampAt, stampOf } from './sources.ts';

/** A document that was read. */
export interface SourceDocument {
  /** Where it is; references in it are seen from there. */
  readonly url: URL;
  readonly value: unknown;
}

/** The documents that belong together. */
export interface Documents {
  readonly root: SourceDocument;
  /** By URL; a string says why one could not be read. */
  readonly others: ReadonlyMap<string, SourceDocument | string>;
  /** What was read, to find out whether it is still the same. */
  readonly digests: readonly SourceDigest[];
}

/** A document that cannot be used, and why; `isAway` when it could not be fetched and may be back later. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly isAway: boolean;

  constructor(message: string, isAway = false) {
    super(message);
    this.isAway = isAway;
  }
}

/** Loaded when it is first needed: most documents are JSON. */
const require = createRequire(import.meta.url);
const yaml = (): typeof import('js-yaml') => require('js-yaml');

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_DOCUMENTS = 500;
const TOO_LARGE = `it is too large; ${MAX_BYTES / 1024 / 1024} MiB are read at most, with all that it refers to`;
const FETCH_TIMEOUT_MS = 30_000;

/** Reads a document, given as a path or a URL, and everything beside it that it refers to. */
export async function readDocuments(source: string): Promise<Documents> {
  const digests: SourceDigest[] = [];
  let left = MAX_BYTES;
  const take = async (url: URL, isRoot: boolean): Promise<SourceDocument> => {
    const { bytes, at, stamp } = await readBytes(url, isRoot, left).catch(async (error: unknown) => {
      digests.push(await unread(url)); // it may come
      throw error;
    });
    left -= bytes.length;
    digests.push({ url: url.href, digest: digestOf(bytes), stamp });
    return { url: at, value: parseText(bytes.toString('utf8')) };
  };
  const root = await take(sourceUrl(source), true);
  const isAllowed = await fenceOf(root.url);
  const others = new Map<string, SourceDocument | string>();
  const waiting = [root];
  for (let document = waiting.pop(); document !== undefined; document = waiting.pop()) {
    for (const url of referredBy(document)) {
      if (others.has(url.href) || url.href === root.url.href || others.size >= MAX_DOCUMENTS) continue;
      const found = (await isAllowed(url))
        ? await take(url, false).catch((error: unknown) => whyNot(error))
        : 'it is outside the folder or the origin of the document';
      others.set(url.href, found);
      if (typeof found !== 'string') waiting.push(found);
    }
  }
  return { root, others, digests };
}

/** The sources as they are now, if all of them still say what they said. */
export async function readAgain(
  digests: readonly SourceDigest[],
): Promise<readonly SourceDigest[] | undefined> {
  const now: SourceDigest[] = [];
  for (const [i, { url, digest }] of digests.entries()) {
    const source = new URL(url);
    const found = await readBytes(source, i === 0, MAX_BYTES).then(
      ({ bytes, stamp }) => ({ url, digest: digestOf(bytes), stamp }),
      () => unread(source),
    );
    if (found.digest !== digest) return undefined;
    now.push(found);
  }
  return now;
}

async function unread(url: URL): Promise<SourceDigest> {
  return { url: url.href, digest: NOTHING, stamp: url.protocol === 'file:' ? await stampAt(url) : undefined };
}

/** Where a document is, given as a path or a URL. */
export function sourceUrl(source: string): URL {
  return /^https?:\/\//i.test(source) ? new URL(source) : pathToFileURL(source);
}

function digestOf(bytes: Buffer): string {
  return sha256(bytes);
}

/**
 * What a document may refer to: files in its own folder, or what is at its own origin. Anything else could be made
 * to show up among the tools.
 */
async function fenceOf(root: URL): Promise<(url: URL) => Promise<boolean>> {
  if (root.protocol !== 'file:') return async (url) => url.origin === root.origin;
  const folder = `${await realpath(dirname(fileURLToPath(root)))}${sep}`;
  return async (url) => {
    if (url.protocol !== 'file:' || url.host !== '') return false;
    const real = await realpath(fileURLToPath(url)).catch(() => undefined);
    return real === undefined ? fileURLToPath(url).startsWith(folder) : real.startsWith(folder);
  };
}

/** What a source holds, and where it was found. */
interface SourceBytes {
  readonly bytes: Buffer;
  readonly at: URL;
  readonly stamp: string | undefined;
}

async function readBytes(url: URL, isRoot: boolean, left: number): Promise<SourceBytes> {
  if (url.protocol === 'file:') return readLocal(url, left);
  // The operator chose the document, not what it refers to: only the former may be moved elsewhere.
  const response = await fetch(url, {
    redirect: isRoot ? 'follow' : 'error',
    headers: { accept: 'application/json, application/yaml, */*;q=0.5', 'user-agent': 'mayday-gateway' },
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  }).catch(() => {
    throw new DocumentError('it cannot be fetched', true);
  });
  if (!response.ok) {
    const isLocked = response.status === 401 || response.status === 403;
    const advice = isLocked ? '; it is fetched without credentials, so save it as a file' : '';
    throw new DocumentError(`it cannot be fetched (HTTP ${response.status})${advice}`, true);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > left) throw new DocumentError(TOO_LARGE);
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), at: new URL(response.url), stamp: undefined };
}

async function readLocal(url: URL, left: number): Promise<SourceBytes> {
  const about = await stat(url);
  if (!about.isFile()) throw new DocumentError('it is no file');
  if (about.size > left) throw new DocumentError(TOO_LARGE);
  return { bytes: await readFile(url), at: url, stamp: stampOf(about) };
}

/** No text of the document is in the message: it may not be the document that was meant. */
function parseText(text: string): unknown {
  try {
    if (/^\s*\{/.test(text)) return JSON.parse(text);
  } catch {
    // YAML can begin like this too
  }
  const { CORE_SCHEMA, load, mergeTag, YAMLException } = yaml();
  try {
    return load(text, { schema: CORE_SCHEMA.withTags(mergeTag) });
  } catch (error) {
    const where =
      error instanceof YAMLException && error.mark !== undefined ? ` (line ${error.mark.line + 1})` : '';
    throw new DocumentError(`it is neither JSON nor YAML${where}`);
  }
}

function whyNot(error: unknown): string {
  if (error instanceof DocumentError) return error.message;
  return `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
}

/** Where the references of a document lead, beside itself. Walked without recursion: documents can be deep. */
function referredBy({ url, value }: SourceDocument): readonly URL[] {
  const found = new Map<string, URL>();
  const seen = new Set<unknown>();
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    const reference = (next as { $ref?: unknown }).$ref;
    if (typeof reference === 'string' && !reference.startsWith('#')) {
      const target = toUrl(reference, url.href);
      if (target !== undefined) found.set(withoutFragment(target).href, withoutFragment(target));
    }
    for (const member of Object.values(next)) waiting.push(member);
  }
  return [...found.values()];
}

/** The same URL without its fragment. */
export function withoutFragment(url: URL): URL {
  const copy = new URL(url);
  copy.hash = '';
  return copy;
}
