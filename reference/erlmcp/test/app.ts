/** The server inside the test's own process, with a clock that the test moves. */
import type { Clock } from '@mayday/policy';
import { type Counts, listenOn, openCounts } from '@mayday/reference-shared';
import { tempFolder } from '@mayday/reference-shared/testing';
import { onTestFinished, vi } from 'vitest';
import { type App, createApp } from '../src/app.ts';
import { type Connection, connect } from '../src/connection.ts';
import { overHttp } from '../src/serving.ts';
import { DEFAULTS, type Settings } from '../src/settings.ts';
import { openStore, type Store } from '../src/store/index.ts';
import type { Said } from './provoke/raw-client.ts';
import { type RawClient, startRaw } from './provoke/raw-client.ts';

interface ManualClock extends Clock {
  advance(ms: number): void;
  /** Moves on as soon as somebody waits for it. */
  advanceWhenDue(ms: number): Promise<void>;
}

/** A clock that stands still until it is moved. */
function manualClock(): ManualClock {
  let now = Date.parse('2026-11-15T12:00:00Z');
  const timers = new Set<{ at: number; run: () => void }>();
  const clock: ManualClock = {
    now: () => now,
    timer(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      now += ms;
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        timers.delete(timer);
        timer.run();
      }
    },
    async advanceWhenDue(ms) {
      const isDue = (): boolean => [...timers].some(({ at }) => at <= now + ms);
      await vi.waitUntil(isDue, { interval: 1, timeout: 10_000 });
      clock.advance(ms);
    },
  };
  return clock;
}

/** A client in the same process. */
export interface LocalClient {
  readonly app: App;
  readonly clock: ManualClock;
  readonly connection: Connection;
  /** What the server logged, and what it sent unasked, in order. */
  readonly events: { readonly kind: 'log' | 'sent'; readonly value: object }[];
  call(method: string, params?: object): Promise<Said>;
  receive(value: unknown): Promise<unknown>;
}

/** Counts of its own, which end with the test. */
export function openTestCounts(): Counts {
  const counts = openCounts(tempFolder(), DEFAULTS.rateWindowMs);
  onTestFinished(() => counts.close());
  return counts;
}

/** A server and an initialized client of it. */
export async function localClient(settings: Partial<Settings> = {}): Promise<LocalClient> {
  const clock = manualClock();
  const store = openStore(tempFolder());
  onTestFinished(() => store.close());
  const events: LocalClient['events'] = [];
  const app = createApp({
    settings: { ...DEFAULTS, ...settings },
    store,
    counts: openTestCounts(),
    clock,
    log: (value) => events.push({ kind: 'log', value }),
  });
  const connection = connect(app, 'local', (value) => events.push({ kind: 'sent', value }) > 0);
  let last = 0;
  const client: LocalClient = {
    app,
    clock,
    connection,
    events,
    receive: (value) => connection.receive(value),
    call: async (method, params) =>
      (await connection.receive({ jsonrpc: '2.0', id: ++last, method, params })) as Said,
  };
  await client.call('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { sampling: {}, elicitation: { url: {} } },
    clientInfo: { name: 'local', version: '1' },
  });
  await client.receive({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return client;
}

/** The same, signed in as the member bob. */
export async function memberClient(settings: Partial<Settings> = {}): Promise<LocalClient> {
  const client = await localClient(settings);
  client.app.store.users.add('bob', 'member', 'battery staple');
  const { result } = await client.call('auth/login', { user: 'bob', password: 'battery staple' });
  await client.call('auth/authenticate', { token: result?.['token'] });
  return client;
}

/** A server process on stdio, and a client that can send anything; both end with the test. */
export function rawClient(...flags: string[]): RawClient {
  const client = startRaw(flags);
  onTestFinished(() => client.end('SIGKILL'));
  return client;
}

/** A server that listens on HTTP in the test's own process; it ends with the test, or before. */
export async function httpServer(
  settings: Partial<Settings> = {},
  folder: string = tempFolder(),
): Promise<{ url: string; store: Store; stop: () => Promise<void> }> {
  const store = openStore(folder);
  const app = createApp({
    settings: { ...DEFAULTS, ...settings },
    store,
    counts: openTestCounts(),
    log: () => {},
  });
  const sessions = overHttp(app);
  const { url, close } = await listenOn(sessions.listener, 0);
  let isUp = true;
  const stop = async (): Promise<void> => {
    if (!isUp) return;
    isUp = false;
    sessions.close('server_shutdown');
    await close(0);
    store.close();
  };
  onTestFinished(stop);
  return { url, store, stop };
}
