/** The connection to Redis: every question has a time limit, and what may have happened unseen is undone. */
import { createHash, randomUUID } from 'node:crypto';
import { StoreError } from '../store-error.ts';
import { down, lying, problemOfReply, slow } from './problem.ts';

/** What Redis answers. */
export type Reply = string | number | null | readonly Reply[];

/** A script and its name. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

/**
 * A script; `now` is the server's time in milliseconds. A full Redis refuses a script at its first write alone, and only if
 * that can grow: so whatever removes first and grows then begins with `growing(key)`, which changes nothing. Its reply
 * carries the sign of the question: one that is said twice would be taken for the reply to the next.
 */
export function script(text: string): Script {
  const whole = `local sign = table.remove(ARGV)
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function growing(key) redis.call('ZADD', key, 'XX', 0, '') end
local function answer()
${text}
end
return { sign, answer() }`;
  return { text: whole, sha: createHash('sha1').update(whole).digest('hex') };
}

/** The part of a client of Redis that is used here. */
export interface Client {
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  sendCommand(parts: readonly string[]): Promise<unknown>;
  on(event: 'ready' | 'error', listener: (cause?: unknown) => void): unknown;
  destroy(): void;
}

/** One call to a script. */
export interface Question {
  readonly script: Script;
  /** The one key that all keys of the script begin with. */
  readonly key: string;
  readonly values: readonly (string | number)[];
  /** Takes back what may have been done when no answer came. Must do no harm when nothing was. */
  readonly undo?: (() => Promise<unknown>) | undefined;
}

/** More than this are not remembered; what they did ends with its lease. */
const MAX_UNDOS = 10_000;

/** Who is overdue for so many time limits in a row has lost its place in the talk. */
const PATIENCE = 3;

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1000;

/** How a connection is made and judged. */
export interface LinkOptions {
  /** Makes a client that is not connected yet. */
  readonly make: () => Client;
  readonly timeoutMs: number;
  /** Tells what Redis answered from what happened on the way. */
  readonly isReply: (thrown: unknown) => boolean;
}

/** A connection, made anew whenever what comes over it cannot be trusted any more. */
export class Link {
  readonly #options: LinkOptions;
  readonly #undos = new Set<() => Promise<unknown>>();
  #client: Client;
  #isClosed = false;
  #isStalled = false;
  #isUndoing = false;
  #hasLied = false;
  #cause: unknown;
  /** How often it was made anew since it was last in step. */
  #renewals = 0;
  #renewing: NodeJS.Timeout | undefined;
  #overdue: NodeJS.Timeout | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#client = this.#made();
  }

  connect(): Promise<unknown> {
    return this.#client.connect();
  }

  /** Runs a script. Rejects with a `StoreError`. */
  async ask(question: Question): Promise<Reply> {
    const sign = randomUUID();
    const reply = await this.#evaluated(question, sign);
    if (Array.isArray(reply) && reply[0] === sign) return reply[1] ?? null;
    this.distrust();
    throw this.#failed(lying(), question.undo);
  }

  async #evaluated({ script: asked, key, values, undo }: Question, sign: string): Promise<Reply> {
    const rest = ['1', key, ...values.map(String), sign];
    try {
      return await this.command(['EVALSHA', asked.sha, ...rest], undo);
    } catch (thrown) {
      if (!(thrown instanceof MissingScript)) throw thrown;
    }
    return this.command(['EVAL', asked.text, ...rest], undo);
  }

  async command(parts: readonly string[], undo?: () => Promise<unknown>): Promise<Reply> {
    const client = this.#client;
    const { timeoutMs } = this.#options;
    if (this.#isClosed) throw new StoreError('closed', 'The store is closed; open it again');
    if (!client.isReady) throw this.#hasLied ? lying() : down(this.#cause);
    // Nobody waits a second time for what does not answer; an answer, however late, ends it.
    if (this.#isStalled) throw slow(timeoutMs);
    const sent = client.sendCommand(parts) as Promise<Reply>;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#stall(client);
        reject(slow(timeoutMs));
      }, timeoutMs);
    });
    const heard = (): void => void this.#heard(client);
    sent.then(heard, heard);
    try {
      return await Promise.race([sent, late]);
    } catch (thrown) {
      throw this.#failed(client !== this.#client && this.#hasLied ? lying() : thrown, undo);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * An answer could not be read: whose the next ones are is not known either, so that none of them is taken. What was
   * asked and not answered is refused, and undone.
   */
  distrust(): void {
    this.#hasLied = true;
    this.#renew();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#renewing);
    clearTimeout(this.#overdue);
    this.#client.destroy();
  }

  #made(): Client {
    const client = this.#options.make();
    client.on('error', (cause) => {
      if (client !== this.#client) return;
      // What breaks the connection ends it first; what is told of one that stands are answers, good or unreadable.
      const isAnswer = this.#options.isReply(cause);
      if (isUnread(cause) || (client.isReady && !isAnswer)) this.distrust();
      else [this.#cause, this.#hasLied] = [cause, false];
    });
    client.on('ready', () => {
      if (client !== this.#client) return;
      this.#calm();
      void this.#undoAll();
    });
    return client;
  }

  #renew(): void {
    if (this.#isClosed || this.#renewing !== undefined) return;
    const before = this.#client;
    this.#client = this.#made();
    this.#calm();
    before.destroy();
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#renewals);
    this.#renewals += 1;
    this.#renewing = setTimeout(() => {
      this.#renewing = undefined;
      this.#client.connect().catch((cause: unknown) => {
        this.#cause = cause;
      });
    }, pauseMs);
  }

  #stall(client: Client): void {
    if (client !== this.#client || this.#isStalled) return;
    this.#isStalled = true;
    this.#overdue = setTimeout(() => this.#renew(), this.#options.timeoutMs * PATIENCE).unref();
  }

  #calm(): void {
    this.#isStalled = false;
    clearTimeout(this.#overdue);
  }

  /** After a pause, an answer may be anybody's: one that can only be the answer to a new question shows that all fit. */
  async #heard(client: Client): Promise<void> {
    if (client !== this.#client) return;
    if (!this.#isStalled) {
      [this.#renewals, this.#hasLied] = [0, false];
      return;
    }
    const sign = randomUUID();
    const echo = await client.sendCommand(['ECHO', sign]).catch((thrown: unknown) => thrown);
    if (client !== this.#client || !this.#isStalled || !client.isReady) return;
    if (echo !== sign && !this.#options.isReply(echo)) return this.distrust();
    this.#calm();
    void this.#undoAll();
  }

  #failed(thrown: unknown, undo: (() => Promise<unknown>) | undefined): unknown {
    if (this.#options.isReply(thrown)) {
      const { message } = thrown as Error;
      return message.startsWith('NOSCRIPT') ? new MissingScript() : problemOfReply(message);
    }
    if (undo !== undefined && this.#undos.size < MAX_UNDOS) this.#undos.add(undo);
    return thrown instanceof StoreError ? thrown : down(thrown);
  }

  /** One after the other; what fails is tried again when Redis is heard of again. */
  async #undoAll(): Promise<void> {
    if (this.#isUndoing) return;
    this.#isUndoing = true;
    try {
      for (const undo of this.#undos) {
        await undo();
        this.#undos.delete(undo);
      }
    } catch {
      // Its turn comes again, and what it would undo ends with its lease at the latest.
    } finally {
      this.#isUndoing = false;
    }
  }
}

class MissingScript extends Error {}

/** Bytes that are no answer at all. */
function isUnread(cause: unknown): boolean {
  return /^Unknown RESP type/.test(String((Object(cause) as Error).message));
}

/** A reply that is a list of so many parts at least. */
export function listOf(reply: Reply, least = 0): readonly Reply[] {
  if (!Array.isArray(reply) || reply.length < least) throw lying();
  return reply;
}

/** A reply that is a whole number, or one as text. */
export function numberOf(reply: Reply | undefined): number {
  const value = typeof reply === 'string' && reply !== '' ? Number(reply) : reply;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw lying();
  return value;
}

/** A reply that is yes or no. */
export function isYes(reply: Reply): boolean {
  if (reply !== 0 && reply !== 1) throw lying();
  return reply === 1;
}

/** A reply that is text. */
export function textOf(reply: Reply | undefined): string {
  if (typeof reply !== 'string') throw lying();
  return reply;
}

/** A reply that is JSON of ours. */
export function jsonOf<T>(reply: Reply | undefined): T {
  try {
    return JSON.parse(textOf(reply));
  } catch {
    throw lying();
  }
}
