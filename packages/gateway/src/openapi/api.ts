/** An HTTP API, described by an OpenAPI document, as something to call. */
import { Worker } from 'node:worker_threads';
import { nearest } from '../nearest.ts';
import type { OpenApiSettings } from '../settings/settings.ts';
import type { ApiDocument, ApiOutcome, ApiRequestData, OperationText } from './api-worker.ts';
import { areUntouched } from './sources.ts';
import { createValidators, type Validator, type Validators } from './validate.ts';

/** A tool of the API. */
interface ApiTool {
  readonly operation: OperationText;
  /** Checks arguments against the schema, which is compiled when it is first needed. */
  readonly validate: Validator;
}

/** The API. */
export interface Api {
  readonly title: string;
  readonly version: string;
  readonly baseUrl: URL;
  readonly tools: ReadonlyMap<string, ApiTool>;
  /** The tools as `tools/list` shows them: the JSON of a list. */
  readonly listed: string;
  /** What an operator should know: operations that are no tools, references that lead nowhere. */
  readonly notes: readonly string[];
}

/** An API that cannot be called, and why. `isAway`: its document could not be fetched and may be back later. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly isAway: boolean;

  constructor(message: string, isAway = false) {
    super(message);
    this.isAway = isAway;
  }
}

const MAX_LOAD_MS = 120_000;
const MAX_HEAP_MB = 1024;

/** Documents by source, so that a reload does not read again what has not changed. */
const cache = new Map<string, ApiDocument>();
const MAX_CACHED = 32;

/** Who is told of what becomes of an API. */
export interface ApiListener {
  readonly onApi: (api: Api) => void;
  readonly onFailed: (error: ApiError) => void;
  readonly now?: (() => number) | undefined;
}

/** A document that could not be read is read again for a call that comes this much later. */
const AGAIN_MS = 10_000;

/** The API of some settings: read at once, kept when it could be read, and tried again when not. */
export function keepApi(settings: OpenApiSettings, listener: ApiListener): () => Promise<Api> {
  const { onApi, onFailed, now = performance.now.bind(performance) } = listener;
  let failedAt: number | undefined;
  function start(): Promise<Api> {
    failedAt = undefined;
    const loading = loadApi(settings);
    loading.then(onApi, (error: ApiError) => {
      failedAt = now();
      onFailed(error);
    });
    return loading;
  }
  let api = start();
  return () => {
    if (failedAt !== undefined && now() - failedAt >= AGAIN_MS) api = start();
    return api;
  };
}

/** Reads a document, in a thread of its own. Throws an {@link ApiError}. */
async function loadApi({ openapi, baseUrl, operations }: OpenApiSettings): Promise<Api> {
  const document = await readDocument(openapi);
  const base = baseUrl ?? (document.server === undefined ? undefined : new URL(document.server));
  if (base === undefined) throw new ApiError('it names no absolute server; set base_url');
  const chosen = document.operations.filter(
    ({ tool, operationId }) =>
      operations === undefined || operations.includes(tool) || operations.includes(operationId),
  );
  const validators = createValidators();
  return {
    title: document.title,
    version: document.version,
    baseUrl: base,
    tools: new Map(chosen.map((operation) => [operation.tool, toApiTool(operation, validators)])),
    listed: `[${chosen.map(({ listed }) => listed).join(',')}]`,
    notes: [...unknownOperations(operations ?? [], document), ...shortened(document.notes)],
  };
}

function toApiTool(operation: OperationText, validators: Validators): ApiTool {
  let compiled: Validator | undefined;
  return {
    operation,
    validate: (args, size) => {
      compiled ??= validators.compile(operation.schema);
      return compiled(args, size);
    },
  };
}

function unknownOperations(wanted: readonly string[], { operations }: ApiDocument): readonly string[] {
  const known = operations.flatMap(({ tool, operationId }) => [tool, operationId]);
  return wanted
    .filter((name) => !known.includes(name))
    .map((name) => {
      const close = nearest(name, known);
      return `There is no operation ${name}${close === undefined ? '' : `; did you mean ${close}?`}`;
    });
}

const MAX_NOTES = 100;

function shortened(notes: readonly string[]): readonly string[] {
  const more = notes.length - MAX_NOTES;
  return more > 0 ? [...notes.slice(0, MAX_NOTES), `… and ${more} more like these`] : notes;
}

async function readDocument(source: string): Promise<ApiDocument> {
  const before = cache.get(source);
  if (before !== undefined && (await areUntouched(before.digests))) return before;
  const outcome = await askWorker({ source, known: before?.digests });
  if (outcome.type === 'failed') throw new ApiError(outcome.message, outcome.isAway);
  const document = outcome.type === 'unchanged' ? before : outcome.document;
  if (document === undefined) throw new ApiError('it could not be read');
  cache.delete(source);
  cache.set(source, document);
  for (const oldest of cache.keys()) if (cache.size > MAX_CACHED) cache.delete(oldest);
  return document;
}

/** In the sources the worker is a file beside this one; what is built has one folder for everything else. */
function workerUrl(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(isSource ? './api-worker.ts' : './openapi/api-worker.js', import.meta.url);
}

function askWorker(data: ApiRequestData): Promise<ApiOutcome> {
  return new Promise((resolve) => {
    const worker = new Worker(workerUrl(), {
      workerData: data,
      execArgv: [], // what this process was started with is not meant for it
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const late = setTimeout(() => end('it takes too long to read'), MAX_LOAD_MS).unref();
    function end(message: string): void {
      clearTimeout(late);
      void worker.terminate();
      resolve({ type: 'failed', message, isAway: false });
    }
    worker.once('message', (outcome: ApiOutcome) => {
      clearTimeout(late);
      resolve(outcome);
    });
    worker.once('error', (error: NodeJS.ErrnoException) =>
      end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it is too large' : 'it could not be read'),
    );
    worker.once('exit', () => end('it could not be read'));
    worker.unref();
  });
}
