/** A worker among others: what it knows of them, and what it tells them. */
import { rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import type { Transport } from '../upstreams/transport-choice.ts';
import { createKeepers, type Keepers } from './keepers.ts';
import { createKeptFaults, type Failed } from './kept-faults.ts';
import {
  type Begin,
  type DoorName,
  type FromWorker,
  type Learned,
  type LivingWorker,
  type Serving,
  type TaskFact,
  type ToWorker,
  WORKER_VARIABLE,
} from './messages.ts';

/** The workers behind one port, as one of them sees them. */
export interface Crew {
  readonly worker: number;
  readonly count: number;
  /** When the gateway was started, in Unix time; a worker may come later. */
  readonly startedAt: number;
  /** Only they know it. */
  readonly secret: Buffer;
  /** Those that take calls, by their numbers. */
  living(): readonly LivingWorker[];
  /** Which of them has what callers without a session share at this endpoint. */
  keeperOf(name: string): number | undefined;
  /** How servers behind URLs are spoken to, as far as any of them knows, see `createTransports`. */
  readonly spoken: Map<string, Transport>;
  /** Does any of them know that keys were made in the store? */
  knowsOfKeys(): boolean;
  /** Hears when one of them has changed a key. */
  onKeysChanged(listener: () => void): void;
  /** A Unix socket of a worker: for requests that others pass on, for what they ask, for tasks, and for each of its doors. */
  socketOf(worker: number, use: 'calls' | 'questions' | 'tasks' | DoorName): string;
  /** Takes connections from now on. */
  onConnection(listener: (connection: Socket, door: DoorName) => void): void;
  /** State that all of them share, where no store is named: a file that is gone when the last of them is. */
  readonly sharedFile: string;
  /** Tells the process that holds the port what has failed here, which others cannot ask for once this one has ended. */
  tellFailed(failed: Failed): void;
  /** What failed at workers that have ended. */
  failedBefore(): Failed;
  /** Tells the others. */
  tell(learned: Learned): void;
  /** Hears what the others have learned, from the beginning. */
  hear(listener: (learned: TaskFact) => void): void;
}

/** The place of a worker. */
export interface Seat {
  readonly crew: Crew;
  /** The file of settings; absent where there is none. */
  readonly text: string | undefined;
  /** Calls are taken from now on. */
  serving(what: Serving): void;
  onSettings(listener: (text: string) => void): void;
  /** Somebody wants it to end. */
  readonly stopped: Promise<void>;
  /** And does not want to wait for what is under way. */
  readonly hurried: Promise<void>;
}

/** Was this process started as a worker? */
export function isWorker(): boolean {
  return process.send !== undefined && process.env[WORKER_VARIABLE] !== undefined;
}

/** Takes the place that this process was started for. */
export async function takeSeat(): Promise<Seat> {
  delete process.env[WORKER_VARIABLE]; // nobody that is started from here is one
  let onSettings: ((text: string) => void) | undefined;
  let late: string | undefined;
  let living: readonly LivingWorker[] = [];
  const failed = createKeptFaults();
  const tell = (fact: Learned): void => say({ kind: 'learned', learned: fact });
  const keepers = createKeepers({ living: () => living, tell });
  const { learn, ...heard } = createHeard(keepers);
  let onConnection: ((connection: Socket, door: DoorName) => void) | undefined;
  const { promise: stopped, resolve: end } = promised<void>();
  const { promise: hurried, resolve: hurry } = promised<void>();
  const stop = ({ now = false }: { now?: boolean } = {}): void => {
    say({ kind: 'leaving' });
    end();
    if (now) hurry();
  };
  const { promise: begun, resolve: begin } = promised<Begin>();
  const hear: { readonly [kind in ToWorker['kind']]: (said: never, connection: Socket | undefined) => void } =
    {
      begin: (said: { begin: Begin }) => begin(said.begin),
      settings({ text }: { text: string }) {
        if (onSettings === undefined) late = text;
        else onSettings(text);
      },
      living: (said: { living: readonly LivingWorker[] }) => {
        living = said.living;
      },
      learned: (said: { learned: Learned }) => learn(said.learned),
      ended: (said: { failed: Failed }) => failed.add(said.failed),
      connection({ id, door }: { id: number; door: DoorName }, connection) {
        if (connection === undefined) return say({ kind: 'missed', id });
        say({ kind: 'taken', id }); // first: whoever has read of it keeps it
        if (onConnection === undefined) connection.destroy();
        else onConnection(connection, door);
      },
      asked: () => say({ kind: 'here' }),
      stop,
    };
  process.on('message', (said: ToWorker, connection: unknown) =>
    hear[said.kind]?.(said as never, connection as Socket | undefined),
  );
  heedSignals(stop);
  say({ kind: 'ready' });
  const place = await begun;
  for (const fact of place.learned) learn(fact);
  failed.add(place.failed);
  endWith(place.folder);
  return {
    text: place.text,
    stopped,
    hurried,
    serving: (what) => say({ kind: 'serving', serving: what }),
    onSettings(listener) {
      onSettings = listener;
      if (late !== undefined) listener(late);
    },
    crew: {
      ...givenAt(place),
      living: () => living,
      keeperOf: keepers.of,
      ...heard,
      onConnection(listener) {
        onConnection = listener;
      },
      tell,
      tellFailed: (more) => say({ kind: 'failed', failed: more }),
      failedBefore: failed.all,
    },
  };
}

/** What it was given with its place. */
function givenAt({
  worker,
  count,
  startedAt,
  secret,
  folder,
}: Begin): Pick<Crew, 'worker' | 'count' | 'startedAt' | 'secret' | 'socketOf' | 'sharedFile'> {
  return {
    worker,
    count,
    startedAt,
    secret: Buffer.from(secret, 'hex'),
    socketOf: (of, use) => join(folder, `${use}-${of}`),
    sharedFile: join(folder, 'shared.db'),
  };
}

/** What others have learned: about tasks for those who listen, from the beginning; the rest is kept. */
function createHeard(
  keepers: Keepers,
): Pick<Crew, 'spoken' | 'hear' | 'knowsOfKeys' | 'onKeysChanged'> & { learn(learned: Learned): void } {
  const spoken = new Map<string, Transport>();
  const early: TaskFact[] = [];
  const listeners: ((learned: TaskFact) => void)[] = [];
  let wereKeysMade = false;
  const keyListeners: (() => void)[] = [];
  return {
    spoken,
    knowsOfKeys: () => wereKeysMade,
    onKeysChanged: (listener) => void keyListeners.push(listener),
    learn(fact) {
      if ('server' in fact) spoken.set(fact.server, fact.transport);
      else if ('keys' in fact) {
        wereKeysMade = true;
        if (fact.keys === 'changed') for (const listener of keyListeners) listener();
      } else if (!keepers.hear(fact)) {
        if (listeners.length === 0) early.push(fact);
        for (const listener of listeners) listener(fact);
      }
    },
    hear(listener) {
      listeners.push(listener);
      for (const fact of early) listener(fact);
    },
  };
}

/** `Promise.withResolvers`, which the oldest Node that this runs on does not have. */
function promised<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

/** Whoever holds the port is gone without a word: nobody can come any more, and nobody else clears away. */
function endWith(folder: string): void {
  process.once('disconnect', () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit();
  });
}

/** A terminal tells all processes at once; the one that holds the port passes on what is meant for all. */
function heedSignals(stop: (how: { now: boolean }) => void): void {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  // Whoever ends all processes of a service tells each of them once, and this one hears it from that one too.
  let isTold = false;
  process.on('SIGTERM', () => {
    stop({ now: isTold });
    isTold = true;
  });
}

function say(message: FromWorker): void {
  // Where nobody hears it, the process is about to end.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
