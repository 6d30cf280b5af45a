/** A link to an HTTP API: its operations are tools, its failures are faults. */
import { type DialectId, type FaultInit, type JsonObject, read } from '@mayday/core';
import {
  type Cancel,
  createHttpClient,
  decode,
  encode,
  type HttpClient,
  idOf,
  type Link,
  type Outgoing,
  paramsOf,
  type Sink,
  transportFault,
} from '@mayday/relay';
import { nearest } from '../nearest.ts';
import type { Api, ApiTool } from './api.ts';
import { toRequest } from './http-call.ts';

/** How to call the API. */
export interface OpenApiLinkOptions {
  /** The document is read in the background; until then, calls wait. */
  readonly api: Promise<Api>;
  readonly headers?: { readonly [name: string]: string };
  readonly from?: DialectId | undefined;
  readonly timeoutMs?: number;
  readonly maxMessageBytes?: number;
}

const CAPABILITIES = { tools: {} } as const;

/** A link to an HTTP API. */
export class OpenApiLink implements Link {
  readonly #options: OpenApiLinkOptions;
  readonly #open: Set<() => void> = new Set();
  #client: HttpClient | undefined;

  constructor(options: OpenApiLinkOptions) {
    this.#options = options;
  }

  request(message: Outgoing, sink: Sink): Cancel {
    let over = false;
    let abort: () => void = () => {};
    const cancel = (): void => {
      over = true;
      this.#open.delete(cancel);
      abort();
    };
    this.#open.add(cancel);
    const once =
      <T extends unknown[]>(then: (...args: T) => void) =>
      (...args: T): void => {
        if (over) return;
        over = true;
        this.#open.delete(cancel);
        then(...args);
      };
    const answered = once((result: JsonObject) => {
      const complete = message.revision === '2026-07-28' ? { resultType: 'complete', ...result } : result;
      sink.answered(encode({ jsonrpc: '2.0', id: idOf(message.body, message.peek), result: complete }));
    });
    const lost = once((fault: FaultInit, original?: Buffer) => sink.lost(fault, original));
    this.#options.api.then(
      (api) => {
        if (!over) abort = this.#serve(api, message, answered, lost) ?? abort;
      },
      (error: unknown) => lost(brokenDocument(error)),
    );
    return cancel;
  }

  send(): void {
    // An API has no use for notifications.
  }

  async close(): Promise<void> {
    for (const cancel of [...this.#open]) cancel();
    await this.#client?.close();
  }

  #serve(
    api: Api,
    message: Outgoing,
    answered: (result: JsonObject) => void,
    lost: (fault: FaultInit, original?: Buffer) => void,
  ): (() => void) | undefined {
    const { method } = message.peek;
    const serverInfo = { name: api.title, version: api.version };
    if (method === 'initialize') {
      const asked = paramsOf(decode(message.body))?.['protocolVersion'];
      const protocolVersion = typeof asked === 'string' && asked < '2026' ? asked : '2025-11-25';
      answered({ protocolVersion, capabilities: CAPABILITIES, serverInfo });
    } else if (method === 'server/discover') {
      answered({
        supportedVersions: ['2026-07-28'],
        capabilities: CAPABILITIES,
        ...CACHE_HINTS,
        _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
      });
    } else if (method === 'ping') answered({});
    else if (method === 'tools/list') {
      answered({
        tools: [...api.tools.values()].map(toTool),
        ...(message.revision === '2026-07-28' ? CACHE_HINTS : {}),
      });
    } else if (method === 'tools/call')
      return this.#call(api, paramsOf(decode(message.body)), answered, lost);
    else
      lost({
        kind: 'unsupported',
        subject: { type: 'method', id: method },
        message: `Method not found: ${method}`,
        origin: 'caller',
      });
    return undefined;
  }

  #call(
    api: Api,
    params: { readonly [key: string]: unknown } | undefined,
    answered: (result: JsonObject) => void,
    lost: (fault: FaultInit, original?: Buffer) => void,
  ): (() => void) | undefined {
    const name = String(params?.['name']);
    const tool = api.tools.get(name);
    if (tool === undefined) {
      lost(unknownTool(name, [...api.tools.keys()]));
      return undefined;
    }
    const args = (params?.['arguments'] ?? {}) as { readonly [name: string]: unknown };
    const issues = tool.validate(args);
    if (issues.length > 0) {
      lost({
        kind: 'invalid_arguments',
        origin: 'caller',
        subject: { type: 'tool', id: name },
        message: `The arguments of ${name} do not fit`,
        issues,
      });
      return undefined;
    }
    const request = toRequest(tool.operation, api.baseUrl.pathname, args);
    const headers = { ...request.headers, ...this.#options.headers };
    this.#client ??= createHttpClient(api.baseUrl.origin);
    const answer = new ApiAnswer(
      answered,
      lost,
      this.#options.from,
      this.#options.maxMessageBytes ?? 64 * 1024 * 1024,
    );
    return this.#client.send(
      {
        method: tool.operation.method,
        path: request.path,
        headers: Object.entries(headers).flat(),
        ...(request.body === undefined ? {} : { body: request.body }),
        headersTimeoutMs: this.#options.timeoutMs ?? 60_000,
      },
      answer,
    );
  }
}

/** Takes the API's answer in: below 300 it is a result, everything else is a fault. */
class ApiAnswer {
  readonly #answered: (result: JsonObject) => void;
  readonly #lost: (fault: FaultInit, original?: Buffer) => void;
  readonly #from: DialectId | undefined;
  readonly #maxBytes: number;
  #status = 0;
  #headers: { readonly [name: string]: string | string[] | undefined } = {};
  #chunks: Buffer[] = [];
  #size = 0;
  #abort: () => void = () => {};

  constructor(
    answered: (result: JsonObject) => void,
    lost: (fault: FaultInit, original?: Buffer) => void,
    from: DialectId | undefined,
    maxBytes: number,
  ) {
    this.#answered = answered;
    this.#lost = lost;
    this.#from = from;
    this.#maxBytes = maxBytes;
  }

  onStart(
    status: number,
    headers: { readonly [name: string]: string | string[] | undefined },
    flow: { abort(): void },
  ): void {
    this.#status = status;
    this.#headers = headers;
    this.#abort = () => flow.abort();
  }

  onData(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size <= this.#maxBytes) return;
    this.#abort();
    this.#lost({
      kind: 'invalid_output',
      origin: 'gateway',
      message: `The answer is larger than the gateway's limit of ${this.#maxBytes} bytes`,
    });
  }

  onEnd(): void {
    const body = Buffer.concat(this.#chunks);
    if (this.#status >= 300) this.#fail(body);
    else this.#answered(toResult(body, this.#headers));
  }

  onError(error: Error, sent: boolean): void {
    this.#lost(transportFault(error, sent));
  }

  #fail(body: Buffer): void {
    const wire = { http: { status: this.#status, headers: this.#headers, body: body.toString('utf8') } };
    const reading = read(wire, this.#from === undefined ? {} : { from: this.#from });
    const fault: FaultInit = reading.failure
      ? reading.fault
      : { kind: 'upstream_failed', message: `The API answered with HTTP ${this.#status}` };
    this.#lost(fault, body);
  }
}

function toResult(
  body: Buffer,
  headers: { readonly [name: string]: string | string[] | undefined },
): JsonObject {
  const type = String(headers['content-type'] ?? '');
  if (/^(?:image|audio)\//.test(type)) {
    const kind = type.startsWith('image') ? 'image' : 'audio';
    return { content: [{ type: kind, data: body.toString('base64'), mimeType: type.split(';')[0] ?? type }] };
  }
  const text = body.toString('utf8');
  const parsed = /json/.test(type) ? decode(body) : undefined;
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return {
    content: [{ type: 'text', text }],
    ...(isObject ? { structuredContent: parsed as JsonObject } : {}),
  };
}

const CACHE_HINTS = { ttlMs: 60_000, cacheScope: 'private' } as const;

/** A tool as `tools/list` shows it. */
export function toTool({ operation }: ApiTool): JsonObject {
  const isRead = operation.method === 'GET' || operation.method === 'HEAD' || operation.method === 'OPTIONS';
  return {
    name: operation.tool,
    ...(operation.title === undefined ? {} : { title: operation.title }),
    description: operation.description,
    inputSchema: operation.inputSchema,
    annotations: {
      readOnlyHint: isRead,
      idempotentHint: isRead || operation.method === 'PUT' || operation.method === 'DELETE',
      destructiveHint: operation.method === 'DELETE',
      openWorldHint: true,
    },
  };
}

function unknownTool(name: string, known: readonly string[]): FaultInit {
  const close = nearest(name, known);
  return {
    kind: 'not_found',
    origin: 'caller',
    subject: { type: 'tool', id: name },
    message: `Unknown tool: ${name}`,
    ...(close === undefined ? {} : { advice: `Did you mean ${close}?` }),
  };
}

function brokenDocument(error: unknown): FaultInit {
  const why = error instanceof TypeError ? `: ${error.message}` : '';
  return {
    kind: 'misconfigured',
    origin: 'gateway',
    executed: 'no',
    message: `The API's OpenAPI document cannot be used${why}`,
  };
}
