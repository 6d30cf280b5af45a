/** A link to an HTTP API: its operations are tools, its failures are faults. */

import type { DialectId, FaultInit, Language } from '@mayday/core';
import {
  type Cancel,
  CLOSED_EARLY,
  createHttpClient,
  encode,
  type Give,
  type Given,
  type HttpClient,
  type HttpClientOptions,
  type Link,
  type Outgoing,
  type Sink,
} from '@mayday/relay';
import type { Hide } from '../call/hiding.ts';
import type { Api, ApiError, ApiTool } from './api.ts';
import { ApiAnswer } from './api-answer.ts';
import type { Ends } from './ends.ts';
import { readExact } from './exact-json.ts';
import { rememberTools } from './listed-tools.ts';
import { answerItself, toAnswer } from './own-answers.ts';
import { namedIn } from './places.ts';
import { prepareCall } from './prepare-call.ts';
import { redirectOf } from './redirects.ts';
import { type Asked, followed, withGiven } from './requests.ts';
import type { QueryNames } from './told-headers.ts';
import { withoutGiven } from './without-given.ts';

/** How to call the API. */
export interface OpenApiLinkOptions {
  /** The document is read in the background; until then, calls wait. */
  readonly api: {
    get(): Promise<Api>;
    /** Calls `changed` whenever the tools are others; what it gives stops that. */
    whenChanged(changed: () => void): () => void;
  };
  /** What there is to tell that nobody asked for. */
  readonly onMessage: (message: Buffer) => void;
  /** Sent with every request to the API's own places, in place of what an argument says. Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** Added to every query there. */
  readonly query: { readonly [name: string]: string };
  /** Takes out what the settings call a secret. */
  readonly hide?: Hide | undefined;
  /** Other places of the API. */
  readonly origins: readonly string[];
  /** What goes along to the API itself in the name of the caller, and not to `origins`; nothing, if absent. */
  readonly give?: Give | undefined;
  readonly from: DialectId | undefined;
  readonly language: Language;
  readonly maxMessageBytes: number;
  /** How deep arguments may be nested. */
  readonly maxDepth: number;
  /** How an address is reached; directly, if absent. */
  readonly reach?: ((url: URL) => HttpClientOptions) | undefined;
}

/** A request that waits for its answer. */
interface Open {
  readonly lose: (fault: FaultInit) => void;
}

type Headers = { readonly [name: string]: string };

const NOTHING_GIVEN: Given = { headers: {} };
const TOOLS_CHANGED: Buffer = encode({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });

/** A link to an HTTP API. */
export class OpenApiLink implements Link {
  readonly #options: OpenApiLinkOptions;
  readonly #open: Set<Open> = new Set();
  readonly #clients: Map<string, HttpClient> = new Map();
  readonly #isNamed: (origin: string) => boolean;
  readonly #unfollow: () => void;

  constructor(options: OpenApiLinkOptions) {
    this.#options = options;
    this.#isNamed = namedIn(options.origins);
    this.#unfollow = options.api.whenChanged(() => options.onMessage(TOOLS_CHANGED));
  }

  request(message: Outgoing, sink: Sink): Cancel {
    let isOver = false;
    let isServed = false;
    let abort: () => void = () => {};
    const end = (): boolean => {
      const isFirst = !isOver;
      isOver = true;
      this.#open.delete(open);
      return isFirst;
    };
    const cancel: Cancel = () => {
      if (!end()) return undefined;
      abort();
      return isServed ? undefined : 'unsent';
    };
    const open: Open = {
      lose: (fault) => {
        if (!end()) return;
        abort();
        sink.lost(fault);
      },
    };
    this.#open.add(open);
    const ends: Ends = {
      answered: (result, tools) => {
        if (!end()) return;
        const answer = toAnswer(message, result);
        if (tools !== undefined) rememberTools(answer, tools);
        sink.answered(answer);
      },
      refused: (fault, original) => {
        if (end()) (sink.refused ?? sink.lost)(fault, original);
      },
      lost: (fault) => {
        if (end()) sink.lost(fault);
      },
    };
    Promise.all([this.#options.api.get(), this.#given(message)]).then(
      ([api, given]) => {
        if (isOver) return;
        isServed = true;
        abort = this.#serve(api, message, given, ends) ?? abort;
      },
      (error: unknown) => ends.lost(brokenDocument(error)),
    );
    return cancel;
  }

  send(): void {
    // An API has no use for notifications.
  }

  async close(): Promise<void> {
    this.#unfollow();
    for (const { lose } of [...this.#open]) lose(CLOSED_EARLY);
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }

  /** What the API itself is not asked needs nothing. */
  #given({ peek, callerName }: Outgoing): Given | Promise<Given> {
    const { give } = this.#options;
    return give === undefined || peek.method !== 'tools/call' ? NOTHING_GIVEN : give(callerName);
  }

  /** Whatever is thrown on the way is a fault of this one call. */
  #serve(api: Api, message: Outgoing, given: Given, ends: Ends): (() => void) | undefined {
    try {
      if ('refused' in given) {
        ends.lost(given.refused);
        return undefined;
      }
      if (message.peek.method === 'tools/call')
        return this.#call(api, readExact(message.body.toString('utf8')), given.headers, ends);
      answerItself(api, message, ends);
    } catch {
      ends.lost({ kind: 'internal', origin: 'gateway', message: 'The call could not be prepared' });
    }
    return undefined;
  }

  #call(api: Api, message: unknown, own: Headers, ends: Ends): (() => void) | undefined {
    const { maxDepth, query, headers } = this.#options;
    const prepared = prepareCall(api, message, { maxDepth, query });
    if ('kind' in prepared) {
      ends.lost(prepared);
      return undefined;
    }
    const { tool, request } = prepared;
    const { base, isOwn, isHome } = tool.place;
    const given = isHome ? { ...headers, ...sent(own) } : headers;
    let isLetGo = false;
    let abort: () => void = () => {};
    const ask = (asked: Asked): void => {
      if (!isLetGo) abort = this.#send(asked, tool, api, ends, ask);
    };
    ask({
      method: tool.method,
      url: new URL(`${base.origin}${request.path}`),
      path: request.path,
      headers: isOwn ? withGiven(request.headers, given) : request.headers,
      body: request.body,
      hops: 0,
      isHome: isOwn,
    });
    return () => {
      isLetGo = true;
      abort();
    };
  }

  #send(
    asked: Asked,
    tool: ApiTool,
    { takesVersions }: Api,
    ends: Ends,
    next: (asked: Asked) => void,
  ): () => void {
    const { from, language, query, hide, maxMessageBytes: maxBytes } = this.#options;
    const { method, url, path, headers, body, hops } = asked;
    const home = tool.place.base.origin;
    return this.#clientOf(url.origin, url.origin === home).send(
      {
        method,
        path,
        headers: Object.entries(headers).flat(),
        ...(body === undefined ? {} : { body }),
        headersTimeoutMs: 0, // whoever asks owns the time limit
      },
      new ApiAnswer({
        ...ends,
        // That another place cannot be reached is the tool's trouble, and speaks against the API as little as a refusal does.
        lost: this.#isNamed(url.origin) ? ends.refused : ends.lost,
        method: tool.method,
        query: queryNames(tool),
        takesVersions,
        tellable: (said) => withoutGiven(said, query, hide),
        from,
        language,
        maxBytes,
        redirectOf: ({ status, headers: said }) =>
          redirectOf({
            status,
            headers: said,
            method,
            url,
            home,
            hops,
            isNamed: this.#isNamed,
          }),
        isFollowUp: hops > 0,
        follow: (redirect) => next(followed(asked, redirect, home, query)),
      }),
    );
  }

  /** Where redirects lead, there are too many places to keep a connection to each. */
  #clientOf(origin: string, isHome: boolean): HttpClient {
    const client =
      this.#clients.get(origin) ?? createHttpClient(origin, this.#options.reach?.(new URL(origin)));
    if (isHome) this.#clients.set(origin, client);
    return client;
  }
}

/** Of what was given, that which is sent: arguments have nothing under these names that would have to be removed. */
function sent(given: Headers): Headers {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
}

function queryNames(tool: ApiTool): QueryNames {
  const inQuery = tool.operation().parameters.filter((parameter) => parameter.in === 'query');
  return new Map(
    inQuery.map(({ name, argument, isNumber = false }) => [name, { argument, isNumber }] as const),
  );
}

/** The error says what is wrong, and whether it may be right later. */
function brokenDocument(error: unknown): FaultInit {
  const { name, message, isAway } = error as Partial<ApiError>;
  return {
    kind: isAway === true ? 'unavailable' : 'misconfigured',
    origin: 'gateway',
    executed: 'no',
    message: `The API's OpenAPI document cannot be used${name === 'ApiError' ? `: ${message}` : ''}`,
  };
}
