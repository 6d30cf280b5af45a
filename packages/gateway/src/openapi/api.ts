/** An HTTP API, described by an OpenAPI document, as something to call. */

import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { JsonObject } from '@mayday/core';
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { setLast } from '@mayday/policy';

import { nearest } from '../nearest.ts';
import type { OpenApiSettings } from '../settings/settings.ts';
import { annotationsOf } from './annotations.ts';
import type {
  ApiDocument,
  ApiOutcome,
  ApiRequestData,
  CallableOperation,
  OperationEntry,
} from './api-worker.ts';
import { createPlaces, type Place } from './places.ts';
import { areSame, areUntouched } from './sources.ts';
import { createValidators, loadValidator, type Validator, type Validators } from './validate.ts';

/** A tool of the API. */
export interface ApiTool {
  readonly method: OperationEntry['method'];
  /** Where it is called. */
  readonly place: Place;
  /** How it is called; read when it is first needed. */
  readonly operation: () => CallableOperation;
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
  readonly listed: Buffer;
  /** Does one of them take the version of what it changes? */
  readonly takesVersions: boolean;
  /** The same, as far as it decides whether a call may be repeated. */
  readonly hints: readonly JsonObject[];
  /** Operations of the document that are no tools, with the reason. */
  readonly skipped: readonly string[];
  /** What else an operator should know: operations that are not there, references that lead nowhere. */
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
  /** `isOther`: it takes the place of another one, or of none that could be used. */
  readonly onApi: (api: Api, isOther: boolean) => void;
  /** `isKept`: what was read before is used on. */
  readonly onFailed: (error: ApiError, isKept: boolean) => void;
  readonly now?: (() => number) | undefined;
}

/** An API whose document may change. */
export interface KeptApi {
  /** As it is now. Whether the document has changed is looked at beside it. */
  readonly get: () => Promise<Api>;
  /** Looks at the document now. */
  readonly look: () => void;
}

/** A document that could not be read is read again for a call that comes this much later. */
const AGAIN_MS = 10_000;
/** One that could is looked at for a call that comes this much later: files cost next to nothing. */
const LOOK_AT_FILES_MS = 2000;
const LOOK_AT_URL_MS = 5 * 60_000;

/** The API of some settings: read at once, read again when it has changed, and kept when that cannot be read. */
export function keepApi(settings: OpenApiSettings, listener: ApiListener): KeptApi {
  const { onApi, onFailed, now = performance.now.bind(performance) } = listener;
  let held: ApiDocument | undefined;
  let isReading = false;
  let readAt = Number.POSITIVE_INFINITY;
  /** What the operator was told last, and need not be told for each attempt. */
  let told: string | undefined;

  async function read(): Promise<Api | undefined> {
    isReading = true;
    try {
      const document = await readDocument(settings, held);
      const isSame = held !== undefined && areSame(held.digests, document.digests);
      const found = isSame ? undefined : toApi(settings, document);
      const isOther = held !== undefined || told !== undefined;
      if (held !== undefined && found !== undefined) api = Promise.resolve(found);
      held = document;
      told = undefined;
      if (found !== undefined) onApi(found, isOther);
      return found;
    } catch (error) {
      const { message } = error as ApiError;
      if (message !== told) onFailed(error as ApiError, held !== undefined);
      told = message;
      throw error;
    } finally {
      isReading = false;
      readAt = now();
    }
  }

  function start(): Promise<Api> {
    const reading = read() as Promise<Api>; // nothing is held that it could be the same as
    setImmediate().then(loadValidator, () => undefined); // while the document is read elsewhere
    // Whoever waits for the API is served after whoever waits for anything else.
    const served = reading.then((found) => setImmediate(found));
    served.catch(() => undefined); // told above
    return served;
  }

  let api = start();

  function look(): void {
    if (isReading) return;
    if (held === undefined) api = start();
    else read().catch(() => undefined); // told above; what is held stays
  }

  function pauseMs(): number {
    if (held !== undefined && isRemote(held)) return LOOK_AT_URL_MS;
    return told === undefined ? LOOK_AT_FILES_MS : AGAIN_MS;
  }

  return {
    get: () => {
      if (!isReading && now() - readAt >= pauseMs()) look();
      return api;
    },
    look,
  };
}

function isRemote({ digests }: ApiDocument): boolean {
  return digests.some(({ stamp }) => stamp === undefined);
}

/** What a document says, as the settings have it. Throws an {@link ApiError}. */
function toApi(settings: OpenApiSettings, document: ApiDocument): Api {
  const { baseUrl, operations } = settings;
  const base = baseUrl ?? (document.server === undefined ? undefined : new URL(document.server));
  if (base === undefined) throw new ApiError('it names no absolute server; set base_url');
  const isWanted = ({ tool, operationId }: OperationEntry): boolean =>
    operations === undefined || operations.includes(tool) || operations.includes(operationId);
  const chosen = document.operations.filter(isWanted);
  const places = createPlaces({ base, server: document.server, settings });
  const validators = createValidators();
  const notes = [...unknownOperations(operations ?? [], document), ...document.notes];
  if (chosen.length === 0) notes.push(noTool(document.operations.length));
  const tools = new Map(
    chosen.map((entry) => [entry.tool, toApiTool(entry, places.of(entry), document, validators)]),
  );
  return {
    title: document.title,
    version: document.version,
    baseUrl: base,
    tools,
    listed: listedOf(chosen, document),
    takesVersions: chosen.some((entry) => entry.takesVersions),
    hints: chosen.map(hintOf),
    skipped: document.skipped,
    notes: shortened([...notes, ...places.notes]),
  };
}

function hintOf({ tool, method, takesKeys }: OperationEntry): JsonObject {
  const hint = { name: tool, annotations: annotationsOf(method) };
  return takesKeys ? { ...hint, _meta: { [IDEMPOTENCY_KEY]: true } } : hint;
}

function listedOf(chosen: readonly OperationEntry[], { operations, listed }: ApiDocument): Buffer {
  const all = asBuffer(listed);
  if (chosen.length === operations.length) return all;
  const pieces = chosen.flatMap(({ listed: [from, to] }, i) => [
    Buffer.from(i === 0 ? '[' : ','),
    all.subarray(from, to),
  ]);
  return Buffer.concat([...(pieces.length === 0 ? [Buffer.from('[')] : pieces), Buffer.from(']')]);
}

function asBuffer(bytes: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function toApiTool(
  { method, listed, details }: OperationEntry,
  place: Place,
  document: ApiDocument,
  validators: Validators,
): ApiTool {
  const read = <T>(bytes: Uint8Array<ArrayBuffer>, [from, to]: readonly [number, number]): T =>
    JSON.parse(asBuffer(bytes).toString('utf8', from, to)) as T;
  let operation: CallableOperation | undefined;
  let compiled: Validator | undefined;
  return {
    method,
    place,
    operation: () => {
      operation ??= read<CallableOperation>(document.details, details);
      return operation;
    },
    validate: (args, size) => {
      if (compiled === undefined) {
        const { inputSchema } = read<{ inputSchema: object }>(document.listed, listed);
        compiled = validators.compile(JSON.stringify(inputSchema));
      }
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

/** Callers would see an empty list, and nobody would know why. */
function noTool(count: number): string {
  const why =
    count === 0 ? 'the document has no operation that can be one' : `operations names none of ${count}`;
  return `callers see no tool: ${why}`;
}

const MAX_NOTES = 100;

function shortened(notes: readonly string[]): readonly string[] {
  const more = notes.length - MAX_NOTES;
  return more > 0 ? [...notes.slice(0, MAX_NOTES), `… and ${more} more like these`] : notes;
}

/** Reads a document, in a thread of its own, unless it is what was read before. Throws an {@link ApiError}. */
async function readDocument(settings: OpenApiSettings, held: ApiDocument | undefined): Promise<ApiDocument> {
  const asked = { source: settings.openapi, given: givenBy(settings), keyHeader: settings.idempotencyHeader };
  const key = JSON.stringify(asked);
  const before = cache.get(key) ?? held;
  if (before !== undefined && (await areUntouched(before.digests))) return before;
  const outcome = await askWorker({ ...asked, known: before?.digests });
  if (outcome.type === 'failed') throw new ApiError(outcome.message, outcome.isAway);
  const document =
    outcome.type === 'read' ? outcome.document : before && { ...before, digests: outcome.digests };
  if (document === undefined) throw new ApiError('it could not be read');
  setLast(cache, key, document, MAX_CACHED);
  return document;
}

/** What the operator gives each request: nobody else is asked for it. */
function givenBy({ headers, query, callerCredentials }: OpenApiSettings): readonly string[] {
  const header = callerCredentials.header?.toLowerCase();
  const cookies = (headers['cookie'] ?? '').split(';').map((pair) => pair.split('=')[0]?.trim() ?? '');
  return [
    ...Object.keys(headers).map((name) => `header ${name}`),
    ...(header === undefined ? [] : [`header ${header}`]),
    // One header holds all cookies.
    ...(header === 'cookie' ? ['cookie *'] : []),
    ...Object.keys(query).map((name) => `query ${name}`),
    ...cookies.filter((name) => name !== '').map((name) => `cookie ${name}`),
  ];
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
