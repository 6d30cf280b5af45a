/** What the process that holds the port and its workers tell each other, over the channel that only they have. */
import type { Transport } from '../upstreams/transport-choice.ts';
import type { Failed } from './kept-faults.ts';

/** A worker, as its fellows and operators see it. */
export interface LivingWorker {
  /** From 1. Whoever takes the place of one that died has its number. */
  readonly worker: number;
  readonly pid: number;
  readonly started_at: string;
  /** How often its place was taken anew. */
  readonly restarts: number;
}

/** What a worker serves, told once it does. */
export interface Serving {
  readonly upstreams: readonly string[];
  readonly virtual: readonly string[];
}

/** For whom a connection is: everybody, or operators where they have a port of their own. */
export type DoorName = 'callers' | 'operators';

/** A task that somebody has started, see `taskKey`. */
export interface StartedTask {
  /** Whose it is, see `taskOwners`. */
  readonly owners: readonly string[];
  readonly task: string;
  readonly tool: string;
}

/** A task that was started, or which ones have begun by now. */
export type TaskFact = StartedTask | { readonly begun: string };

/** Which process has what callers share at an endpoint. */
export interface Keeping {
  readonly keeper: string;
  readonly pid: number;
}

/** How a server behind a URL is spoken to, see `createTransports`. */
interface Speaking {
  readonly server: string;
  readonly transport: Transport;
}

/**
 * Keys were made in the store: nobody comes in without one, whatever becomes of the store. `changed`: some of them just now, and
 * what is remembered of any does not hold.
 */
interface KeysMade {
  readonly keys: 'made' | 'changed';
}

/** Something that one worker has learned and all have to know. */
export type Learned = TaskFact | Keeping | Speaking | KeysMade;

/** What a worker begins with. */
export interface Begin {
  readonly worker: number;
  readonly count: number;
  /** Only the user of the process may look into it. */
  readonly folder: string;
  /** What only the workers of this gateway know, in hexadecimal digits. */
  readonly secret: string;
  /** The file of settings that the gateway was started with; absent where there is none. */
  readonly text: string | undefined;
  readonly learned: readonly Learned[];
  /** When the gateway was started, in Unix time: workers come and go. */
  readonly startedAt: number;
  /** What failed at workers that have ended. */
  readonly failed: Failed;
}

/** To a worker. */
export type ToWorker =
  | { readonly kind: 'begin'; readonly begin: Begin }
  | { readonly kind: 'settings'; readonly text: string }
  | { readonly kind: 'living'; readonly living: readonly LivingWorker[] }
  | { readonly kind: 'learned'; readonly learned: Learned }
  /** What failed at a worker that has ended, or is about to. */
  | { readonly kind: 'ended'; readonly failed: Failed }
  /** A connection comes with it. */
  | { readonly kind: 'connection'; readonly id: number; readonly door: DoorName }
  /** Is it still there? */
  | { readonly kind: 'asked' }
  /** `now`: what is under way is not waited for any longer. */
  | { readonly kind: 'stop'; readonly now?: boolean };

/** From a worker. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'serving'; readonly serving: Serving }
  | { readonly kind: 'learned'; readonly learned: Learned }
  /** The connection of this number is its own from now on. */
  | { readonly kind: 'taken'; readonly id: number }
  /** It was told of a connection that did not come along. */
  | { readonly kind: 'missed'; readonly id: number }
  /** What has failed since it said so the last time: it may be killed. */
  | { readonly kind: 'failed'; readonly failed: Failed }
  /** It was asked, and does not hang. */
  | { readonly kind: 'here' }
  /** It is about to end, and takes no more connections. */
  | { readonly kind: 'leaving' };

/** Says to a process of ours which worker it is. */
export const WORKER_VARIABLE = 'MAYDAY_WORKER';
