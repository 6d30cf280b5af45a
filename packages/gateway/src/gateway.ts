/** The gateway: one door, many servers, one kind of failure. */

import type { IncomingMessage } from 'node:http';
import type { FaultInit } from '@mayday/core';
import { type Endpoint, encode, LinkEndpoint, type Listener, listen, type Reply } from '@mayday/relay';
import { createFaultLog, type FaultLog } from './faults/fault-log.ts';
import { type Caller, KEY_NEEDED } from './identity/keys.ts';
import { toLogLine } from './log-lines.ts';
import { checkDialect, notServed, REFUSALS, refuse } from './refusals.ts';
import { settingsChanged } from './settings/changes.ts';
import type { Settings } from './settings/settings.ts';
import { createSetup, type Setup, type SetupContext } from './setup.ts';
import { statusOf } from './status.ts';

/** How to run a gateway. */
export interface GatewayOptions {
  /** One line for the operator. It is redacted. */
  readonly onLog?: ((line: string) => void) | undefined;
  /** Serve this upstream at `/mcp`, in place of all of them joined. */
  readonly root?: string | undefined;
}

/** A running gateway. */
export interface Gateway {
  readonly url: string;
  readonly faults: FaultLog;
  readonly upstreams: readonly string[];
  /** Takes new settings. Calls in flight finish with the old ones. */
  reload(settings: Settings): void;
  /** Answers what is in flight, then stops everything it has started. */
  close(graceMs?: number): Promise<void>;
}

/** How long a replaced upstream may take to finish what it was asked. */
const DRAIN_MS = 10 * 60_000;

/** Starts a gateway. */
export async function startGateway(settings: Settings, options: GatewayOptions = {}): Promise<Gateway> {
  const log = (line: string): void => options.onLog?.(toLogLine(line));
  const faults = createFaultLog(settings.faults.keep);
  const callers = new WeakMap<Buffer, Caller>();
  const draining = new Set<Endpoint>();
  const startedAt = Date.now();
  const shared: SetupContext = {
    faults,
    dialectOf: (call) => callers.get(call.body)?.dialect,
    log,
  };
  let setup = createSetup(settings, shared);
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
    const key = setup.keys.find(request.headers.authorization);
    if (key === undefined) return KEY_NEEDED;
    const allowed = key.upstreams === undefined || (name !== undefined && key.upstreams.includes(name));
    if (!allowed)
      return { kind: 'forbidden', origin: 'gateway', message: 'This key is not for this endpoint' };
    if (body.length > 0) callers.set(body, key);
    return undefined;
  }

  function operate(request: IncomingMessage, path: string, reply: Reply): void {
    if (setup.keys.find(request.headers.authorization) === undefined) refuse(reply, 401, KEY_NEEDED);
    else if (path === '/-/health') reply.json(200, encode({ ok: true }));
    else if (path === '/-/status')
      reply.json(200, encode(statusOf([...setup.upstreams.values()], faults, startedAt)));
    else if (path.startsWith('/-/faults')) reply.json(200, encode({ faults: faults.list(limitIn(path)) }));
    else refuse(reply, 404, notServed([...setup.upstreams.keys()]));
  }

  const listener: Listener = await listen({
    ...settings.listen,
    get maxBodyBytes() {
      return setup.settings.limits.bodyBytes;
    },
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
      faults.resize(next.faults.keep);
      const { restart } = settingsChanged(settings, next); // what it was started with still holds for these
      if (restart.length > 0) log(`a restart is needed for ${restart.join(', ')}`);
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
