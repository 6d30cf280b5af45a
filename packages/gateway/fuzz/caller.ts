/** Callers: they fire shots at the gateway over raw sockets and judge what comes back. */
import { connect, type Socket } from 'node:net';
import { SECRET } from './hostile.ts';
import { type Response, ResponseReader } from './reader.ts';
import type { Shot } from './shot.ts';

/** What became of a shot. */
export interface Outcome {
  readonly shot: Shot;
  /** The status that came, 0 for none. */
  readonly status: number;
  readonly trouble?: string | undefined;
}

/** How long anything may take, and what is told while it lasts. */
export interface CallerOptions {
  readonly port: number;
  readonly limitMs: number;
}

type Ending =
  | { readonly response: Response }
  | { readonly head: true }
  | { readonly closed: true }
  | { readonly late: true };

/** One connection that carries one shot after the other. */
export class Caller {
  readonly #options: CallerOptions;
  #line: Line | undefined;

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /** Fires these shots together, in order, and judges each. */
  async fire(shots: readonly Shot[]): Promise<readonly Outcome[]> {
    const plain = shots.every((shot) => shot.owed === 'answer' && !shot.hangUp);
    if (!plain || shots.length === 1) return Promise.all(shots.map((shot) => this.#single(shot, plain)));
    const line = this.#open();
    const endings = shots.map((shot) => line.send(shot, this.#options.limitMs));
    const outcomes: Outcome[] = [];
    for (const [index, shot] of shots.entries()) {
      const ending = await (endings[index] ?? Promise.resolve({ closed: true } as const));
      // Behind an answer that closed the connection, the others are sent again by themselves.
      outcomes.push('closed' in ending ? await this.#single(shot, false) : judged(shot, ending, line));
    }
    return outcomes;
  }

  close(): void {
    this.#line?.destroy();
  }

  async #single(shot: Shot, keep: boolean): Promise<Outcome> {
    const used = keep && this.#line?.usable === true;
    const line = keep ? this.#open() : new Line(this.#options.port);
    const ending = await line.send(shot, this.#options.limitMs);
    // An idle connection may be closed at the moment it is used again: that says nothing about the request.
    if (used && 'closed' in ending && !line.begun) return this.#single(shot, false);
    if (!keep) line.destroy();
    return judged(shot, ending, line);
  }

  #open(): Line {
    if (this.#line?.usable !== true) this.#line = new Line(this.#options.port);
    return this.#line;
  }
}

/** A socket with the shots that wait on it. */
class Line {
  readonly #socket: Socket;
  readonly #reader = new ResponseReader();
  readonly #waiting: {
    shot: Shot;
    done: (ending: Ending) => void;
    limit: number;
    timer: NodeJS.Timeout | undefined;
  }[] = [];
  #written: Promise<void> = Promise.resolve();
  #tail = '';
  #over = false;
  leaked = false;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true);
    this.#socket.on('data', (bytes) => this.#read(bytes));
    this.#socket.on('error', () => this.#end()).on('close', () => this.#end());
  }

  get usable(): boolean {
    return !this.#over && this.#waiting.length === 0 && this.#socket.writable;
  }

  get begun(): boolean {
    return this.#reader.begun;
  }

  send(shot: Shot, limit: number): Promise<Ending> {
    return new Promise((resolve) => {
      this.#waiting.push({ shot, done: resolve, limit, timer: undefined });
      if (this.#waiting.length === 1) this.#watch();
      // One after the other: a shot in pieces must not be torn apart by the one behind it.
      this.#written = this.#written.then(() => this.#write(shot));
    });
  }

  destroy(): void {
    this.#socket.destroy();
    this.#end();
  }

  async #write(shot: Shot): Promise<void> {
    for (const [index, piece] of shot.pieces.entries()) {
      if (index > 0) await new Promise((resolve) => setTimeout(resolve, 1));
      if (!this.#over) this.#socket.write(piece);
    }
    if (shot.hangUp) setTimeout(() => this.destroy(), shot.index % 25);
    else if (shot.owed === 'end') this.#socket.end();
  }

  #watch(): void {
    const first = this.#waiting[0];
    if (first === undefined) return;
    first.timer = setTimeout(() => {
      this.#settle({ late: true });
      this.destroy();
    }, first.limit);
  }

  #read(bytes: Buffer): void {
    const text = this.#tail + bytes.toString('latin1');
    this.leaked ||= text.includes(SECRET);
    this.#tail = text.slice(-SECRET.length);
    for (const response of this.#reader.feed(bytes)) this.#settle({ response });
    if (this.#reader.open && this.#waiting[0]?.shot.owed === 'stream') this.#settle({ head: true });
  }

  #settle(ending: Ending): void {
    const first = this.#waiting.shift();
    if (first === undefined) return;
    clearTimeout(first.timer);
    first.done(ending);
    this.#watch();
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    const last = this.#reader.finish();
    if (last !== undefined) this.#settle({ response: last });
    while (this.#waiting.length > 0) this.#settle({ closed: true });
  }
}

function judged(shot: Shot, ending: Ending, line: Line): Outcome {
  if (line.leaked) {
    line.destroy();
    return { shot, status: 0, trouble: 'the secret came out' };
  }
  if ('late' in ending) return { shot, status: 0, trouble: 'no answer in time' };
  if ('head' in ending) return { shot, status: 200 };
  if ('closed' in ending) {
    // Who is refused before the body is read may lose the refusal while still writing.
    const refused = shot.body.length > 16_000 && !shot.authorized;
    const allowed = shot.hangUp || shot.owed === 'end' || refused;
    return { shot, status: 0, trouble: allowed ? undefined : 'closed without an answer' };
  }
  return { shot, status: ending.response.status, trouble: wrongId(shot, ending.response) };
}

/** A request with a proper id that was accepted has an answer with that id. */
function wrongId(shot: Shot, { status, body }: Response): string | undefined {
  const asked =
    shot.id !== undefined && status === 200 && shot.owed === 'answer' && /^POST \S*\/mcp /.test(shot.head);
  if (!asked) return undefined;
  // `-0` comes back as it went, or as the number it is.
  const tokens = Object.is(shot.id, -0) ? ['-0', '0'] : [JSON.stringify(shot.id)];
  // An id comes back as it was spelt, and half a character may be spelt in capitals.
  const text = body.toString('utf8').replaceAll(/\\u[\da-f]{4}/gi, (half) => half.toLowerCase());
  const said = [text, text.replaceAll(/\s/g, '')];
  const isAnswered = said.some((words) => tokens.some((token) => words.includes(`"id":${token}`)));
  return isAnswered ? undefined : `no answer with the id ${tokens[0]}: ${text.slice(0, 200)}`;
}
