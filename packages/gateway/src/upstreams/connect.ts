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
import type { Hide } from '../call/hiding.ts';
import type { Giving } from '../credentials/giving.ts';
import { sessionOnly } from '../credentials/session-only.ts';
import { OpenApiLink } from '../openapi/openapi-link.ts';
import type {
  CommandSettings,
  OpenApiSettings,
  UpstreamSettings,
  UrlSettings,
} from '../settings/settings.ts';
import type { FollowedApi } from './api-of.ts';
import { AutoLink } from './auto-link.ts';
import { EarlierLink } from './earlier-link.ts';
import { opensItself } from './opens-itself.ts';
import { boundedNotes, stderrNotes } from './stderr-notes.ts';
import type { TaskRunners } from './task-runners.ts';
import { findTransport, isOfOtherEra, type Transport, type TransportChoice } from './transport-choice.ts';
import { unsetLink } from './unset-link.ts';

/** Opens a conversation: for one client, or for everybody who has no session. */
export type Connect = (
  use: 'session' | 'shared',
  events: LinkEvents,
  revision: Revision,
  callerName?: string,
) => Link;

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
  /** Its processes that run. */
  readonly processes: Tally;
  /** One of them has ended, or a conversation over a stream: what answers in its place may be another program, whose tools are its own. Told before its calls are. */
  readonly onEnded: () => void;
  /** What is spoken to, where it is an API. */
  readonly api: FollowedApi | undefined;
  /** How a server behind a URL is reached. */
  readonly reach: HttpClientOptions | undefined;
  /** How an address of an API is reached. */
  readonly reachApi?: ((url: URL) => HttpClientOptions) | undefined;
  /** How a server behind a URL is spoken to. */
  readonly choice: TransportChoice;
  /** What it gets of each caller's own; nothing, if absent. */
  readonly giving?: Giving | undefined;
  /** Gives ids that its server is asked under by nobody else. */
  readonly newId: () => number;
  /** The tasks that its processes and sessions run. */
  readonly tasks: TaskRunners;
  /** How processes are started; as children of this one, if absent. */
  readonly start?: StartProcess | undefined;
}

/** How many of something there are. */
export interface Tally {
  count: number;
}

/** How long it may take to open a conversation with what is started or fetched first: it may have to be installed. */
export const OPENING_MS = 120_000;

/** Of what many share, nobody takes all. */
const MAX_PENDING_PER_CALLER = 250;

/** How conversations with this upstream are opened. */
export function connector(settings: UpstreamSettings, context: ConnectContext): Connect {
  if (settings.unset !== undefined) return () => unsetLink(settings);
  if (settings.type === 'url') return overUrl(settings, context);
  return settings.type === 'command' ? overStdio(settings, context) : overApi(settings, context);
}

function overUrl(settings: UrlSettings, context: ConnectContext): Connect {
  const http = overHttp(settings, context);
  const kept = overSse(settings, context);
  const sse: Connect = (use, events, revision, callerName) => {
    const link = kept(use, events, revision, callerName);
    return use === 'shared' ? opensItself(link) : link;
  };
  const { choice } = context;
  const { url, headers, transport } = settings;
  return keeping(settings, context, (use, events, revision, callerName) => {
    if (isMixed(use, revision, context)) return sessionOnly(settings.name);
    const over = (found: Transport): Link => {
      if (found === 'sse') return sse(use, events, revision, callerName);
      const link = http(use, events, revision, callerName);
      return found === 'http' ? link : new BridgeLink({ ...events, link });
    };
    if (transport !== 'auto') return over(transport);
    // Whoever speaks statelessly is answered as it is; conversations may need somebody who keeps them.
    if (revision === '2026-07-28') return over(choice.transport === 'sse' ? 'sse' : 'http');
    return new AutoLink({
      choice,
      isShared: use === 'shared',
      make: over,
      find: () => findTransport({ url, headers, reach: reachFor(context, use, callerName) }),
    });
  });
}

/** The same conversations, which outlive their clients while a task runs in them; what stands for itself is none. */
function keeping({ sessions }: UrlSettings, { tasks }: ConnectContext, connect: Connect): Connect {
  return (use, events, revision, callerName) => {
    if (revision !== '2025-11-25') return connect(use, events, revision, callerName);
    return tasks.keep(events, (own) => connect(use, own, revision, callerName), {
      ...sessions,
      of: 'session',
    });
  };
}

/** Conversations that the gateway keeps, at the endpoint of a server that cannot, or not over streamable HTTP. */
export function overKept(settings: UrlSettings, context: ConnectContext): Connect {
  const sse = overSse(settings, context, true);
  const http = overHttp(settings, context, true);
  return keeping(settings, context, (use, events, revision, callerName) => {
    if (isMixed(use, revision, context)) return sessionOnly(settings.name);
    if (context.choice.transport !== 'stateless') return sse(use, events, revision, callerName);
    return new BridgeLink({ ...events, link: http(use, events, revision, callerName) });
  });
}

/** Would a conversation that is kept carry credentials of several callers? Requests that stand for themselves are each their own. */
function isMixed(use: 'session' | 'shared', revision: Revision, { giving, choice }: ConnectContext): boolean {
  return (
    giving !== undefined && use === 'shared' && (revision === '2025-11-25' || choice.transport === 'sse')
  );
}

/** How a server is reached in the name of whoever a conversation belongs to; where it belongs to nobody, each request says in whose. */
export function reachFor(
  { reach, giving }: Pick<ConnectContext, 'reach' | 'giving'>,
  use: 'session' | 'shared',
  callerName: string | undefined,
): HttpClientOptions | undefined {
  if (giving === undefined) return reach;
  return { ...reach, give: use === 'shared' ? giving.give : () => giving.give(callerName) };
}

/**
 * Over the transport of 2024-11-05. `passAuthorization`: what a caller sends along is for the server, as far as the call
 * still has it; nobody's credentials open what many share.
 */
function overSse(
  { url, headers, openTimeoutMs }: UrlSettings,
  context: ConnectContext,
  passAuthorization = false,
): Connect {
  const { limits, note, onEnded } = context;
  return (use, events, revision, callerName) =>
    new SseLink({
      url,
      headers,
      reach: reachFor(context, use, callerName),
      passAuthorization: passAuthorization && use === 'session',
      shared: use === 'shared',
      maxPendingPerCaller: use === 'shared' ? MAX_PENDING_PER_CALLER : undefined,
      opening: use === 'shared' && revision === '2025-11-25' ? OWN_OPENING : undefined,
      openTimeoutMs,
      maxMessageBytes: () => limits.messageBytes,
      onMessage: events.onMessage,
      onExit: onEnded,
      onNote: note,
    });
}

function overHttp(
  { url, headers, maxTimeMs }: UrlSettings,
  context: ConnectContext,
  passAuthorization = false,
): Connect {
  const { limits, note, newId } = context;
  return (use, events, _revision, callerName) =>
    new HttpLink({
      url,
      headers,
      newId,
      ofOne: use === 'session',
      timeoutMs: maxTimeMs, // whoever calls owns the time limit
      reach: reachFor(context, use, callerName),
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
  const { command, args, env, cwd, openTimeoutMs } = settings;
  const { limits, note, hide, onEnded } = context;
  const start = counting(context.processes, context.start);
  const noteError = boundedNotes(note);
  const process = (
    use: 'session' | 'shared',
    events: LinkEvents,
    revision: Revision,
    ofOne = use === 'session',
    onAsked?: (method: string) => void,
  ): StdioLink =>
    new StdioLink({
      command,
      args,
      env,
      cwd,
      shared: use === 'shared',
      ofOne,
      maxPendingPerCaller: use === 'shared' ? MAX_PENDING_PER_CALLER : undefined,
      opening: use === 'shared' && revision === '2025-11-25' ? OWN_OPENING : undefined,
      openTimeoutMs,
      startTimeoutMs: OPENING_MS,
      maxMessageBytes: () => limits.messageBytes,
      onMessage: events.onMessage,
      onAsked,
      onExit: onEnded,
      onNote: note,
      onStderr: stderrNotes(noteError, hide),
      start,
    });
  const { choice, tasks } = context;
  const converse: Connect = (use, events, revision) => {
    if (use === 'shared' && revision === '2026-07-28')
      return new EarlierLink({
        modern: process(use, events, revision),
        earlier: (onAsked) => process(use, events, '2025-11-25', false, onAsked),
      });
    if (use === 'shared' || revision !== '2025-11-25') return process(use, events, revision);
    return new AutoLink({
      choice,
      isShared: false,
      make: (found) => {
        if (found !== 'stateless') return process(use, events, revision);
        // What it says to its listeners is told apart where many may listen.
        return new BridgeLink({ ...events, link: process('shared', events, '2026-07-28', true) });
      },
      find: async () => (choice.transport === 'stateless' ? 'http' : 'stateless'),
      isOther: isOfOtherEra,
    });
  };
  return (use, events, revision) =>
    tasks.keep(events, (own) => converse(use, own, revision), { ...settings.sessions, of: 'process' });
}

function overApi(settings: OpenApiSettings, context: ConnectContext): Connect {
  const { language, limits, depth, hide, api } = context;
  if (api === undefined) throw new TypeError('Expected an API that is followed');
  const { headers, query, origins, from } = settings;
  return (_use, { onMessage }) =>
    new OpenApiLink({
      api,
      onMessage,
      from,
      language,
      headers,
      query,
      hide,
      origins,
      give: context.giving?.give,
      maxMessageBytes: limits.messageBytes,
      maxDepth: depth,
      reach: context.reachApi,
    });
}
