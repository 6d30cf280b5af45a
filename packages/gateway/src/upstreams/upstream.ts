/** One server behind the gateway: how it is served, and how it is reached by the joined endpoint. */
import type { DialectId, Fault } from '@mayday/core';
import { redact } from '@mayday/core/redact';
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
import type {
  CommandConfig,
  CommonConfig,
  OpenApiConfig,
  UpstreamConfig,
  UrlConfig,
} from '../config/config.ts';
import type { FaultLog } from '../faults/fault-log.ts';
import { createUpstreamGuard, type UpstreamGuard } from '../faults/upstream-guard.ts';
import { OpenApiLink, toTool } from '../openapi/openapi-link.ts';

/** What all upstreams share. */
export interface UpstreamContext {
  readonly dialect: DialectId;
  readonly log: FaultLog;
  readonly baseDir: string;
  readonly maxMessageBytes: number | undefined;
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
  readonly config: UpstreamConfig;
  readonly type: 'command' | 'url' | 'openapi';
  readonly guard: UpstreamGuard;
  readonly endpoint: Endpoint;
  /** Opens a conversation of its own. */
  connect(use: 'session' | 'shared', events: LinkEvents): Link;
}

/** Builds an upstream. Nothing is started or fetched before it is needed, except an API's document. */
export function createUpstream(name: string, config: UpstreamConfig, context: UpstreamContext): Upstream {
  const guard = guardOf(name, config, context);
  if ('url' in config) return urlUpstream(name, config, guard, context);
  return 'command' in config
    ? commandUpstream(name, config, guard, context)
    : openApiUpstream(name, config, guard, context);
}

function guardOf(name: string, config: CommonConfig, context: UpstreamContext): UpstreamGuard {
  const { retry, breaker } = config;
  return createUpstreamGuard({
    name,
    from: config.from,
    dialect: config.dialect ?? context.dialect,
    log: context.log,
    dialectOf: context.dialectOf,
    onFault: context.onFault,
    ...(retry === undefined
      ? {}
      : {
          retry: {
            ...(retry.attempts === undefined ? {} : { attempts: retry.attempts }),
            ...(retry.max_wait_ms === undefined ? {} : { maxWaitMs: retry.max_wait_ms }),
            ...(retry.repeatable === undefined ? {} : { repeatable: retry.repeatable }),
            ...(retry.trust_annotations === undefined ? {} : { trustAnnotations: retry.trust_annotations }),
          },
        }),
    ...(breaker === undefined
      ? {}
      : {
          breaker: breaker && {
            ...(breaker.failures === undefined ? {} : { consecutive: breaker.failures }),
            ...(breaker.open_ms === undefined ? {} : { openMs: breaker.open_ms }),
          },
        }),
  });
}

function urlUpstream(
  name: string,
  config: UrlConfig,
  guard: UpstreamGuard,
  context: UpstreamContext,
): Upstream {
  const url = new URL(config.url);
  const headers = { ...(context.hasKeys ? { authorization: '' } : {}), ...config.headers };
  const common = {
    url,
    ...(config.timeout_ms === undefined ? {} : { timeoutMs: config.timeout_ms }),
    ...(context.maxMessageBytes === undefined ? {} : { maxMessageBytes: context.maxMessageBytes }),
  };
  return {
    name,
    config,
    type: 'url',
    guard,
    endpoint: new ProxyEndpoint({ ...common, guard, headers }),
    connect: (_use, events) => new HttpLink({ ...common, headers: config.headers ?? {}, ...events }),
  };
}

function commandUpstream(
  name: string,
  config: CommandConfig,
  guard: UpstreamGuard,
  context: UpstreamContext,
): Upstream {
  const note = (text: string): void => context.note(name, redact(text).value);
  const connect = (use: 'session' | 'shared', events: LinkEvents): Link =>
    new StdioLink({
      command: config.command,
      ...(config.args === undefined ? {} : { args: config.args }),
      ...(config.env === undefined ? {} : { env: config.env }),
      cwd: config.cwd ?? context.baseDir,
      shared: use === 'shared',
      ...(context.maxMessageBytes === undefined ? {} : { maxMessageBytes: context.maxMessageBytes }),
      onMessage: events.onMessage,
      onNote: note,
      onStderr: (line) => note(`stderr: ${line}`),
    });
  const endpoint = new LinkEndpoint({
    connect,
    guard,
    maxSessions: config.max_sessions ?? 64,
    ...(config.timeout_ms === undefined ? {} : { timeoutMs: config.timeout_ms }),
  });
  return { name, config, type: 'command', guard, endpoint, connect };
}

function openApiUpstream(
  name: string,
  config: OpenApiConfig,
  guard: UpstreamGuard,
  context: UpstreamContext,
): Upstream {
  // Loaded when it is needed: the parser weighs more than the rest of the gateway.
  const api = import('../openapi/api.ts').then(({ loadApi }) => loadApi(config, context.baseDir));
  api.then(
    ({ tools }) => guard.hints.learn({ result: { tools: [...tools.values()].map(toTool) } }),
    (error: unknown) => context.note(name, redact(`the document cannot be used: ${String(error)}`).value),
  );
  const connect = (): Link =>
    new OpenApiLink({
      api,
      from: config.from,
      ...(config.headers === undefined ? {} : { headers: config.headers }),
      ...(config.timeout_ms === undefined ? {} : { timeoutMs: config.timeout_ms }),
      ...(context.maxMessageBytes === undefined ? {} : { maxMessageBytes: context.maxMessageBytes }),
    });
  const endpoint = new LinkEndpoint({ connect, guard, maxSessions: 10_000 });
  return { name, config, type: 'openapi', guard, endpoint, connect };
}
