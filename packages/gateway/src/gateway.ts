/** The gateway: one door, many servers, one kind of failure. */

import type { IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { FaultInit } from '@mayday/core';
import { type Endpoint, encode, LinkEndpoint, type Listener, listen, type Reply } from '@mayday/relay';
import type { GatewayConfig, KeyConfig } from './config/config.ts';
import { createFaultLog, type FaultLog } from './faults/fault-log.ts';
import { checkDialect, notServed, REFUSALS, refuse } from './refusals.ts';
import { createSetup, type Setup, type SetupContext } from './setup.ts';
import { statusOf } from './status.ts';

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
  const shared: SetupContext = {
    faults,
    baseDir: options.baseDir ?? process.cwd(),
    dialectOf: (call) => callers.get(call.body)?.dialect,
    log,
  };
  let setup = createSetup(config, shared);
  let isClosing = false;

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
      refuse(reply, 404, notServed([...setup.upstreams.keys()]));
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
    else refuse(reply, 404, notServed([...setup.upstreams.keys()]));
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
      setup = createSetup(next, shared, before);
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

function limitIn(path: string): number {
  const limit = Number(/[?&]limit=(\d{1,5})/.exec(path)?.[1] ?? 100);
  return Math.min(1000, Math.max(1, limit));
}
