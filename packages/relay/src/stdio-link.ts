/**
 * A link to a server process. The process is started when it is first needed, and again when it ended, with
 * growing pauses; a 2025-era conversation is opened again the way the client opened it.
 */
import type { FaultInit } from '@mayday/core';
import { oneLine } from './events.ts';
import { Handshake, isReplayAnswer, metaOf, paramsOf, progressTokenOf } from './handshake.ts';
import type { Cancel, Link, LinkEvents, Outgoing, Sink } from './link.ts';
import { encode, idOf, type Peek, parse, peek, withId } from './message.ts';
import { type ProcessExit, StdioProcess, type StdioProcessOptions } from './stdio-process.ts';

/** What to start, and how. */
export interface StdioLinkOptions
  extends Pick<StdioProcessOptions, 'command' | 'args' | 'env' | 'cwd' | 'onStderr'>,
    LinkEvents {
  readonly maxMessageBytes?: number;
  /** Requests in flight; more are turned away. */
  readonly maxPending?: number;
  /** Many callers speak over this link: what they choose (ids, progress tokens) is kept apart. */
  readonly shared?: boolean;
  readonly now?: () => number;
}

interface Pending {
  readonly id: Buffer;
  readonly sink: Sink;
  readonly token: string | number | undefined;
  readonly isInitialize: boolean;
}

const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';
const MAX_BACKLOG = 32 * 1024 * 1024;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/** A link to a server process. */
export class StdioLink implements Link {
  readonly #options: StdioLinkOptions;
  readonly #now: () => number;
  readonly #pending: Map<number, Pending> = new Map();
  readonly #handshake: Handshake = new Handshake();
  #process: StdioProcess | undefined;
  #nextId = 1;
  /** Messages that wait for a replayed opening to be answered. */
  #waiting: Buffer[] | undefined;
  #endings = 0;
  #startAt = 0;
  #hasAnswered = false;
  #closed = false;

  constructor(options: StdioLinkOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** The process id of the server, while it runs. */
  get pid(): number | undefined {
    return this.#process?.exited === false ? this.#process.pid : undefined;
  }

  /** Requests in flight. */
  get pending(): number {
    return this.#pending.size;
  }

  request(message: Outgoing, sink: Sink): Cancel {
    const refusal = this.#refusal();
    if (refusal !== undefined) {
      queueMicrotask(() => sink.lost(refusal));
      return () => {};
    }
    const wireId = this.#nextId++;
    let { body } = message;
    let seen = message.peek;
    const id = body.subarray(seen.idStart, seen.idEnd);
    const token = progressTokenOf(body);
    if (token !== undefined && this.#options.shared === true) {
      body = withProgressToken(body, wireId);
      seen = peek(body);
    }
    this.#handshake.see(body, seen);
    const isInitialize = seen.method === 'initialize';
    this.#pending.set(wireId, { id, sink, token, isInitialize });
    this.#write(
      withId(oneLine(body), seen.kind === 'request' ? peekAgain(body, seen) : seen, bytesOf(wireId)),
    );
    return (reason) => this.#cancel(wireId, reason);
  }

  send(message: Outgoing): void {
    if (this.#closed) return;
    if (message.peek.method === 'notifications/cancelled') {
      this.#forwardCancel(message.body);
      return;
    }
    this.#handshake.see(message.body, message.peek);
    if (this.#refusal() === undefined) this.#write(oneLine(message.body));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#loseAll({ kind: 'cancelled', origin: 'gateway', message: 'The conversation was closed' });
    await this.#process?.stop();
  }

  /** Why nothing can be sent now; starts the process if that is all it needs. */
  #refusal(): FaultInit | undefined {
    if (this.#closed) {
      return {
        kind: 'unavailable',
        origin: 'gateway',
        message: 'The conversation was closed',
        executed: 'no',
      };
    }
    if (this.#pending.size >= (this.#options.maxPending ?? 1000)) {
      return { kind: 'overloaded', origin: 'gateway', message: 'Too many calls wait for this server' };
    }
    if (this.#process?.exited === false) {
      if (this.#process.backlog < MAX_BACKLOG) return undefined;
      return { kind: 'overloaded', origin: 'upstream', message: 'The server does not read what it is sent' };
    }
    const wait = this.#startAt - this.#now();
    if (wait > 0) {
      return {
        kind: 'unavailable',
        origin: 'upstream',
        message: 'The server keeps ending and is not started again yet',
        retry: { afterMs: wait },
        executed: 'no',
      };
    }
    this.#start();
    return undefined;
  }

  #start(): void {
    const { command, args, env, cwd, onStderr, maxMessageBytes } = this.#options;
    this.#hasAnswered = false;
    const started: StdioProcess = new StdioProcess({
      command,
      ...(args === undefined ? {} : { args }),
      ...(env === undefined ? {} : { env }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(onStderr === undefined ? {} : { onStderr }),
      maxMessageBytes: maxMessageBytes ?? 64 * 1024 * 1024,
      onMessage: (line) => this.#receive(line),
      onExit: (exit) => {
        if (this.#process === started) this.#ended(exit);
      },
    });
    this.#process = started;
    const { opening } = this.#handshake;
    if (opening === undefined) return;
    this.#waiting = [];
    started.send(oneLine(opening));
  }

  #write(message: Buffer): void {
    if (this.#waiting !== undefined) this.#waiting.push(message);
    else this.#process?.send(message);
  }

  #receive(line: Buffer): void {
    const seen = peek(line);
    if (seen.kind === 'response') this.#answer(line, seen);
    else if (seen.kind === 'request' || seen.kind === 'notification') this.#fromServer(line, seen);
    else this.#unreadable(line);
  }

  #answer(line: Buffer, seen: Peek): void {
    if (this.#waiting !== undefined && isReplayAnswer(line, seen)) {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      this.#process?.send(oneLine(this.#handshake.closing));
      for (const message of waiting) this.#process?.send(message);
      return;
    }
    const wireId = idOf(line, seen);
    let key = typeof wireId === 'number' ? wireId : undefined;
    // Some servers answer what they could not read without an id: with one request open it is clear whose it is.
    if (key === undefined && seen.hasError && this.#pending.size === 1) [key] = this.#pending.keys();
    const pending = key === undefined ? undefined : this.#pending.get(key);
    if (pending === undefined || key === undefined) return;
    this.#pending.delete(key);
    this.#hasAnswered = true;
    if (!pending.isInitialize) this.#endings = 0;
    pending.sink.answered(seen.idStart < 0 ? addId(line, pending.id) : withId(line, seen, pending.id));
  }

  #fromServer(line: Buffer, seen: Peek): void {
    if (seen.method === 'notifications/progress') {
      this.#progress(line);
      return;
    }
    if (this.#options.shared === true) {
      this.#fromSharedServer(line, seen);
      return;
    }
    const belongs = seen.kind === 'request' || seen.method === 'notifications/message';
    const newest = belongs ? [...this.#pending.values()].at(-1) : undefined;
    if (newest === undefined) this.#options.onMessage(line);
    else newest.sink.related(line);
  }

  /** Nobody in particular is at the other end: only what names its request finds its way. */
  #fromSharedServer(line: Buffer, seen: Peek): void {
    const message = parse(line) as { id?: unknown };
    if (seen.kind === 'request') {
      const error = { code: -32601, message: 'Nobody here can answer requests of the server' };
      this.#process?.send(encode({ jsonrpc: '2.0', id: message.id, error }));
      return;
    }
    const meta = metaOf(message);
    const pending = this.#pending.get(Number(meta?.[SUBSCRIPTION_KEY]));
    if (meta === undefined || pending === undefined) {
      this.#options.onMessage(line);
      return;
    }
    meta[SUBSCRIPTION_KEY] = parse(pending.id);
    pending.sink.related(encode(message));
  }

  #progress(line: Buffer): void {
    const message = parse(line);
    const params = paramsOf(message);
    const token = params?.['progressToken'];
    if (this.#options.shared === true) {
      const pending = this.#pending.get(Number(token));
      if (pending?.token === undefined || params === undefined) return;
      params['progressToken'] = pending.token;
      pending.sink.related(encode(message));
      return;
    }
    for (const pending of this.#pending.values()) {
      if (pending.token !== undefined && pending.token === token) {
        pending.sink.related(line);
        return;
      }
    }
    this.#options.onMessage(line);
  }

  /** Logs on standard output are common and harmless; an answer that is broken must not leave its caller waiting. */
  #unreadable(line: Buffer): void {
    const start = line.toString('latin1', 0, 4096);
    const key = Number(/"id"\s*:\s*(\d{1,15})\b/.exec(start)?.[1]);
    const pending = this.#pending.get(key);
    this.#options.onNote?.(`wrote something that is not JSON-RPC: ${start.slice(0, 200)}`);
    if (pending === undefined) return;
    this.#pending.delete(key);
    pending.sink.lost({
      kind: 'invalid_output',
      origin: 'upstream',
      message: 'The server answered with malformed JSON',
    });
  }

  #cancel(wireId: number, reason: string | undefined): void {
    const pending = this.#pending.get(wireId);
    if (pending === undefined) return;
    this.#pending.delete(wireId);
    if (pending.isInitialize) return; // the specification does not allow to cancel it
    const params = { requestId: wireId, ...(reason === undefined ? {} : { reason }) };
    this.#write(encode({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
  }

  #forwardCancel(body: Buffer): void {
    const params = paramsOf(parse(body));
    for (const [wireId, pending] of this.#pending) {
      if (parse(pending.id) !== params?.['requestId']) continue;
      const reason = params?.['reason'];
      this.#cancel(wireId, typeof reason === 'string' ? reason : undefined);
      pending.sink.lost({ kind: 'cancelled', origin: 'caller', message: 'The caller cancelled the request' });
      return;
    }
  }

  #ended(exit: ProcessExit): void {
    this.#waiting = undefined;
    this.#endings++;
    const pause =
      this.#endings < 2 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#endings - 2));
    this.#startAt = this.#now() + pause;
    if (this.#closed) return;
    this.#options.onNote?.(`ended: ${describe(exit)}`);
    this.#loseAll(exitFault(exit, this.#hasAnswered));
  }

  #loseAll(fault: FaultInit): void {
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const { sink } of lost) sink.lost(fault);
  }
}

function exitFault(exit: ProcessExit, hasAnswered: boolean): FaultInit {
  if (exit.reason?.startsWith('the command') === true) {
    return {
      kind: 'misconfigured',
      origin: 'gateway',
      executed: 'no',
      message: `The server could not be started: ${exit.reason}`,
    };
  }
  const message = `The server process ended before it answered (${describe(exit)})`;
  return hasAnswered
    ? { kind: 'disconnected', origin: 'upstream', message }
    : { kind: 'unavailable', origin: 'upstream', message };
}

function describe({ code, signal, reason }: ProcessExit): string {
  if (reason !== undefined) return reason;
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

function bytesOf(id: number): Buffer {
  return Buffer.from(String(id), 'latin1');
}

/** Taking line breaks out may have moved the id. */
function peekAgain(body: Buffer, seen: Peek): Peek {
  return body.includes(0x0a) || body.includes(0x0d) ? peek(oneLine(body)) : seen;
}

function withProgressToken(body: Buffer, token: number): Buffer {
  const message = parse(body);
  const meta = metaOf(message);
  if (meta !== undefined) meta['progressToken'] = token;
  return encode(message);
}

function addId(line: Buffer, id: Buffer): Buffer {
  const message = parse(line) as object;
  return encode({ ...message, id: parse(id) });
}
