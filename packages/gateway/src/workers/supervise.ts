/** The process that holds the port: it starts workers, starts those anew that die, and tells all of them what holds. */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import process from 'node:process';
import type { Writable } from 'node:stream';
import { StartedTasks } from '../access/started-tasks.ts';
import { within } from '../within.ts';
import { type Folder, isHere, makeFolder } from './folder.ts';
import { createHanding, type Handing, type Taker } from './handing.ts';
import { createKeptFaults, createToldFaults } from './kept-faults.ts';
import {
  type Begin,
  type FromWorker,
  type Learned,
  type LivingWorker,
  type Serving,
  type ToWorker,
  WORKER_VARIABLE,
} from './messages.ts';
import { passLines } from './pass-lines.ts';
import { type Address, holdPorts, type Ports } from './ports.ts';

/** Which workers, and how many. */
export interface WorkersOptions {
  readonly count: number;
  readonly listen: Address;
  /** Where operators have a port of their own. */
  readonly admin?: Address | undefined;
  /** Workers speak HTTPS. */
  readonly isSecure: boolean;
  /** The module that a worker runs, and its arguments: it takes its place with `takeSeat`. */
  readonly program: string;
  readonly args: readonly string[];
  /** The file of settings; absent where there is none. */
  readonly text?: string | undefined;
  /** Where the lines of all workers go. */
  readonly log: Writable;
  /** How often they are asked whether they are there; five seconds if absent. */
  readonly askEveryMs?: number | undefined;
  /** One line for the operator. */
  readonly onLog?: ((line: string) => void) | undefined;
}

/** Workers that run. */
export interface Workers extends Serving {
  readonly url: string;
  /** Where the admin API is, if it has a port of its own. */
  readonly adminUrl: string | undefined;
  /** Hands all of them a new file. */
  reload(text: string): void;
  /** Has all of them answer what is under way, and waits for their end. Called again, it has them answer at once. */
  close(graceMs?: number): Promise<void>;
  /** Ends all of them at once. */
  kill(): void;
}

/** The first worker could not begin, and has said why; this is how it ended. */
export class WorkerEnded extends Error {
  readonly code: number | null;

  constructor(code: number | null) {
    super('Expected the first worker to begin');
    this.name = 'WorkerEnded';
    this.code = code;
  }
}

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 30_000;
/** Whoever has lived for so long did not die of how it was started. */
const LIVED_MS = 60_000;
/** Beyond the time for the last calls, a worker that still runs hangs. */
const HANGING_MS = 10_000;

/** A worker is asked so often whether it is there; one that has said nothing so many times hangs. */
const ASK_EVERY_MS = 5000;
const MAX_UNANSWERED = 6;

/** One place, and whoever has it. */
interface Place {
  readonly number: number;
  worker: ChildProcess | undefined;
  startedAt: number;
  isServing: boolean;
  hasServed: boolean;
  /** It was told what holds, and hears what changes. */
  hasBegun: boolean;
  /** How often it was asked whether it is there, and has not answered. */
  unanswered: number;
  restarts: number;
  /** Deaths that came soon after the start, in a row. */
  early: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Starts the workers. Rejects with an error of Node's where an address cannot be had, and with {@link WorkerEnded} where
 * the first worker cannot begin.
 */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const crew = new Supervised(options);
  await crew.start();
  return crew;
}

class Supervised implements Workers {
  readonly #options: WorkersOptions;
  readonly #places: readonly Place[];
  readonly #handing: Handing;
  /** For those that come later. */
  readonly #tasks = new StartedTasks();
  readonly #latest: Map<string, Learned> = new Map();
  readonly #startedAt = Date.now();
  readonly #told = createToldFaults();
  readonly #failed = createKeptFaults();
  readonly #asking: NodeJS.Timeout;
  #folder: Folder = makeFolder();
  readonly #secret: string = randomBytes(32).toString('hex');
  #ports: Ports | undefined;
  /** The file of settings as it has become, where it has. */
  #newText: string | undefined;
  #serving: Serving | undefined;
  #isClosing = false;
  #closed: Promise<void> | undefined;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#asking = setInterval(() => this.#ask(), options.askEveryMs ?? ASK_EVERY_MS).unref();
    this.#places = Array.from({ length: options.count }, (_, i) => ({
      number: i + 1,
      worker: undefined,
      startedAt: 0,
      isServing: false,
      hasServed: false,
      hasBegun: false,
      unanswered: 0,
      restarts: 0,
      early: 0,
      timer: undefined,
    }));
    this.#handing = createHanding(() => this.#places.filter(({ isServing }) => isServing).map(takerAt));
  }

  get url(): string {
    return this.#ports?.url ?? '';
  }

  get adminUrl(): string | undefined {
    return this.#ports?.adminUrl;
  }

  get upstreams(): readonly string[] {
    return this.#serving?.upstreams ?? [];
  }

  get virtual(): readonly string[] {
    return this.#serving?.virtual ?? [];
  }

  async start(): Promise<void> {
    const { listen: callers, admin: operators, isSecure } = this.#options;
    const onConnection: Handing['take'] = (connection, door) => this.#handing.take(connection, door);
    this.#ports = await holdPorts({ callers, operators, isSecure, onConnection }).catch((error: unknown) => {
      this.kill();
      throw error;
    });
    const [first, ...others] = this.#places as readonly [Place, ...Place[]];
    const code = await this.#fork(first); // alone: it makes what all share, and says what is wrong once
    if (this.#serving === undefined) {
      this.kill();
      throw new WorkerEnded(code ?? null);
    }
    await Promise.all(others.map((place) => this.#fork(place)));
  }

  reload(text: string): void {
    this.#newText = text;
    this.#tell({ kind: 'settings', text });
  }

  close(graceMs = 5000): Promise<void> {
    if (this.#closed === undefined) this.#closed = this.#close(graceMs);
    else
      for (const place of this.#places)
        if (place.worker !== undefined) send(place, { kind: 'stop', now: true });
    return this.#closed;
  }

  async #close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    const ends = this.#places.map((place) => {
      clearTimeout(place.timer);
      const { worker } = place;
      if (worker === undefined) return undefined;
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      send(place, { kind: 'stop' });
      return ended;
    });
    await within(Promise.all(ends), graceMs + HANGING_MS);
    this.kill();
  }

  kill(): void {
    this.#isClosing = true;
    clearInterval(this.#asking);
    this.#ports?.close();
    this.#handing.close();
    for (const { worker, timer } of this.#places) {
      clearTimeout(timer);
      worker?.kill('SIGKILL');
    }
    rmSync(this.#folder.path, { recursive: true, force: true });
  }

  /** Resolves when it serves, or with how it has ended before that. */
  #fork(place: Place): Promise<number | null | undefined> {
    place.startedAt = Date.now();
    place.unanswered = 0;
    return new Promise((resolve) => {
      const ended = (how: string, code: number | null): void => {
        this.#ended(place, how);
        resolve(code);
      };
      let worker: ChildProcess;
      try {
        worker = this.#process(place.number);
      } catch (error) {
        ended(notStarted(error), null);
        return;
      }
      place.worker = worker;
      worker.on('message', (said: FromWorker) => {
        this.#hear(place, said);
        if (said.kind === 'serving') resolve(undefined);
      });
      worker.on('error', (error) => {
        // One that was there and could not be told something has its end before it.
        if (worker.pid === undefined) ended(notStarted(error), null);
      });
      worker.on('exit', (code: number | null, signal: NodeJS.Signals | null) => {
        if (worker.pid !== undefined) ended(signal ?? `status ${code}`, code);
      });
    });
  }

  #process(number: number): ChildProcess {
    const { program, args, log } = this.#options;
    const worker = fork(program, args, {
      env: { ...process.env, [WORKER_VARIABLE]: String(number) },
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    if (worker.stderr) passLines(worker.stderr, log);
    return worker;
  }

  /** One that hangs answers nobody, and keeps its connections: its end is better than its life. */
  #ask(): void {
    if (!isHere(this.#folder)) this.#moveOut();
    for (const place of this.#places) {
      if (!place.isServing) continue;
      if (place.unanswered < MAX_UNANSWERED) {
        place.unanswered += 1;
        send(place, { kind: 'asked' });
      } else {
        this.#options.onLog?.(`worker ${place.number} hangs; it is ended`);
        place.worker?.kill('SIGKILL');
      }
    }
  }

  /** Somebody has cleared away what workers reach each other by, and share: those that come have it elsewhere. */
  #moveOut(): void {
    try {
      this.#folder = makeFolder();
    } catch (error) {
      this.#options.onLog?.(
        `the folder of the workers was removed, and no other can be made (${codeOf(error)}); it is tried again`,
      );
      return;
    }
    this.#options.onLog?.('the folder of the workers was removed; all of them are started anew');
    for (const { worker } of this.#places) worker?.kill('SIGTERM');
  }

  #hear(place: Place, said: FromWorker): void {
    if (said.kind === 'ready') {
      send(place, { kind: 'begin', begin: this.#beginOf(place) });
      // What needs a restart needs one of all: whoever comes later reloads, as the others did.
      if (this.#newText !== undefined) send(place, { kind: 'settings', text: this.#newText });
      place.hasBegun = true;
    } else if (said.kind === 'here') place.unanswered = 0;
    else if (said.kind === 'learned') {
      this.#learn(said.learned);
      this.#tell(said, place);
    } else if (said.kind === 'taken') this.#handing.taken(said.id);
    else if (said.kind === 'missed') this.#handing.missed(said.id);
    else if (said.kind === 'failed') this.#told.heard(place.number, said.failed);
    else if (said.kind === 'leaving') this.#left(place);
    else {
      this.#serving ??= said.serving;
      place.isServing = true;
      place.hasServed = true;
      this.#tellLiving();
      this.#handing.again();
    }
  }

  #learn(learned: Learned): void {
    if ('keeper' in learned) this.#latest.set(`keeper ${learned.keeper}`, learned);
    else if ('server' in learned) this.#latest.set(`server ${learned.server}`, learned);
    else if ('keys' in learned) this.#latest.set('keys', learned);
    else this.#tasks.learn(learned);
  }

  #left(place: Place): void {
    place.isServing = this.#isClosing && place.isServing; // whoever comes to a gateway that ends is told by it
    this.#tellFailed(place);
    this.#tellLiving();
  }

  /** Nobody asks it any more: what it has told of its failures, the others tell. */
  #tellFailed(place: Place): void {
    const failed = this.#isClosing ? undefined : this.#told.take(place.number);
    if (failed === undefined) return;
    this.#failed.add(failed);
    this.#tell({ kind: 'ended', failed }, place);
  }

  #beginOf({ number }: Place): Begin {
    return {
      worker: number,
      count: this.#options.count,
      folder: this.#folder.path,
      secret: this.#secret,
      text: this.#options.text,
      learned: [...this.#latest.values(), ...this.#tasks.learned()],
      startedAt: this.#startedAt,
      failed: this.#failed.all(),
    };
  }

  #ended(place: Place, how: string): void {
    const { hasServed } = place;
    place.isServing = false;
    place.hasServed = false;
    place.hasBegun = false;
    place.worker = undefined;
    this.#handing.again(place.number);
    if (this.#isClosing || this.#serving === undefined) return; // who could not begin has said why
    this.#tellFailed(place);
    this.#tellLiving();
    place.early = Date.now() - place.startedAt < LIVED_MS ? place.early + 1 : 1;
    const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (place.early - 1));
    const lost = hasServed ? '; its sessions are gone' : '';
    const next = `another one starts in ${waitMs / 1000} s`;
    this.#options.onLog?.(`worker ${place.number} has ended (${how})${lost}; ${next}`);
    place.timer = setTimeout(() => {
      place.restarts += 1;
      void this.#fork(place);
    }, waitMs);
  }

  #tell(message: ToWorker, except?: Place): void {
    for (const place of this.#places) if (place !== except && place.hasBegun) send(place, message);
  }

  #tellLiving(): void {
    const living = this.#places.filter(({ isServing }) => isServing).map(livingOf);
    this.#tell({ kind: 'living', living });
  }
}

function notStarted(error: unknown): string {
  return `it could not be started: ${codeOf(error)}`;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

function livingOf({ number, worker, startedAt, restarts }: Place): LivingWorker {
  const pid = worker?.pid ?? 0;
  return { worker: number, pid, started_at: new Date(startedAt).toISOString(), restarts };
}

/** One that is about to end does not hear it. */
function send({ worker }: Place, message: ToWorker): void {
  if (worker?.connected === true) worker.send(message, () => undefined);
}

function takerAt({ number, worker }: Place): Taker {
  return {
    number,
    hand(id, door, connection) {
      const message: ToWorker = { kind: 'connection', id, door };
      if (worker?.connected === true) worker.send(message, connection, { keepOpen: true }, () => undefined);
    },
  };
}
