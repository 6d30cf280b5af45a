/** A run: hostile callers, hostile servers and witnesses at once, until the messages are spent or something gave way. */
import type { Gateway } from '../acceptance/support/gateway.ts';
import { Caller } from './caller.ts';
import { SECRET } from './hostile.ts';
import { type HttpUpstream, startHttpUpstream } from './http-upstream.ts';
import { ENDPOINTS, HOSTILE, startRange, stopRange, witnessesAt } from './range.ts';
import { openSessions } from './sessions.ts';
import { type Range, type Shot, shotFor } from './shot.ts';
import { startWitness, type Witness } from './witness.ts';

/** What is run, and what counts as too much. */
export interface RunOptions {
  readonly seed: number;
  readonly messages: number;
  /** The run ends after this time even if messages are left. */
  readonly milliseconds: number;
  readonly callers: number;
  /** Every request is answered within this time. */
  readonly limitMs: number;
  /** Every call of a witness is answered rightly within this time. */
  readonly witnessMs: number;
  readonly memoryMb: number;
  /** The run ends after this many violations. */
  readonly violations: number;
  /** Modules loaded into the gateway before it starts: to look past a death that is known. */
  readonly preload?: readonly string[] | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The run ends when this does. What happens from then on is nobody's fault: the gateway may be ended, too. */
  readonly interrupted?: AbortSignal | undefined;
}

/** Where a run stands. */
export interface Progress {
  readonly sent: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly upstream: number;
  readonly memoryMb: number;
  readonly witnessed: number;
  readonly slowestMs: number;
  readonly violations: number;
}

/** Something that must not happen, and the messages that may have caused it. */
export interface Violation {
  readonly kind: 'death' | 'trouble' | 'witness' | 'memory' | 'log';
  readonly detail: string;
  readonly suspects: readonly Shot[];
}

/** What a run found. */
export interface Report extends Progress {
  readonly seconds: number;
  readonly found: readonly Violation[];
}

const REMEMBERED = 200;

/** Runs to the end; each death costs a gateway, and the next one goes on where it stopped. */
export async function run(options: RunOptions): Promise<Report> {
  const http = await startHttpUpstream();
  const state = new State(options, http);
  const until = performance.now() + options.milliseconds;
  const began = performance.now();
  while (
    state.next < options.messages &&
    performance.now() < until &&
    state.found.length < options.violations &&
    options.interrupted?.aborted !== true
  ) {
    await round(state, until);
  }
  await http.close();
  return { ...state.progress(), seconds: (performance.now() - began) / 1000, found: state.found };
}

class State {
  readonly options: RunOptions;
  readonly http: HttpUpstream;
  readonly found: Violation[] = [];
  readonly statuses: Record<string, number> = {};
  readonly flying = new Set<Shot>();
  recent: Shot[] = [];
  log = '';
  next = 0;
  sent = 0;
  peak = 0;
  witnessed = 0;
  slowest = 0;

  constructor(options: RunOptions, http: HttpUpstream) {
    this.options = options;
    this.http = http;
  }

  report(kind: Violation['kind'], detail: string, suspects: readonly Shot[]): void {
    const { violations, interrupted } = this.options;
    if (this.found.length < violations && interrupted?.aborted !== true)
      this.found.push({ kind, detail, suspects });
  }

  suspects(): Shot[] {
    return [...this.flying, ...this.recent.toReversed()];
  }

  landed(shot: Shot): void {
    this.flying.delete(shot);
    this.recent.push(shot);
    if (this.recent.length > 2 * REMEMBERED) this.recent = this.recent.slice(-REMEMBERED);
  }

  progress(): Progress {
    const { sent, statuses, peak, witnessed, slowest, found } = this;
    return {
      sent,
      statuses,
      upstream: this.http.said(),
      memoryMb: Math.round(peak),
      witnessed,
      slowestMs: Math.round(slowest),
      violations: found.length,
    };
  }
}

async function round(state: State, until: number): Promise<void> {
  const { options } = state;
  state.log = '';
  const gateway = await startRange(
    state.http,
    (text) => {
      state.log = (state.log + text).slice(-20_000);
      if (text.includes(SECRET)) state.report('log', 'the secret is in the log', state.suspects());
    },
    options.preload,
  );
  const sessions = await openSessions(gateway, HOSTILE);
  const range: Range = { host: `127.0.0.1:${gateway.port}`, endpoints: ENDPOINTS, key: HOSTILE, sessions };
  const witnesses = witnessesAt(gateway, options.witnessMs).map((where, index) =>
    startWitness(`w${index}`, where),
  );
  const going = (): boolean =>
    state.next < options.messages &&
    performance.now() < until &&
    state.found.length < options.violations &&
    options.interrupted?.aborted !== true &&
    gateway.alive();
  const watch = setInterval(() => look(state, gateway, witnesses), 250);
  await Promise.all(Array.from({ length: options.callers }, () => lane(state, gateway, range, going)));
  clearInterval(watch);
  await judge(state, gateway, witnesses);
  await stopRange(gateway);
  state.flying.clear();
  state.recent = [];
}

async function lane(state: State, gateway: Gateway, range: Range, going: () => boolean): Promise<void> {
  const { seed, limitMs } = state.options;
  const caller = new Caller({ port: gateway.port, limitMs });
  while (going()) {
    const shots = volley(state, seed, range);
    for (const shot of shots) state.flying.add(shot);
    for (const { shot, status, trouble } of await caller.fire(shots)) {
      state.sent += 1;
      state.statuses[status] = (state.statuses[status] ?? 0) + 1;
      // A gateway that died answers nobody: that is told once, as a death.
      if (trouble !== undefined && (await survives(gateway))) state.report('trouble', trouble, [shot]);
      state.landed(shot);
    }
  }
  caller.close();
}

/** The next shots: several at once where they are to be pipelined. */
function volley(state: State, seed: number, range: Range): Shot[] {
  const shots: Shot[] = [];
  do {
    shots.push(shotFor(seed, state.next, range));
    state.next += 1;
  } while (shots.at(-1)?.pipelined === true && shots.length < 4 && state.next < state.options.messages);
  return shots;
}

/** A process that is ending is still there for a moment. */
async function survives(gateway: Gateway): Promise<boolean> {
  await Promise.race([gateway.gone, new Promise((resolve) => setTimeout(resolve, 300))]);
  return gateway.alive();
}

function look(state: State, gateway: Gateway, witnesses: readonly Witness[]): void {
  if (!gateway.alive()) return;
  const memory = gateway.memory();
  if (memory > state.options.memoryMb && state.peak <= state.options.memoryMb) {
    state.report('memory', `${Math.round(memory)} MB are in use`, state.suspects());
  }
  state.peak = Math.max(state.peak, memory);
  for (const trouble of witnesses.flatMap((witness) => witness.told())) {
    const suspects = state.suspects();
    void survives(gateway).then((alive) => alive && state.report('witness', trouble, suspects));
  }
  state.options.onProgress?.(state.progress());
}

async function judge(state: State, gateway: Gateway, witnesses: readonly Witness[]): Promise<void> {
  const alive = await survives(gateway);
  if (!alive) state.report('death', state.log.slice(-3000), state.suspects());
  const troubles = alive ? witnesses.flatMap((witness) => witness.told()) : [];
  for (const trouble of troubles) state.report('witness', trouble, state.suspects());
  await Promise.all(witnesses.map((witness) => witness.stop()));
  for (const witness of witnesses) {
    state.witnessed += witness.times.length;
    state.slowest = Math.max(state.slowest, ...witness.times, 0);
  }
}
