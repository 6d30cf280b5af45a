/** What the API answers: below 300 it is a result, or 304 to what only reads; everything else is a fault. */
import {
  type DialectId,
  type Fault,
  type FaultInit,
  type JsonObject,
  type Language,
  makeFault,
} from '@mayday/core';
import { redact } from '@mayday/core/redact';
import {
  type Flow,
  type HttpAnswer,
  type HttpHead,
  type HttpHeaders,
  NO_HEAD,
  type Said,
  transportFault,
} from '@mayday/relay';
import { isSafe } from './annotations.ts';
import { mediaType, textOf, toResult } from './api-result.ts';
import { isEncoded, unpack } from './content-encoding.ts';
import type { Redirect } from './redirects.ts';
import type { QueryNames } from './told-headers.ts';

/** Where an answer goes, and how it is read. */
export interface ApiAnswerOptions {
  readonly answered: (result: JsonObject) => void;
  /** It said no, or something that cannot be passed on. */
  readonly refused: (fault: FaultInit, original?: Buffer) => void;
  /** It said nothing. */
  readonly lost: (fault: FaultInit) => void;
  /** Of the operation. */
  readonly method: string;
  readonly query: QueryNames;
  /** Does a tool of the API take the version of what it changes? */
  readonly takesVersions: boolean;
  /** The headers of an answer, as far as anybody may be told of them. */
  readonly tellable: (headers: HttpHeaders) => HttpHeaders;
  /** Where the answer leads, if it is a redirect. */
  readonly redirectOf: (head: HttpHead) => Redirect | undefined;
  /** What the operation had to do was asked of the API before: it only remains to be seen what became of it. */
  readonly isFollowUp: boolean;
  /** Asks there; the answer is somebody else's then. */
  readonly follow: (redirect: Redirect & { readonly type: 'follow' }) => void;
  readonly from: DialectId | undefined;
  readonly language: Language;
  readonly maxBytes: number;
}

/** What APIs failed with, as long as somebody has use for it. */
const failing = new WeakMap<Buffer, number>();

/** Did an API answer with this, rather than a server of MCP with something that is no message? */
export function isOfApi(said: Said | undefined): said is Said & { type: 'nothing'; original: Buffer } {
  return said?.type === 'nothing' && said.original !== undefined && failing.has(said.original);
}

/** The status that an API answered with, where it was no success. */
export function apiStatus(said: Said | undefined): number | undefined {
  return isOfApi(said) ? failing.get(said.original) : undefined;
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
    this.#tooLarge();
  }

  onEnd(): void {
    const body = Buffer.concat(this.#chunks);
    const { headers } = this.#head;
    if (!isEncoded(headers)) this.#complete(body);
    else
      unpack(body, headers, this.#options.maxBytes).then(
        (unpacked) => this.#complete(unpacked),
        (error: NodeJS.ErrnoException) =>
          error.code === 'ERR_BUFFER_TOO_LARGE' ? this.#tooLarge() : this.#options.refused(UNREADABLE),
      );
  }

  #complete(body: Buffer): void {
    const { answered, refused, method, from, language, query, takesVersions, tellable, maxBytes } =
      this.#options;
    const { status, headers } = this.#head;
    if (status < 300 || (status === NOT_MODIFIED && isSafe(method))) {
      const result = toResult(
        { status, headers: tellable(headers), body, method, query, takesVersions },
        maxBytes,
      );
      if (result === undefined) this.#tooLarge();
      else answered(result);
      return;
    }
    const redirect = this.#options.redirectOf(this.#head);
    if (redirect?.type === 'follow') {
      this.#options.follow(redirect);
      return;
    }
    failing.set(body, status);
    const fault =
      redirect === undefined
        ? toFault({ ...this.#head, body, method, from, language })
        : notFollowed(redirect, status, method);
    refused(fault, body);
  }

  #tooLarge(): void {
    const { refused, maxBytes } = this.#options;
    refused({
      kind: 'invalid_output',
      origin: 'gateway',
      ...(this.#head.status < 300 ? {} : { executed: 'maybe' }),
      message: `The answer is larger than the gateway's limit of ${maxBytes} bytes`,
    });
  }

  onError(error: Error, sent: boolean): void {
    const { lost, method, isFollowUp } = this.#options;
    lost(transportFault(error, sent || (isFollowUp && !isSafe(method))));
  }
}

const NOT_MODIFIED = 304;

const UNREADABLE: FaultInit = {
  kind: 'invalid_output',
  origin: 'upstream',
  executed: 'maybe',
  message: 'The API packed its answer in a way that cannot be unpacked',
};

/** A failing answer. */
interface Failed extends HttpHead {
  readonly body: Buffer;
  readonly method: string;
  readonly from: DialectId | undefined;
  readonly language: Language;
}

function toFault({ status, statusText, headers, body, method, from, language }: Failed): FaultInit {
  const text = textOf(body, headers);
  const said = isPage(text, headers) ? titleOf(text) : text;
  const reading = language.read({ http: { status, statusText, headers, body: said } }, { from });
  if (!reading.failure)
    return { kind: 'upstream_failed', origin: 'upstream', message: `The API answered with HTTP ${status}` };
  const fault = status === MISDIRECTED ? otherHost(reading.fault) : aboutTheCall(aboutTheApi(reading.fault));
  // There is no door in front of an operation: whoever answers is the API itself, which may have done a part of its work
  // before it refused the rest.
  return isSafe(method) || fault.executed !== 'no' ? fault : { ...fault, executed: 'maybe' };
}

const MISDIRECTED = 421;

/** Whoever answers there does not speak for this host: no argument of a call changes that. */
function otherHost({ message, executed }: Fault): Fault {
  const advice = 'Correct `base_url` of this API: who answers there does not serve this host.';
  return makeFault({ kind: 'misconfigured', origin: 'upstream', executed, message, advice });
}

/** Sessions, tools and methods that an API speaks of are its own, and none of the protocol's. */
function aboutTheApi(fault: Fault): Fault {
  if (fault.subject === undefined || !OF_THE_PROTOCOL.has(fault.subject.type)) return fault;
  const { subject: _theirs, ...rest } = fault;
  return rest;
}

/** The request that was none would have been the gateway's: what an API does not take is what it was called with. */
function aboutTheCall(fault: Fault): Fault {
  return fault.kind === 'invalid_request' || fault.kind === 'parse_error'
    ? { ...fault, kind: 'invalid_arguments' }
    : fault;
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

function notFollowed(
  { why, isBroken = false }: Redirect & { readonly type: 'refuse' },
  status: number,
  method: string,
): FaultInit {
  return {
    kind: isBroken ? 'upstream_failed' : 'misconfigured',
    origin: 'upstream',
    executed: isSafe(method) ? 'no' : 'maybe',
    message: `The API answered with a redirect (HTTP ${status}) that ${why}`,
  };
}

function isPage(text: string, headers: HttpHeaders): boolean {
  return (
    /html/.test(mediaType(headers)) || /^\s*<(?:!doctype html|html|head|body)\b/i.test(text.slice(0, 1000))
  );
}

const MAX_TITLE = 200;

/** A page is for people with browsers: its title is what a model can use. */
function titleOf(page: string): string {
  const title = /<title[^>]{0,200}>([^<]{1,1000})/i.exec(page.slice(0, 100_000))?.[1] ?? '';
  // Half a secret is not known to be one, nor is one that its name no longer stands above.
  return redact(title).value.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);
}
