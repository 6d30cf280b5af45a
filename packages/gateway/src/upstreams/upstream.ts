/** One server behind the gateway: how it is served, and how it is reached by the joined endpoint. */
import { type DialectId, type Fault, redact } from '@mayday/core';
import {
  type Call,
  type Endpoint,
  HttpLink,
  type Link,
  LinkEndpoint,
  type LinkEvents,
  ProxyEndpoint,
  StdioLink,
} from '@mayday/relay';
import type { FaultLog } from '../faults/fault-log.ts';
import { createUpstreamGuard, type UpstreamGuard } from '../faults/upstream-guard.ts';
import { annotationsOf } from '../openapi/annotations.ts';
import type { Api } from '../openapi/api.ts';
import { OpenApiLink } from '../openapi/openapi-link.ts';
import type {
  CommandSettings,
  CommonSettings,
  OpenApiSettings,
  UpstreamSettings,
  UrlSettings,
} from '../settings/settings.ts';

/** What all upstreams share. */
export interface UpstreamContext {
  readonly log: FaultLog;
  readonly maxMessageBytes: number;
  readonly maxDepth: number;
  /** Callers have keys of the gateway's: their `Authorization` is not for the server. */
  readonly hasKeys: boolean;
  readonly dialectOf: (call: Call) => DialectId | undefined;
  readonly onFault: (fault: Fault, upstream: string, method: string) => void;
  /** A note for the operator, redacted. */
  readonly note: (upstream: string, text: string) => void;
}

/** One server behind the gateway. */
export interface Upstream {
  readonly name: string;
  readonly settings: UpstreamSettings;
  readonly type: 'command' | 'url' | 'openapi';
  readonly guard: UpstreamGuard;
  readonly endpoint: Endpoint;
  /** Opens a conversation of its own. */
  connect(use: 'session' | 'shared', events: LinkEvents): Link;
}

/** Builds an upstream. Nothing is started or fetched before it is needed, except an API's document. */
export function createUpstream(settings: UpstreamSettings, context: UpstreamContext): Upstream {
  const guard = guardOf(settings, context);
  if (settings.type === 'url') return urlUpstream(settings, guard, context);
  return settings.type === 'command'
    ? commandUpstream(settings, guard, context)
    : openApiUpstream(settings, guard, context);
}

function guardOf(settings: CommonSettings, context: UpstreamContext): UpstreamGuard {
  const { name, from, dialect, retry, breaker } = settings;
  return createUpstreamGuard({
    name,
    from,
    dialect,
    log: context.log,
    dialectOf: context.dialectOf,
    onFault: context.onFault,
    retry,
    breaker: breaker && { consecutive: breaker.failures, openMs: breaker.openMs },
  });
}

function urlUpstream(settings: UrlSettings, guard: UpstreamGuard, context: UpstreamContext): Upstream {
  const { name, type, url, headers, timeoutMs } = settings;
  const common = { url, timeoutMs, maxMessageBytes: context.maxMessageBytes };
  const replaced = { ...(context.hasKeys ? { authorization: '' } : {}), ...headers };
  return {
    name,
    settings,
    type,
    guard,
    endpoint: new ProxyEndpoint({ ...common, guard, headers: replaced }),
    connect: (_use, events) => new HttpLink({ ...common, headers, ...events }),
  };
}

function commandUpstream(
  settings: CommandSettings,
  guard: UpstreamGuard,
  context: UpstreamContext,
): Upstream {
  const { name, type, command, args, env, cwd, timeoutMs, sessions } = settings;
  const note = (text: string): void => context.note(name, redact(text).value);
  const connect = (use: 'session' | 'shared', events: LinkEvents): Link =>
    new StdioLink({
      command,
      args,
      env,
      cwd,
      shared: use === 'shared',
      maxMessageBytes: context.maxMessageBytes,
      onMessage: events.onMessage,
      onNote: note,
      onStderr: (line) => note(`stderr: ${line}`),
    });
  const endpoint = new LinkEndpoint({
    connect,
    guard,
    maxSessions: sessions.max,
    sessionIdleMs: sessions.idleMs,
    timeoutMs,
  });
  return { name, settings, type, guard, endpoint, connect };
}

function openApiUpstream(
  settings: OpenApiSettings,
  guard: UpstreamGuard,
  context: UpstreamContext,
): Upstream {
  const { name, type, from, headers, timeoutMs, sessions } = settings;
  const note = (text: string): void => context.note(name, redact(text).value);
  // Loaded when it is needed: the validator weighs more than the rest of the gateway.
  const kept = import('../openapi/api.ts').then(({ keepApi }) =>
    keepApi(settings, {
      onApi({ tools, notes }) {
        const listed = [...tools].map(([tool, { operation }]) => ({
          name: tool,
          annotations: annotationsOf(operation.method),
        }));
        guard.hints.learn({ result: { tools: listed } });
        for (const text of notes) note(text);
      },
      onFailed: ({ message }) => note(`the document cannot be used: ${message}`),
    }),
  );
  const api = (): Promise<Api> => kept.then((get) => get());
  const connect = (): Link =>
    new OpenApiLink({
      api,
      from,
      headers,
      timeoutMs,
      maxMessageBytes: context.maxMessageBytes,
      maxDepth: context.maxDepth,
    });
  const endpoint = new LinkEndpoint({
    connect,
    guard,
    maxSessions: sessions.max,
    sessionIdleMs: sessions.idleMs,
    timeoutMs,
  });
  return { name, settings, type, guard, endpoint, connect };
}
