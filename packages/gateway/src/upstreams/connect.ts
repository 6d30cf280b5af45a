/** How a conversation with an upstream is opened. */
import type { Language } from '@mayday/core';
import {
  BridgeLink,
  type HttpClientOptions,
  HttpLink,
  type Link,
  type LinkEvents,
  OWN_OPENING,
  type Revision,
  SseLink,
  type StartProcess,
  StdioLink,
  StdioProcess,
} from '@mayday/relay';
import type { Hide } from '../call/hide-given.ts';
import { annotationsOf } from '../openapi/annotations.ts';
import type { Api } from '../openapi/api.ts';
import { OpenApiLink } from '../openapi/openapi-link.ts';
import type {
  CommandSettings,
  OpenApiSettings,
  UpstreamSettings,
  UrlSettings,
} from '../settings/settings.ts';
import { AutoLink } from './auto-link.ts';
import { boundedNotes, stderrNotes } from './stderr-notes.ts';
import { findTransport, type TransportChoice } from './transport-choice.ts';

/** Opens a conversation: for one client, or for everybody who has no session. */
export type Connect = (use: 'session' | 'shared', events: LinkEvents, revision: Revision) => Link;

/** What conversations need from the gateway. */
export interface ConnectContext {
  /** In which the answers of an API are read. */
  readonly language: Language;
  /** They hold for conversations that are open, too. */
  readonly limits: Readonly<LinkLimits>;
  /** How deep arguments may be nested. */
  readonly depth: number;
  /** Takes out what the server is given. */
  readonly hide: Hide | undefined;
  /** Something an operator should know. */
  readonly note: (text: string) => void;
  /** The upstream's tools became known without anybody asking for them. */
  readonly onTools: (tools: unknown) => void;
  /** Its processes that run. */
  readonly processes: Tally;
  /** What became of the operations of its document. */
  readonly operations: OperationsTally;
  /** How a server behind a URL is reached. */
  readonly reach: HttpClientOptions | undefined;
  /** How a server behind a URL is spoken to. */
  readonly choice: TransportChoice;
  /** How processes are started; as children of this one, if absent. */
  readonly start?: StartProcess | undefined;
}

/** How many of something there are. */
export interface Tally {
  count: number;
}

/** What became of the operations of a document: all of them are tools, or there is a reason why not. */
export interface OperationsTally {
  /** Absent as long as the document has not been read. */
  tools?: number;
  skipped: readonly string[];
}

/** How long it may take to open a conversation with what is started or fetched first: it may have to be installed. */
export const OPENING_MS = 120_000;

/** Of what many share, nobody takes all. */
const MAX_PENDING_PER_CALLER = 250;

/** How conversations with this upstream are opened. */
export function connector(settings: UpstreamSettings, context: ConnectContext): Connect {
  if (settings.type === 'url') return overUrl(settings, context);
  return settings.type === 'command' ? overStdio(settings, context) : overApi(settings, context);
}

function overUrl(settings: UrlSettings, context: ConnectContext): Connect {
  const http = overHttp(settings, context);
  const sse = overSse(settings, context);
  const { choice, reach } = context;
  const { url, headers, transport } = settings;
  return (use, events, revision) => {
    if (choice.transport === 'sse') return sse(use, events, revision);
    const first = http(use, events, revision);
    // Whoever speaks statelessly is answered as it is; conversations may need somebody who keeps them.
    if (transport === 'http' || revision === '2026-07-28') return first;
    return new AutoLink({
      choice,
      http: first,
      other: (found, link) =>
        found === 'sse' ? instead(link, sse(use, events, revision)) : new BridgeLink({ ...events, link }),
      find: () => findTransport({ url, headers, reach }),
    });
  };
}

function instead(unused: Link, link: Link): Link {
  void unused.close();
  return link;
}

/** Conversations that the gateway keeps, at the endpoint of a server that cannot, or not over streamable HTTP. */
export function overKept(settings: UrlSettings, context: ConnectContext): Connect {
  const sse = overSse(settings, context, true);
  const http = overHttp(settings, context, true);
  return (use, events, revision) => {
    if (context.choice.transport !== 'stateless') return sse(use, events, revision);
    return new BridgeLink({ ...events, link: http(use, events, revision) });
  };
}

/**
 * Over the transport of 2024-11-05. `passAuthorization`: what a caller sends along is for the server, as far as the call
 * still has it; nobody's credentials open what many share.
 */
function overSse(
  { url, headers, timeoutMs }: UrlSettings,
  { limits, note, reach }: Pick<ConnectContext, 'limits' | 'note' | 'reach'>,
  passAuthorization = false,
): Connect {
  return (use, events, revision) =>
    new SseLink({
      url,
      headers,
      reach,
      passAuthorization: passAuthorization && use === 'session',
      shared: use === 'shared',
      maxPendingPerCaller: use === 'shared' ? MAX_PENDING_PER_CALLER : undefined,
      opening: use === 'shared' && revision === '2025-11-25' ? OWN_OPENING : undefined,
      openTimeoutMs: Math.min(timeoutMs, OPENING_MS),
      maxMessageBytes: () => limits.messageBytes,
      onMessage: events.onMessage,
      onNote: note,
    });
}

function overHttp(
  { url, headers }: UrlSettings,
  { limits, note, reach }: ConnectContext,
  passAuthorization = false,
): Connect {
  return (use, events) =>
    new HttpLink({
      url,
      headers,
      reach,
      passAuthorization: passAuthorization && use === 'session',
      maxMessageBytes: () => limits.messageBytes,
      maxPendingPerCaller: use === 'shared' ? MAX_PENDING_PER_CALLER : undefined,
      ...events,
      onNote: note,
    });
}

/** What a reload changes in conversations that go on. */
export interface LinkLimits {
  messageBytes: number;
}

/** Starts processes the same way, and keeps count of them. */
function counting(
  processes: Tally,
  start: StartProcess = (options) => new StdioProcess(options),
): StartProcess {
  return (options) => {
    processes.count += 1;
    const onExit: typeof options.onExit = (exit) => {
      processes.count -= 1;
      options.onExit(exit);
    };
    return start({ ...options, onExit });
  };
}

function overStdio(settings: CommandSettings, context: ConnectContext): Connect {
  const { command, args, env, cwd, timeoutMs } = settings;
  const { limits, note } = context;
  const start = counting(context.processes, context.start);
  const noteError = boundedNotes(note);
  return (use, events, revision) =>
    new StdioLink({
      command,
      args,
      env,
      cwd,
      shared: use === 'shared',
      maxPendingPerCaller: use === 'shared' ? MAX_PENDING_PER_CALLER : undefined,
      opening: use === 'shared' && revision === '2025-11-25' ? OWN_OPENING : undefined,
      openTimeoutMs: Math.min(timeoutMs, OPENING_MS),
      maxMessageBytes: () => limits.messageBytes,
      onMessage: events.onMessage,
      onNote: note,
      onStderr: stderrNotes(noteError),
      start,
    });
}

/** Of operations that are no tools, this many are lines of the log; the status has all of them. */
const MAX_TOLD = 100;

function overApi(settings: OpenApiSettings, context: ConnectContext): Connect {
  const { language, limits, depth, hide, note, onTools, operations } = context;
  // Loaded when it is needed: the validator weighs more than the rest of the gateway.
  const kept = import('../openapi/api.ts').then(({ keepApi }) =>
    keepApi(settings, {
      onApi({ tools, skipped, notes }) {
        const annotated = [...tools].map(([name, { method }]) => ({
          name,
          annotations: annotationsOf(method),
        }));
        onTools(annotated);
        operations.tools = tools.size;
        operations.skipped = skipped;
        for (const text of [...skipped.slice(0, MAX_TOLD).map((why) => `no tool for ${why}`), ...notes])
          note(text);
      },
      onFailed: ({ message }) => note(`the document cannot be used: ${message}`),
    }),
  );
  const api = (): Promise<Api> => kept.then((get) => get());
  const { headers, query, origins, from } = settings;
  return () =>
    new OpenApiLink({
      api,
      from,
      language,
      headers,
      query,
      hide,
      origins,
      maxMessageBytes: limits.messageBytes,
      maxDepth: depth,
    });
}
