/**
 * A link to a server process. The process is started when it is first needed, and again when it ended, with
 * growing pauses; a conversation of 2025-11-25 is opened again the way the client opened it.
 */
import type { FaultInit } from '@mayday/core';
import { decode, encode } from '../framing/json.ts';
import { oneLine } from '../framing/lines.ts';
import { type Peek, peek } from '../framing/peek.ts';
import { wrongProtocol } from '../protocol/opening-answer.ts';
import { paramsOf } from '../protocol/params.ts';
import { barrier } from './barrier.ts';
import { changesNothing, Explanation } from './explanation.ts';
import { answersOpening, Handshake, isReplayAnswer } from './handshake.ts';
import { LastRun } from './last-run.ts';
import { isAnswerAgain, Lasting, unlessRefused } from './lasting.ts';
import type { Cancel, Link, LinkFault, Outgoing, Sink } from './link.ts';
import { NamelessErrors } from './nameless.ts';
import { createNotes, type Note } from './notes.ts';
import { OWN_QUESTION } from './own-opening.ts';
import { lose, type Pending, PendingRequests } from './pending.ts';
import { describeExit, exitFault, type ProcessExit } from './process-exit.ts';
import { NEVER_ANSWERED, QuietStart, unheard } from './quiet-start.ts';
import { Readers } from './readers.ts';
import {
  CANCELLED,
  CLOSED_EARLY,
  LINK_CLOSED,
  NOT_A_REQUEST,
  NOT_READING,
  notOpened,
  refuse,
  TOO_MANY,
  TOO_MANY_OF_ONE,
} from './refuse.ts';
import { Reopening, type Waiting } from './reopening.ts';
import { Restarts } from './restarts.ts';
import { ServerLines } from './server-lines.ts';
import { isConversational, NOT_OPENED_BY_ONE } from './shared-link.ts';
import { MAX_BACKLOG, SILENT_START_MS, STDIO_DEFAULTS, type StdioLinkOptions } from './stdio-options.ts';
import { bytesOf, type ServerProcess, type StartProcess, StdioProcess } from './stdio-process.ts';
import { NEVER_ASKED } from './stray.ts';
import { sentAs, toWire } from './wire-request.ts';

/** A link to a server process. */
export class StdioLink implements Link {
  readonly #options: StdioLinkOptions;
  readonly #shared: boolean;
  readonly #now: () => number;
  readonly #note: Note;
  readonly #pending: PendingRequests;
  readonly #handshake: Handshake;
  readonly #lasting: Lasting = new Lasting();
  readonly #restarts: Restarts = new Restarts();
  readonly #nameless: NamelessErrors = new NamelessErrors();
  readonly #readers: Readers;
  readonly #lines: ServerLines;
  #process: ServerProcess | undefined;
  #explanation: Explanation;
  #startedAt = 0;
  readonly #last: LastRun = new LastRun();
  #reopening: Reopening | undefined;
  #quiet: QuietStart | undefined;
  #restart: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: StdioLinkOptions) {
    this.#options = options;
    this.#shared = options.shared === true;
    this.#explanation = new Explanation(options);
    this.#handshake = new Handshake(options.opening);
    this.#now = options.now ?? Date.now;
    this.#note = createNotes(options.onNote, { now: this.#now });
    this.#pending = new PendingRequests((pending) => this.#readers.release(pending));
    this.#readers = new Readers({
      shared: this.#shared,
      note: this.#note,
      pause: () => this.#process?.pause(),
      resume: () => this.#process?.resume(),
    });
    this.#lines = new ServerLines({
      pending: this.#pending,
      nameless: this.#nameless,
      shared: this.#shared,
      tellsInAnyWords: options.isAddressed === true,
      note: this.#note,
      now: this.#now,
      onOwnAnswer: (line, seen) => this.#reopened(line, seen),
      onBroken: (id, wrong) => this.#brokenOpening(id, wrong),
      ofOpening: (wrong) => this.#explanation.ofOpening(wrong),
      onStray: (words) => this.#explanation.stray(words),
      onAnswered: (pending) => {
        this.#explanation.answered(pending);
        if (!pending.isInitialize) this.#restarts.worked();
      },
      onMessage: options.onMessage,
      onAsked: options.onAsked,
      onRelated: (pending, message) => this.#readers.give(pending, message),
      unfinished: () => this.#process?.unfinished?.(),
      reply: (message) => {
        if (this.#isReading()) this.#write(message);
      },
    });
  }

  /** The process id of the server, while it runs. */
  get pid(): number | undefined {
    return this.#isRunning ? this.#process?.pid : undefined;
  }

  /** Requests in flight. */
  get pending(): number {
    return this.#pending.size;
  }

  get #isRunning(): boolean {
    return this.#process?.exited === false;
  }

  get told(): number {
    return this.#lines.told;
  }

  get run(): object | undefined {
    return this.#isRunning && !this.#closed ? this.#process : undefined;
  }

  get silence(): Link['silence'] {
    return this.#isRunning ? this.#explanation.silence : undefined;
  }

  request(message: Outgoing, sink: Sink): Cancel {
    const refusal = this.#refusal(message);
    if (refusal !== undefined) return refuse(sink, refusal);
    const { pending, line } = toWire(
      message,
      this.#pending.nextId(),
      this.#remembering(message, sink),
      this.#shared,
    );
    this.#pending.add(pending);
    this.#write(line, pending);
    return (reason) => this.#cancel(pending, reason);
  }

  /** What one of many asks for must not last for the others. */
  #remembering({ body, peek }: Outgoing, sink: Sink): Sink {
    if (this.#shared) return sink;
    const opening = this.#handshake.see(body, peek);
    const lasting = this.#lasting.see(body, peek);
    return unlessRefused(sink, opening ?? lasting);
  }

  send(message: Outgoing): void {
    const { body, peek } = message;
    if (this.#closed || peek.kind === 'invalid') return;
    if (peek.method === 'notifications/cancelled') this.#forwardCancel(message);
    else if (!this.#shared || !isConversational(peek)) {
      if (!this.#shared) this.#handshake.see(body, peek);
      if (this.#isRunning && this.#isReading()) this.#write(oneLine(body));
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#restart);
    this.#quiet?.stop();
    this.#stopReopening();
    this.#loseAll(({ written }) => (written ? CLOSED_EARLY : LINK_CLOSED));
    await this.#process?.stop();
  }

  get #openTimeoutMs(): number {
    return this.#options.openTimeoutMs ?? STDIO_DEFAULTS.openTimeoutMs;
  }

  /** Why this request is not sent; starts the process if that is all it needs. */
  #refusal(message: Outgoing): LinkFault | undefined {
    const { caller, peek } = message;
    if (this.#closed) return LINK_CLOSED;
    if (peek.kind !== 'request') return NOT_A_REQUEST;
    if (this.#shared && peek.method === 'initialize') return NOT_OPENED_BY_ONE;
    const { maxPending = STDIO_DEFAULTS.maxPending, maxPendingPerCaller = Infinity } = this.#options;
    if (this.#pending.countOf(caller) >= maxPendingPerCaller) return TOO_MANY_OF_ONE;
    if (this.#pending.size >= maxPending) return TOO_MANY;
    if (this.#isRunning && (this.#reopening ?? this.#quiet)?.isLate === true)
      return notOpened(this.silence, this.#openTimeoutMs);
    if (this.#isRunning) return this.#isReading() ? undefined : NOT_READING;
    const wait = this.#restarts.waitMs(this.#now());
    if (wait > 0) return this.#last.startsLater(wait);
    this.#start(peek.method !== 'initialize', message);
    return undefined;
  }

  /** `again`: in the middle of a conversation, which is opened again first if there was one. */
  #start(again: boolean, first?: Outgoing): void {
    const maxMessageBytes = this.#options.maxMessageBytes ?? STDIO_DEFAULTS.maxMessageBytes;
    // What an earlier process left in its pipe is nobody's any more.
    const whileCurrent = (run: () => void): void => {
      if (this.#process === started) run();
    };
    const start: StartProcess = this.#options.start ?? ((options) => new StdioProcess(options));
    const started: ServerProcess = start({
      ...this.#options,
      maxMessageBytes,
      first: first && { headers: first.headers },
      onMessage: (line) =>
        whileCurrent(() => {
          this.#quiet?.wrote(line);
          this.#lines.receive(line);
        }),
      onBegun: (start) => whileCurrent(() => this.#lines.begun(start)),
      onTold: () => whileCurrent(() => this.#lines.toldOfWork()),
      onTooLong: (start) => whileCurrent(() => this.#lines.tooLong(start, bytesOf(maxMessageBytes))),
      onEndless: () => {
        this.#note('writes a line without end, and is ended');
        started.kill('it wrote a line without end');
      },
      onStderr: (line) => {
        whileCurrent(() => this.#explanation.complained(line));
        this.#options.onStderr?.(line);
      },
      onGone: () => whileCurrent(() => this.#closed || this.#lines.gone()),
      onExit: (exit) => whileCurrent(() => this.#ended(exit)),
    });
    this.#process = started;
    this.#nameless.forget();
    this.#pending.forgetGivenUp();
    this.#explanation = new Explanation(this.#options);
    this.#startedAt = this.#now();
    const { replay } = this.#handshake;
    const timeoutMs = this.#openTimeoutMs;
    const { startTimeoutMs: startMs } = this.#options;
    if (replay !== undefined && again) {
      const closing = replay.closing === undefined ? [] : [replay.closing];
      if (this.#options.opening === undefined) this.#explanation.told();
      this.#reopening = new Reopening([...closing, ...this.#lasting.again], timeoutMs, () =>
        this.#isLate(timeoutMs),
      );
      started.send(replay.opening, { headers: first?.headers, goesFirst: true });
    } else if (this.#last.isTriedNext) {
      this.#reopening = new Reopening([], timeoutMs / 2, () => this.#goOn(), true);
      started.send(OWN_QUESTION, { headers: first?.headers, goesFirst: true });
    }
    // What many share without a conversation is opened by nobody: whoever calls is told when it says nothing at all.
    if (this.#shared && replay === undefined && startMs !== undefined)
      this.#quiet = new QuietStart({
        process: started,
        isAsked: this.#last.isTriedNext,
        openMs: timeoutMs,
        startMs,
        giveUp: () => this.#loseAll(unheard(notOpened(this.silence, timeoutMs))),
      });
  }

  /** Nobody waits any longer for the conversation to be opened; the process may take its time, to be installed. */
  #isLate(waitedMs: number): void {
    const fault = notOpened(this.silence, waitedMs);
    const leftMs = Math.max(0, (this.#options.startTimeoutMs ?? 0) - waitedMs);
    const end = (): void => {
      this.#note('did not open the conversation again in time');
      this.#process?.kill(NEVER_ANSWERED);
    };
    for (const { pending } of this.#reopening?.extend(leftMs, end) ?? [])
      if (pending !== undefined && this.#pending.take(pending.wireId) !== undefined)
        lose(pending, fault, this.#note);
  }

  #isReading(): boolean {
    return (this.#process?.backlog ?? 0) < MAX_BACKLOG;
  }

  #write(line: Buffer, pending?: Pending): void {
    if (this.#reopening !== undefined) {
      this.#reopening.wait(line, pending);
      return;
    }
    if (pending !== undefined) {
      pending.written = true;
      this.#explanation.told();
      if (!pending.isInitialize) this.#explanation.asked(pending, this.#pending.size === 1);
    } else this.#nameless.notified(peek(line).method, this.#now());
    const about = sentAs(line, pending, (lost, why) => this.#lines.notTaken(lost, why));
    this.#process?.send(line, about);
  }

  /** The answer to an opening that was replayed: what has waited for it goes out. */
  #reopened(line: Buffer, seen: Peek): boolean {
    if (isAnswerAgain(line, seen)) {
      if (seen.hasError) this.#note('refused, after it was started again, what it had been asked before');
      return true;
    }
    const { after } = this.#reopening ?? {};
    if (after === undefined) return isReplayAnswer(line, seen); // it came late
    if (!answersOpening(line, seen)) {
      this.#note(NEVER_ASKED);
      return true;
    }
    // A server that knows nothing of openings works without one.
    if (seen.hasError && this.#options.opening === undefined && !this.#last.isTriedNext) {
      this.#note('refused to open the conversation again');
      this.#process?.kill('it refused to open the conversation again'); // and what waits is lost with it
      return true;
    }
    const wrong = seen.hasError ? undefined : wrongProtocol(line);
    const told = wrong && this.#explanation.ofOpening(wrong);
    this.#explanation.answered();
    if (told !== undefined) return this.#cannotOpen(told);
    for (const said of after) {
      this.#nameless.notified(peek(said).method, this.#now());
      this.#process?.send(said, { goesFirst: true });
    }
    this.#goOn();
    return true;
  }

  /** An answer that cannot be read is that of the opening, as long as nothing else was asked; unless it names another request. */
  #brokenOpening(id: number | undefined, wrong: FaultInit): boolean {
    if (this.#reopening === undefined || id !== undefined) return this.#reopening !== undefined;
    if (!this.#reopening.isQuestion) return this.#cannotOpen(wrong);
    this.#goOn();
    return true;
  }

  #cannotOpen(wrong: FaultInit): true {
    this.#last.opensNothing(wrong);
    this.#loseAll(() => wrong);
    this.#process?.kill('it does not speak JSON-RPC 2.0');
    return true;
  }

  /** What has waited goes out. */
  #goOn(): void {
    for (const { line, pending } of this.#stopReopening()) this.#write(line, pending);
  }

  #stopReopening(): readonly Waiting[] {
    const waiting = this.#reopening?.end() ?? [];
    this.#reopening = undefined;
    return waiting;
  }

  #cancel(pending: Pending, reason: string | undefined): ReturnType<Cancel> {
    if (this.#pending.take(pending.wireId) === undefined) return undefined;
    if (!pending.written || this.#process?.takeBack?.(pending.wireId) === true) {
      this.#reopening?.drop(pending);
      return 'unsent';
    }
    this.#pending.giveUp(pending.wireId);
    if (!this.#explanation.hasAnswered && this.#now() - this.#startedAt >= SILENT_START_MS) {
      this.#note('has not answered anything since it was started, and is ended');
      this.#process?.kill(NEVER_ANSWERED);
    } else if (!pending.isInitialize) {
      // The specification does not allow to cancel the opening.
      const params = { requestId: pending.wireId, reason };
      const line = encode({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
      // What it had to say about the call it has most likely said; the next error is not about this.
      if (pending.isInDoubt) {
        this.#nameless.named(peek(line).method);
        this.#process?.send(line);
      } else this.#write(line);
    }
    return undefined;
  }

  /** Among strangers a cancellation only means something inside the session that it came from. */
  #forwardCancel({ body, caller, session }: Outgoing): void {
    if (this.#shared && session === undefined) return;
    const { requestId, reason } = paramsOf(decode(body)) ?? {};
    const isMeant = (pending: Pending): boolean =>
      pending.idValue === requestId &&
      (!this.#shared || (pending.session === session && pending.caller === caller));
    const found = this.#pending.find(isMeant);
    if (found === undefined) return;
    this.#cancel(found, typeof reason === 'string' ? reason : undefined);
    lose(found, CANCELLED, this.#note);
  }

  #ended(exit: ProcessExit): void {
    this.#quiet?.stop();
    this.#stopReopening();
    this.#restarts.ended(this.#now());
    if (this.#closed) return;
    this.#lines.ended();
    this.#note(`ended: ${describeExit(exit)}`);
    barrier(
      () => this.#options.onExit?.(exit),
      (what) => this.#note(`its end could not be handled (${what})`),
    );
    const wrong = this.#last.ended(exit, this.#explanation);
    const start = this.#explanation.started;
    this.#loseAll(
      ({ written, isInitialize, method }) =>
        wrong ?? exitFault(exit, { written, isInitialize, isRead: changesNothing(method), start }),
    );
    if (this.#lasting.isListening) this.#startSoon();
  }

  /** Whoever has subscribed asks for nothing, and waits all the same. */
  #startSoon(): void {
    clearTimeout(this.#restart);
    this.#restart = setTimeout(() => {
      if (!this.#closed && !this.#isRunning) this.#start(true);
    }, this.#restarts.waitMs(this.#now())).unref();
  }

  #loseAll(fault: (pending: Pending) => LinkFault): void {
    for (const pending of this.#pending.takeAll()) lose(pending, fault(pending), this.#note);
  }
}
