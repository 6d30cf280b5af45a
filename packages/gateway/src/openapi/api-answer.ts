/** What the API answers: below 300 it is a result, everything else is a fault. */
import type { DialectId, Fault, FaultInit, JsonObject, Language } from '@mayday/core';
import {
  decode,
  type Flow,
  type HttpAnswer,
  type HttpHead,
  type HttpHeaders,
  NO_HEAD,
  transportFault,
} from '@mayday/relay';
import { isSafe } from './annotations.ts';

/** Where an answer goes, and how it is read. */
export interface ApiAnswerOptions {
  readonly answered: (result: JsonObject) => void;
  readonly lost: (fault: FaultInit, original?: Buffer) => void;
  readonly method: string;
  readonly from: DialectId | undefined;
  readonly language: Language;
  readonly maxBytes: number;
}

/** What APIs failed with, as long as somebody has use for it. */
const failing = new WeakSet<Buffer>();

/** Did an API answer with this, rather than a server of MCP with something that is no message? */
export function isOfApi(body: Buffer | undefined): boolean {
  return body !== undefined && failing.has(body);
}

/** Takes an answer in. */
export class ApiAnswer implements HttpAnswer {
  readonly #options: ApiAnswerOptions;
  readonly #chunks: Buffer[] = [];
  #head: HttpHead = NO_HEAD;
  #size = 0;
  #abort: () => void = () => {};

  constructor(options: ApiAnswerOptions) {
    this.#options = options;
  }

  onStart(head: HttpHead, flow: Flow): void {
    this.#head = head;
    this.#abort = () => flow.abort();
  }

  onData(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size <= this.#options.maxBytes) {
      this.#chunks.push(chunk);
      return;
    }
    this.#abort();
    this.#options.lost({
      kind: 'invalid_output',
      origin: 'gateway',
      message: `The answer is larger than the gateway's limit of ${this.#options.maxBytes} bytes`,
    });
  }

  onEnd(): void {
    const { answered, lost, method, from, language } = this.#options;
    const body = Buffer.concat(this.#chunks);
    const { status, headers } = this.#head;
    if (status < 300) {
      answered(toResult(status, body, headers));
      return;
    }
    failing.add(body);
    lost(toFault({ ...this.#head, body, method, from, language }), body);
  }

  onError(error: Error, sent: boolean): void {
    this.#options.lost(transportFault(error, sent));
  }
}

function typeOf(headers: HttpHeaders): string {
  const type = headers['content-type'];
  return (typeof type === 'string' ? type : '').split(';')[0]?.trim().toLowerCase() ?? '';
}

const TEXT = /^text\/|[/+](?:json|xml|yaml|x-yaml|javascript|csv|x-ndjson|x-www-form-urlencoded)$/;

/** A body as the content of a tool result. */
function toResult(status: number, body: Buffer, headers: HttpHeaders): JsonObject {
  if (body.length === 0) return { content: [{ type: 'text', text: withoutBody(status, headers) }] };
  const type = typeOf(headers);
  const media = /^(image|audio)\//.exec(type)?.[1];
  if (media !== undefined)
    return { content: [{ type: media, data: body.toString('base64'), mimeType: type }] };
  if (type !== '' && !TEXT.test(type)) {
    const resource = { uri: 'attachment:answer', mimeType: type, blob: body.toString('base64') };
    return { content: [{ type: 'resource', resource }] };
  }
  const content = [{ type: 'text', text: body.toString('utf8') }];
  const parsed = /json$/.test(type) ? decode(body) : undefined;
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  return isObject ? { content, structuredContent: parsed as JsonObject } : { content };
}

const ACCEPTED = 202;
const MAX_HEADER = 500;

/** What an answer without a body says: what was made, where it is, when to ask again. */
function withoutBody(status: number, headers: HttpHeaders): string {
  const done = status === ACCEPTED ? 'Accepted, not done yet' : 'Done';
  const said = ['Location', 'ETag', 'Retry-After'].flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return typeof value === 'string' && value !== '' ? [`${name}: ${value.slice(0, MAX_HEADER)}`] : [];
  });
  return [`${done} (HTTP ${status})`, ...said].join('\n');
}

/** A failing answer. */
interface Failed extends HttpHead {
  readonly body: Buffer;
  readonly method: string;
  readonly from: DialectId | undefined;
  readonly language: Language;
}

function toFault({ status, statusText, headers, body, method, from, language }: Failed): FaultInit {
  const moved = redirectOf(status, headers, method);
  if (moved !== undefined) return moved;
  const text = body.toString('utf8');
  const said = isPage(text, headers) ? titleOf(text) : text;
  const reading = language.read({ http: { status, statusText, headers, body: said } }, { from });
  if (!reading.failure)
    return { kind: 'upstream_failed', origin: 'upstream', message: `The API answered with HTTP ${status}` };
  const fault = aboutTheApi(reading.fault);
  // There is no door in front of an operation: whoever answers is the API itself, which may have done a part of its work
  // before it refused the rest.
  return isSafe(method) || fault.executed !== 'no' ? fault : { ...fault, executed: 'maybe' };
}

/** Sessions, tools and methods that an API speaks of are its own, and none of the protocol's. */
function aboutTheApi(fault: Fault): Fault {
  if (fault.subject === undefined || !OF_THE_PROTOCOL.has(fault.subject.type)) return fault;
  const { subject: _theirs, ...rest } = fault;
  return rest;
}

const OF_THE_PROTOCOL: ReadonlySet<string> = new Set([
  'session',
  'tool',
  'prompt',
  'task',
  'method',
  'cursor',
  'completion',
]);

/** Never followed: the request carries the operator's credentials, and the other place is not the operator's choice. */
function redirectOf(status: number, { location }: HttpHeaders, method: string): FaultInit | undefined {
  if (status >= 400 || typeof location !== 'string') return undefined;
  const origin = URL.parse(location)?.origin;
  const where = origin === undefined || origin === 'null' ? 'another path' : origin;
  return {
    kind: 'misconfigured',
    origin: 'upstream',
    executed: isSafe(method) ? 'no' : 'maybe',
    message: `The API redirects to ${where} (HTTP ${status}), which is not followed; base_url may have to change`,
  };
}

function isPage(text: string, headers: HttpHeaders): boolean {
  return /html/.test(typeOf(headers)) || /^\s*<(?:!doctype html|html|head|body)\b/i.test(text.slice(0, 1000));
}

const MAX_TITLE = 200;

/** A page is for people with browsers: its title is what a model can use. */
function titleOf(page: string): string {
  const title = /<title[^>]{0,200}>([^<]{1,1000})/i.exec(page.slice(0, 100_000))?.[1] ?? '';
  return title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);
}
