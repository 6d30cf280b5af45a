/** Reads an OpenAPI document beside the gateway: a large or hostile one costs nobody else any time. */
import { parentPort, workerData } from 'node:worker_threads';
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { annotationsOf } from './annotations.ts';
import { DocumentError, readAgain, readDocuments, sourceUrl } from './documents.ts';
import { cacheFolder, keepDocuments } from './kept-documents.ts';
import { type Operation, operationsOf } from './operations.ts';
import { createReferences, memberOf } from './references.ts';
import { seenFrom, serverOf } from './servers.ts';
import { areUntouched, type SourceDigest } from './sources.ts';
import { isSwagger, serversOfSwagger } from './swagger2.ts';

/** What the worker is asked. */
export interface ApiRequestData {
  /** A path or a URL. */
  readonly source: string;
  /** What the operator gives each request, as `header x-api-key`. */
  readonly given: readonly string[];
  /** The header in which the API takes idempotency keys. */
  readonly keyHeader: string | undefined;
  /** What was read before. */
  readonly known: readonly SourceDigest[] | undefined;
}

/**
 * What the worker found. Of an operation only what every operator and caller needs is handed over as it is; the rest is
 * JSON in two pieces of memory that change hands, which takes no time however much it is.
 */
export interface ApiDocument {
  readonly title: string;
  readonly version: string;
  readonly server: string | undefined;
  readonly operations: readonly OperationEntry[];
  /** The tools as `tools/list` shows them: the JSON of a list. */
  readonly listed: Uint8Array<ArrayBuffer>;
  /** The operations as they are called, one JSON text after the other. */
  readonly details: Uint8Array<ArrayBuffer>;
  /** Operations that are no tools: `GET /orders: …` with the reason. */
  readonly skipped: readonly string[];
  readonly notes: readonly string[];
  readonly digests: readonly SourceDigest[];
}

/** An operation, and where the rest of it is. */
export interface OperationEntry {
  readonly tool: string;
  readonly operationId: string;
  readonly method: Operation['method'];
  readonly path: string;
  readonly server: string | undefined;
  /** It knows repeated calls by their keys. */
  readonly takesKeys: boolean;
  /** It takes the version of what it changes. */
  readonly takesVersions: boolean;
  /** From, to. */
  readonly listed: readonly [number, number];
  readonly details: readonly [number, number];
}

/** An operation as it is called. */
export type CallableOperation = Omit<Operation, 'inputSchema' | 'title' | 'description'>;

/** How it ends. */
export type ApiOutcome =
  | { readonly type: 'read'; readonly document: ApiDocument }
  /** With the sources as they are now. */
  | { readonly type: 'unchanged'; readonly digests: readonly SourceDigest[] }
  | { readonly type: 'failed'; readonly message: string; readonly isAway: boolean };

/** A document with less to list is read again at each start: that takes no longer. */
const KEPT_FROM_BYTES = 256 * 1024;

/** The code of the sources changes without this file: they keep nothing. */
const kept = import.meta.url.endsWith('.ts')
  ? undefined
  : keepDocuments(cacheFolder(), new URL(import.meta.url));

let keep: (() => Promise<void>) | undefined;

/** The document, if its sources still say what they said. */
async function asItWas(document: ApiDocument | undefined): Promise<ApiDocument | undefined> {
  if (document === undefined || (await areUntouched(document.digests))) return document;
  const digests = await readAgain(document.digests);
  return digests && { ...document, digests };
}

async function run(request: ApiRequestData): Promise<ApiOutcome> {
  try {
    const digests = request.known && (await readAgain(request.known));
    if (digests !== undefined) return { type: 'unchanged', digests };
    const before = await asItWas(await kept?.read(request));
    if (before !== undefined) return { type: 'read', document: before };
    const document = await read(request);
    if (document.listed.length >= KEPT_FROM_BYTES) keep = kept?.write(request, document);
    return { type: 'read', document };
  } catch (error) {
    if (error instanceof DocumentError)
      return { type: 'failed', message: error.message, isAway: error.isAway };
    const { code } = error as NodeJS.ErrnoException;
    const message =
      error instanceof RangeError ? 'it is nested too deeply' : `it cannot be read (${code ?? 'unknown'})`;
    return { type: 'failed', message, isAway: false };
  }
}

async function read({ source, given, keyHeader }: ApiRequestData): Promise<ApiDocument> {
  const documents = await readDocuments(source);
  const { root } = documents;
  const version = memberOf(root.value, 'openapi');
  const isOld = isSwagger(root.value);
  if (!isOld && (typeof version !== 'string' || !version.startsWith('3.')))
    throw new DocumentError('it is no OpenAPI 3.0 or 3.1 document, and none of Swagger 2.0');
  const problems = new Set<string>();
  const context = {
    references: createReferences(documents),
    note: (text: string) => void problems.add(text),
    given: new Set(given),
    keyHeader,
  };
  const { operations, skipped } = operationsOf({ value: root.value, document: root }, context);
  const info = memberOf(root.value, 'info');
  const at = seenFrom(sourceUrl(source), root.url);
  const serverSeen = (from: URL): ReturnType<typeof serverOf> =>
    serverOf(isOld ? { servers: serversOfSwagger(root.value, from) } : root.value, from);
  const { url, note } = serverSeen(at);
  if (url !== serverSeen(root.url).url)
    problems.add(
      `the document is at ${root.url.origin} by now; the API is called at ${at.origin}, unless base_url says otherwise`,
    );
  return {
    title: textOf(memberOf(info, 'title'), 'API'),
    version: textOf(memberOf(info, 'version'), '0'),
    server: url,
    ...packed(operations),
    skipped,
    notes: [...(note === undefined ? [] : [note]), ...problems],
    digests: documents.digests,
  };
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : otherwise;
}

/** Operations as they are handed over. */
function packed(operations: readonly Operation[]): Pick<ApiDocument, 'operations' | 'listed' | 'details'> {
  const listed = createRun('[', ']');
  const details = createRun('', '');
  const entries = operations.map((operation): OperationEntry => {
    const { inputSchema, title, description, ...callable } = operation;
    const { tool, operationId, method, path, server } = callable;
    // Whoever declares the header knows repeated calls by it.
    const takesKeys = callable.parameters.some(({ isIdempotencyKey }) => isIdempotencyKey);
    const takesVersions = callable.parameters.some(({ name }) => name.toLowerCase() === 'if-match');
    const shown = {
      name: tool,
      title,
      description,
      inputSchema,
      annotations: annotationsOf(method),
      _meta: takesKeys ? { [IDEMPOTENCY_KEY]: true } : undefined,
    };
    return {
      tool,
      operationId,
      method,
      path,
      server,
      takesKeys,
      takesVersions,
      listed: listed.add(shown),
      details: details.add(callable),
    };
  });
  return { operations: entries, listed: listed.bytes(), details: details.bytes() };
}

interface Run {
  /** Where it is now. */
  add(value: object): readonly [number, number];
  bytes(): Uint8Array<ArrayBuffer>;
}

/** JSON texts one after the other, with commas between them. */
function createRun(before: string, after: string): Run {
  const pieces: Buffer[] = [Buffer.from(before)];
  let size = before.length;
  return {
    add(value) {
      const piece = Buffer.from(JSON.stringify(value));
      if (pieces.length > 1) {
        pieces.push(Buffer.from(','));
        size += 1;
      }
      pieces.push(piece);
      size += piece.length;
      return [size - piece.length, size];
    },
    bytes: () => new Uint8Array(Buffer.concat([...pieces, Buffer.from(after)])),
  };
}

const outcome = await run(workerData as ApiRequestData);
const moved =
  outcome.type === 'read' ? [outcome.document.listed.buffer, outcome.document.details.buffer] : [];
parentPort?.postMessage(outcome, moved);
await keep?.().catch(() => undefined); // the next start takes a little longer
