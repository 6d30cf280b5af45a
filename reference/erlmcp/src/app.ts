/** The server itself, without a transport: what all sessions share. */

import { type Clock, systemClock } from '@mayday/policy';
import type { Counts } from '@mayday/reference-shared';
import { createPaginate, type Paginate } from './cursor.ts';
import { createJournal, type Journal, type WriteLine } from './journal.ts';
import { tellHere } from './notify.ts';
import type { Session } from './session.ts';
import type { Settings } from './settings.ts';
import type { Store } from './store/index.ts';

/** What all sessions share. */
export interface App {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly paginate: Paginate;
  readonly counts: Counts;
  /** The server whose pages are mirrored, if there is one. */
  readonly mirror: URL | undefined;
  readonly sessions: Set<Session>;
  /** Tasks that run in this process, and how to stop them. */
  readonly tasks: Map<string, { readonly controller: AbortController; readonly ended: Promise<void> }>;
}

/** What it takes to make a server. */
export interface AppOptions {
  readonly settings: Settings;
  readonly store: Store;
  readonly counts: Counts;
  readonly log: WriteLine;
  readonly mirror?: URL | undefined;
  readonly clock?: Clock;
}

/** Makes a server. */
export function createApp(options: AppOptions): App {
  const { settings, store, counts, log, mirror, clock = systemClock } = options;
  const app: App = {
    settings,
    store,
    clock,
    mirror,
    journal: createJournal(clock, log),
    paginate: createPaginate(clock, store.sessions.secret, settings.pageSize, settings.cursorTtlMs),
    counts,
    sessions: new Set(),
    tasks: new Map(),
  };
  failAbandoned(app);
  store.news.follow((news) => tellHere(app, news));
  return app;
}

/** Tasks of a process that is gone have failed, and so have those of this one that run no more. */
export function failAbandoned({ store, clock, tasks }: App): void {
  store.tasks.failAbandoned('server_restarted', clock.now(), (id) => tasks.has(id));
}
