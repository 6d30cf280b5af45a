/** The gateway: one door, many servers, one kind of failure. */

import type { IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { type FaultInit, forOperator, makeFault, write } from '@mayday/core';
import {
  type Endpoint,
  encode,
  LinkEndpoint,
  type Listener,
  listen,
  type Refusal,
  type Reply,
} from '@mayday/relay';
import type { GatewayConfig, KeyConfig } from './config/config.ts';
import { DIALECT_HEADER, isDialectId, unknownDialect } from './faults/dialects.ts';
import { createFaultLog, type FaultLog } from './faults/fault-log.ts';
import { createJoinedEndpoint } from './joined/joined-endpoint.ts';
import { createKeys, type Keys } from './keys.ts';
import { statusOf } from './status.ts';
import { createUpstream, type Upstream, type UpstreamContext } from './upstreams/upstream.ts';

/** How to run a gateway. */
export interface GatewayOptions {
  /** Relative paths in the configuration start here. */
  readonly baseDir?: string;
  /** One line for the operator. It is redacted. */
  readonly onLog?: (line: string) => void;
  /** Serve this upstream at `/mcp`, in place of all of them joined. */
  readonly root?: string;
}

/** A running gateway. */
export interface Gateway {
  readonly url: string;
  readonly faults: FaultLog;
  readonly upstreams: readonly string[];
  /** Takes a new configuration. Calls in flight finish with the old one. */
  reload(config: GatewayConfig): void;
  /** Answers what is in flight, then stops everything it has started. */
  close(graceMs?: number): Promise<void>;
}

/** Everything that a configuration decides; replaced as a whole. */
interface Setup {
  readonly config: GatewayConfig;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly joined: LinkEndpoint | undefined;
  readonly keys: Keys;
}

const DEFAULT_PORT = 7350;

/** How long a replaced upstream may take to finish what it was asked. */
const DRAIN_MS = 10 * 60_000;

/** Starts a gateway. */
export async function startGateway(config: GatewayConfig, options: GatewayOptions = {}): Promise<Gateway> {
  const log = options.onLog ?? (() => {});
  const faults = createFaultLog(config.faults?.keep ?? 1000);
  const callers = new WeakMap<Buffer, KeyConfig>();
  const draining = new Set<Endpoint>();
  const startedAt = Date.now();
  let setup = createSetup(config, undefined);
  let isClosing = false;

  function createSetup(next: GatewayConfig, before: Setup | undefined): Setup {
    const context: UpstreamContext = {
      dialect: next.dialect ?? 'mayday',
      log: faults,
      baseDir: options.baseDir ?? process.cwd(),
      maxMessageBytes: next.limits?.message_bytes,
      hasKeys: (next.keys ?? []).length > 0,
      dialectOf: (call) => callers.get(call.body)?.dialect,
      onFault: (fault, upstream, method) =>
        log(`fault upstream=${upstream} method=${method} ${forOperator(fault)}`),
      note: (upstream, text) => log(`upstream=${upstream} ${text}`),
    };
    const isSame = before !== undefined && isDeepStrictEqual(globals(before.config), globals(next));
    const upstreams = new Map<string, Upstream>();
    for (const [name, upstream] of Object.entries(next.upstreams)) {
      const old = isSame ? before.upstreams.get(name) : undefined;
      const unchanged = old !== undefined && isDeepStrictEqual(old.config, upstream);
      upstreams.set(name, unchanged ? old : createUpstream(name, upstream, context));
    }
    const isJoined = next.joined?.enabled !== false;
    const joinsSame =
      isSame &&
      [...upstreams.values()].every((one) => before.upstreams.get(one.name) === one) &&
      upstreams.size === before.upstreams.size;
    const joined = !isJoined
      ? undefined
      : joinsSame && before.joined !== undefined
        ? before.joined
        : createJoinedEndpoint(upstreams, next.joined?.separator ?? '_', {
            dialect: context.dialect,
            log: faults,
            dialectOf: context.dialectOf,
            onFault: context.onFault,
          });
    return { config: next, upstreams, joined, keys: createKeys(next.keys ?? []) };
  }

  function handle(request: IncomingMessage, body: Buffer, reply: Reply): void {
    const path = request.url ?? '/';
    if (isClosing) {
      reply.raw(503, { connection: 'close', 'retry-after': '1' });
      return;
    }
    if (path.startsWith('/-/')) {
      operate(request, path, reply);
      return;
    }
    const name =
      path === '/mcp' ? undefined : /^\/([a-z0-9][a-z0-9-]*)\/mcp$/.exec(path.split('?')[0] ?? '')?.[1];
    const upstream = name === undefined ? undefined : setup.upstreams.get(name);
    const endpoint = path === '/mcp' ? rootOf(setup) : upstream?.endpoint;
    if (endpoint === undefined) {
      refuse(reply, 404, notServed(setup));
      return;
    }
    const wrong = authorize(request, body, name) ?? checkDialect(request);
    if (wrong !== undefined) {
      refuse(reply, wrong.kind === 'unauthenticated' ? 401 : wrong.kind === 'forbidden' ? 403 : 400, wrong);
      return;
    }
    holderOf(request, endpoint).handle(request, body, reply);
  }

  function rootOf({ upstreams, joined }: Setup): Endpoint | undefined {
    return options.root === undefined ? joined : upstreams.get(options.root)?.endpoint;
  }

  /** A session stays with the endpoint that opened it, also when a reload has replaced that endpoint. */
  function holderOf(request: IncomingMessage, endpoint: Endpoint): Endpoint {
    const id = request.headers['mcp-session-id'];
    if (typeof id !== 'string' || draining.size === 0) return endpoint;
    for (const old of draining) if (old instanceof LinkEndpoint && old.holds(id)) return old;
    return endpoint;
  }

  function authorize(
    request: IncomingMessage,
    body: Buffer,
    name: string | undefined,
  ): FaultInit | undefined {
    if (!setup.keys.required) return undefined;
    const key = setup.keys.find(request.headers.authorization);
    if (key === undefined)
      return { kind: 'unauthenticated', origin: 'gateway', message: 'A key of this gateway is needed' };
    const allowed = key.upstreams === undefined || (name !== undefined && key.upstreams.includes(name));
    if (!allowed)
      return { kind: 'forbidden', origin: 'gateway', message: 'This key is not for this endpoint' };
    if (body.length > 0) callers.set(body, key);
    return undefined;
  }

  function operate(request: IncomingMessage, path: string, reply: Reply): void {
    if (setup.keys.required && setup.keys.find(request.headers.authorization) === undefined) {
      refuse(reply, 401, {
        kind: 'unauthenticated',
        origin: 'gateway',
        message: 'A key of this gateway is needed',
      });
    } else if (path === '/-/health') reply.json(200, encode({ ok: true }));
    else if (path === '/-/status')
      reply.json(200, encode(statusOf([...setup.upstreams.values()], faults, startedAt)));
    else if (path.startsWith('/-/faults')) reply.json(200, encode({ faults: faults.list(limitIn(path)) }));
    else refuse(reply, 404, notServed(setup));
  }

  const listener: Listener = await listen({
    host: config.listen?.host ?? '127.0.0.1',
    port: config.listen?.port ?? DEFAULT_PORT,
    ...(config.listen?.allowed_hosts === undefined ? {} : { allowedHosts: config.listen.allowed_hosts }),
    ...(config.listen?.allowed_origins === undefined
      ? {}
      : { allowedOrigins: config.listen.allowed_origins }),
    ...(config.limits?.body_bytes === undefined ? {} : { maxBodyBytes: config.limits.body_bytes }),
    handle,
    refuse: (reason, reply) => refuse(reply, REFUSALS[reason].status, REFUSALS[reason].fault),
  });

  async function drain(endpoint: Endpoint, graceMs: number): Promise<void> {
    draining.add(endpoint);
    await (endpoint instanceof LinkEndpoint ? endpoint.retire(graceMs) : endpoint.close(graceMs));
    draining.delete(endpoint);
  }

  return {
    url: listener.url,
    faults,
    get upstreams() {
      return [...setup.upstreams.keys()];
    },
    reload(next) {
      const before = setup;
      setup = createSetup(next, before);
      if (!isDeepStrictEqual(before.config.listen, next.listen))
        log('the new listen settings need a restart');
      const kept = new Set<Endpoint | undefined>(
        [...setup.upstreams.values()].map((upstream) => upstream.endpoint),
      );
      for (const { endpoint } of before.upstreams.values())
        if (!kept.has(endpoint)) void drain(endpoint, DRAIN_MS);
      if (before.joined !== undefined && before.joined !== setup.joined) void drain(before.joined, DRAIN_MS);
      log(`reloaded: ${[...setup.upstreams.keys()].join(', ')}`);
    },
    async close(graceMs = 5000) {
      isClosing = true;
      const endpoints = [...setup.upstreams.values()].map((upstream) => upstream.endpoint);
      await Promise.all([
        listener.close(graceMs + 1000),
        ...[...endpoints, ...(setup.joined === undefined ? [] : [setup.joined]), ...draining].map((one) =>
          one.close(graceMs),
        ),
      ]);
    },
  };
}

const REFUSALS: { readonly [reason in Refusal]: { readonly status: number; readonly fault: FaultInit } } = {
  host: {
    status: 403,
    fault: {
      kind: 'forbidden',
      origin: 'gateway',
      subject: { type: 'header', id: 'Host' },
      message: 'This Host is not served here',
    },
  },
  origin: {
    status: 403,
    fault: {
      kind: 'forbidden',
      origin: 'gateway',
      subject: { type: 'header', id: 'Origin' },
      message: 'Pages of this Origin may not call',
    },
  },
  too_large: {
    status: 413,
    fault: { kind: 'too_large', origin: 'gateway', message: 'The request is larger than the gateway allows' },
  },
};

function refuse(reply: Reply, status: number, fault: FaultInit): void {
  const { wire } = write(makeFault(fault), 'mayday', { placement: 'protocol', method: '' });
  reply.json(status, encode(wire), status === 401 ? { 'www-authenticate': 'Bearer' } : {});
}

function checkDialect(request: IncomingMessage): FaultInit | undefined {
  const asked = request.headers[DIALECT_HEADER];
  if (typeof asked !== 'string' || isDialectId(asked)) return undefined;
  return {
    kind: 'invalid_request',
    origin: 'caller',

    message: unknownDialect(asked),
  };
}

function notServed(setup: Setup): FaultInit {
  const paths = [...setup.upstreams.keys()].map((name) => `/${name}/mcp`);
  return {
    kind: 'not_found',
    origin: 'gateway',
    subject: { type: 'uri' },
    message: `Nothing is served here; try ${['/mcp', ...paths].join(', ')}`,
  };
}

function globals({ dialect, keys, limits, joined }: GatewayConfig): object {
  return { dialect, keys, limits, joined };
}

function limitIn(path: string): number {
  const limit = Number(/[?&]limit=(\d{1,5})/.exec(path)?.[1] ?? 100);
  return Math.min(1000, Math.max(1, limit));
}
