/** The gateway: one door, many servers, one kind of failure. */
import { type Language, language } from '@mayday/core';
import { createMemoryIdempotency } from '@mayday/policy';
import { type Endpoint, type Listener, listen, type RequestHead } from '@mayday/relay';
import { createFaultLog, type FaultLog } from './faults/fault-log.ts';
import { createDoor, JOINED } from './http/door.ts';
import type { KnownCaller } from './identity/keys.ts';
import { toLogLine } from './log-lines.ts';
import { refusalLines } from './log-words.ts';
import { settingsChanged } from './settings/changes.ts';
import type { Settings } from './settings/settings.ts';
import { createSetup, type Setup, type SetupContext } from './setup.ts';

/** How to run a gateway. */
export interface GatewayOptions {
  /** One line for the operator. It is redacted. */
  readonly onLog?: ((line: string) => void) | undefined;
  /** Serve this upstream at `/mcp`, in place of all of them joined. */
  readonly root?: string | undefined;
  /** The dialects there are; all that come with `@mayday/core`. `language.with(…)` has yours as well. */
  readonly language?: Language | undefined;
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

/** How long the sessions of a replaced endpoint may go on. */
const DRAIN_MS = 10 * 60_000;

/** Calls in flight finish with the old settings: those of no upstream take longer than this. */
function drainMs({ upstreams }: Settings): number {
  return Math.max(
    DRAIN_MS,
    ...[...upstreams.values()].map(({ timeoutMs, maxTimeMs }) => timeoutMs + maxTimeMs),
  );
}

/** Starts a gateway. */
export async function startGateway(settings: Settings, options: GatewayOptions = {}): Promise<Gateway> {
  const log = (line: string): void => options.onLog?.(toLogLine(line));
  const journal = createFaultLog(settings.faults.keep);
  const onBug = (error: unknown): void =>
    log(`bug: ${error instanceof Error ? `${error.name} ${frameOf(error)}` : typeof error}`);
  const shared: SetupContext = {
    language: options.language ?? language,
    journal,
    answers: createMemoryIdempotency(),
    log,
    onBug,
  };
  const retiring = createRetiring();
  let setup = createSetup(settings, shared);
  let isClosing = false;

  const door = createDoor({
    setup: () => setup,
    isClosing: () => isClosing,
    journal,
    startedAt: Date.now(),
    onBug,
    onRefused: refusalLines(log),
    root: options.root,
    holderOf: retiring.holderOf,
  });
  const listener: Listener = await listen({
    ...settings.listen,
    admit: door.admit,
    turnAway: door.turnAway,
    onBug,
  });

  return {
    url: listener.url,
    faults: journal,
    get upstreams() {
      return [...setup.upstreams.keys()];
    },
    reload(next) {
      const before = setup;
      setup = createSetup(next, shared, before);
      journal.resize(setup.settings.faults.keep);
      door.turnOut();
      for (const [name, endpoint] of replaced(before, setup)) {
        if (isServed(name, setup)) retiring.retire(name, endpoint, drainMs(before.settings));
        else retiring.finish(endpoint, drainMs(before.settings));
      }
      const { restart } = settingsChanged(settings, next); // what it was started with still holds for these
      if (restart.length > 0) log(`a restart is needed for ${restart.join(', ')}`);
      const { now } = settingsChanged(before.settings, next);
      const what = now.length === 0 ? 'nothing to apply' : `changed: ${now.join(', ')}`;
      log(`reloaded: ${[...setup.upstreams.keys()].join(', ')}; ${what}`);
    },
    async close(graceMs = 5000) {
      isClosing = true;
      const endpoints = [...setup.upstreams.values()].map((upstream) => upstream.endpoint);
      const all = [...endpoints, ...(setup.joined === undefined ? [] : [setup.joined]), ...retiring.all()];
      await Promise.all([listener.close(graceMs + 2000), ...all.map((one) => one.close(graceMs))]);
    },
  };
}

/** Where in our own code it happened; the message may hold anything. */
function frameOf(error: Error): string {
  return /at .*?([^/\\]+\.[jt]s:\d+)/.exec(error.stack ?? '')?.[1] ?? '';
}

/** Endpoints that the new setup no longer has. */
function replaced(before: Setup, after: Setup): readonly (readonly [string, Endpoint])[] {
  const gone: (readonly [string, Endpoint])[] = [];
  for (const [name, { endpoint }] of before.upstreams) {
    if (after.upstreams.get(name)?.endpoint !== endpoint) gone.push([name, endpoint]);
  }
  if (before.joined !== undefined && before.joined !== after.joined) gone.push([JOINED, before.joined]);
  return gone;
}

/** Does anything answer where this endpoint did? */
function isServed(name: string, { upstreams, joined }: Setup): boolean {
  return name === JOINED ? joined !== undefined : upstreams.has(name);
}

interface Retiring {
  /** Something else has taken its place. */
  retire(name: string, endpoint: Endpoint, graceMs: number): void;
  /** Nobody can reach it any more: it ends when it has answered. */
  finish(endpoint: Endpoint, graceMs: number): void;
  holderOf(current: Endpoint, name: string, request: RequestHead, caller: KnownCaller): Endpoint;
  all(): readonly Endpoint[];
}

/** A session stays with the process that holds it, also where a reload has put something without sessions. */
function createRetiring(): Retiring {
  const retiring = new Map<Endpoint, string | undefined>();
  const keep = (endpoint: Endpoint, name: string | undefined, ended: Promise<void>): void => {
    retiring.set(endpoint, name);
    void ended.finally(() => retiring.delete(endpoint));
  };
  return {
    retire: (name, endpoint, graceMs) => keep(endpoint, name, endpoint.retire(graceMs)),
    finish: (endpoint, graceMs) => keep(endpoint, undefined, endpoint.finish(graceMs)),
    holderOf(current, name, request, caller) {
      const id = request.headers['mcp-session-id'];
      if (typeof id !== 'string' || retiring.size === 0) return current;
      for (const [endpoint, of] of retiring) if (of === name && endpoint.holds(id, caller)) return endpoint;
      return current;
    },
    all: () => [...retiring.keys()],
  };
}
