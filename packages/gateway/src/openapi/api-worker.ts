/** Reads an OpenAPI document beside the gateway: a large or hostile one costs nobody else any time. */
import { parentPort, workerData } from 'node:worker_threads';
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { annotationsOf } from './annotations.ts';
import { areUnchanged, DocumentError, readDocuments } from './documents.ts';
import { type Operation, operationsOf } from './operations.ts';
import { createReferences, memberOf } from './references.ts';
import { serverOf } from './servers.ts';
import type { SourceDigest } from './sources.ts';

/** What the worker is asked. */
export interface ApiRequestData {
  /** A path or a URL. */
  readonly source: string;
  /** What was read before. */
  readonly known: readonly SourceDigest[] | undefined;
}

/** What the worker found. Schemas are text: most of them are never needed, and text is quick to hand over. */
export interface ApiDocument {
  readonly title: string;
  readonly version: string;
  readonly server: string | undefined;
  readonly operations: readonly OperationText[];
  readonly notes: readonly string[];
  readonly digests: readonly SourceDigest[];
}

/** An operation, its schema as JSON, and the tool as `tools/list` shows it. */
export interface OperationText extends Omit<Operation, 'inputSchema' | 'title' | 'description'> {
  readonly schema: string;
  readonly listed: string;
}

/** How it ends. */
export type ApiOutcome =
  | { readonly type: 'read'; readonly document: ApiDocument }
  | { readonly type: 'unchanged' }
  | { readonly type: 'failed'; readonly message: string; readonly isAway: boolean };

async function run({ source, known }: ApiRequestData): Promise<ApiOutcome> {
  try {
    if (known !== undefined && (await areUnchanged(known))) return { type: 'unchanged' };
    return { type: 'read', document: await read(source) };
  } catch (error) {
    if (error instanceof DocumentError)
      return { type: 'failed', message: error.message, isAway: error.isAway };
    const { code } = error as NodeJS.ErrnoException;
    const message =
      error instanceof RangeError ? 'it is nested too deeply' : `it cannot be read (${code ?? 'unknown'})`;
    return { type: 'failed', message, isAway: false };
  }
}

async function read(source: string): Promise<ApiDocument> {
  const documents = await readDocuments(source);
  const { root } = documents;
  const version = memberOf(root.value, 'openapi');
  if (typeof version !== 'string' || !version.startsWith('3.'))
    throw new DocumentError('it is no OpenAPI 3.0 or 3.1 document');
  const problems = new Set<string>();
  const context = {
    references: createReferences(documents),
    note: (text: string) => void problems.add(text),
  };
  const { operations, skipped } = operationsOf({ value: root.value, document: root }, context);
  const info = memberOf(root.value, 'info');
  const { url, note } = serverOf(root.value, root.url);
  return {
    title: textOf(memberOf(info, 'title'), 'API'),
    version: textOf(memberOf(info, 'version'), '0'),
    server: url,
    operations: operations.map(toText),
    notes: [
      ...(note === undefined ? [] : [note]),
      ...skipped.map((why) => `no tool for ${why}`),
      ...problems,
    ],
    digests: documents.digests,
  };
}

function textOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : otherwise;
}

function toText({ inputSchema, title, description, ...operation }: Operation): OperationText {
  const listed = {
    name: operation.tool,
    title,
    description,
    inputSchema,
    annotations: annotationsOf(operation.method),
    // Whoever declares the header knows repeated calls by it.
    _meta: operation.parameters.some(({ isIdempotencyKey }) => isIdempotencyKey)
      ? { [IDEMPOTENCY_KEY]: true }
      : undefined,
  };
  return { ...operation, schema: JSON.stringify(inputSchema), listed: JSON.stringify(listed) };
}

parentPort?.postMessage(await run(workerData as ApiRequestData));
