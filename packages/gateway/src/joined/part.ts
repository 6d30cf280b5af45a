/** One upstream inside a joined conversation: opened when the client opens its own, asked when it is named. */
import { compose, type Failed } from '@mayday/policy';
import {
  encode,
  isBusy,
  type Lasting,
  type Limit,
  type Link,
  type Outgoing,
  peek,
  runsTask,
  type Sink,
  untilIdle,
  type Wire,
  type WireCall,
  type WireHandler,
  type WireOutcome,
} from '@mayday/relay';
import { isNews } from '../call/health.ts';
import { isForgotten } from '../call/own-session.ts';
import { OPENING_MS } from '../upstreams/connect.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { KeptLists } from './kept-lists.ts';
import type { PartList } from './lists.ts';
import { gaveUp, leftAlone, type Opened, requestOpening, startedBy, whileWanted } from './opening.ts';
import type { OwnWords } from './own-words.ts';
import { type Patience, whenOver } from './patience.ts';
import type { TaskNames } from './task-names.ts';

/** How long a server that is there may take to open a conversation: everybody who shares it waits until it has. */
const OPENING_URL_MS = 10_000;

/** One that was waited for long enough is given this long to have come. */
const A_MOMENT_MS = 50;

/** When it is tried again for a client that waits to be told. */
const AGAIN_MS = 10_000;

/** What a conversation is part of. */
interface PartOptions {
  /** It has come after somebody had stopped waiting for it. */
  readonly onLate: () => void;
  /** What its client asked for once and for all; nobody has where many without a session speak over it. */
  readonly lasting: Lasting | undefined;
  readonly words: OwnWords;
  readonly mark: string;
  readonly tasks: TaskNames;
}

/** One upstream's conversation. */
export class Part {
  readonly name: string;
  /** Tells it from others with the same server, before and after it. */
  readonly mark: string;
  /** What it may say to the client. */
  readonly words: OwnWords;
  /** By which ids callers know its tasks. */
  readonly tasks: TaskNames;
  /** Asks the upstream, with everything that stands around it. */
  readonly ask: WireHandler = (call) => this.#ask(call);
  readonly #link: Link;
  /** What a conversation that is opened again has to be told. A process is told by its link. */
  readonly #lasting: Lasting | undefined;
  #upstream: Upstream;
  #over: WireHandler;
  #ask: WireHandler;
  /** What it is asked just now. */
  #asked = 0;
  readonly #onLate: () => void;
  #opening: Outgoing | undefined;
  #opened: Promise<Opened> | undefined;
  #openingSince = 0;
  /** It has not answered the last opening: who waits for the next has waited long enough. */
  #wasSilent = false;
  #isOpen = false;
  #isClosed = false;
  /** What it was too late with. */
  readonly #lists: KeptLists = new KeptLists();
  #again: NodeJS.Timeout | undefined;
  /** It has not answered since it was asked together with others and exceeded all the time that they had for it. */
  #isSlow = false;
  /** It was late when a client came, and that was not held against it. */
  #wasForgiven = false;
  /** Nobody knew before that its server is late: it has another chance here, and here alone. */
  #isNewlyLate = false;

  constructor(upstream: Upstream, link: Link, { onLate, lasting, words, mark, tasks }: PartOptions) {
    this.name = upstream.name;
    this.mark = mark;
    this.words = words;
    this.tasks = tasks;
    this.#upstream = upstream;
    this.#link = link;
    this.#onLate = onLate;
    this.#lasting = lasting;
    this.#over = upstream.tasks.over(link, upstream.hear);
    this.#ask = this.#around(upstream);
  }

  /** Other settings of the same server. Of another server it knows nothing. */
  follow(upstream: Upstream): boolean {
    if (upstream.server !== this.#upstream.server) return false;
    this.#lists.forget();
    this.#upstream = upstream;
    this.#over = upstream.tasks.over(this.#link, upstream.hear);
    this.#ask = this.#around(upstream);
    return true;
  }

  #around({ inner }: Upstream): WireHandler {
    const ask = compose(inner, (call: WireCall) => this.#askOpen(call));
    return async (call) => {
      this.#asked += 1;
      try {
        return await ask(this.isProcess && this.#link.run === undefined ? { ...call, isStart: true } : call);
      } finally {
        this.#asked -= 1;
      }
    };
  }

  /** Is it not known yet that it fails so? */
  isNews(failed: Failed<Wire>): boolean {
    return isNews(this.#upstream.health, failed);
  }

  /** Words about it without secrets. */
  clean(text: string): string {
    return this.#upstream.clean(text);
  }

  /** Was this caller listed a tool of this name? */
  knows(call: WireCall, tool: string): boolean {
    return this.#upstream.hints.of(call, tool) !== undefined;
  }

  /** Does nobody wait for it any more? It has kept others waiting, here or where its server was opened before. */
  get isSlow(): boolean {
    if (this.#isSlow || this.#isOpen || this.#opening === undefined || this.#isNewlyLate) return this.#isSlow;
    return this.#upstream.late.opens;
  }

  set isSlow(isSlow: boolean) {
    this.#isSlow = isSlow;
    if (!isSlow) this.#wasForgiven = false;
  }

  /** The same, with what is asked of it now: its server was late with that, here or in another conversation. */
  isSlowWith(method: string): boolean {
    return this.isSlow || this.#upstream.late.with(method);
  }

  /** Others have waited for this in vain, or not. What it is asked while it is being opened says nothing about that. */
  noteLate(method: string, isLate: boolean): void {
    if (!isLate || !this.isPending) this.#upstream.late.note(method, isLate);
  }

  /** It was late for a client that has just come: it may be starting, and is waited for once more. */
  forgive(): void {
    if (this.#wasForgiven) return;
    this.#wasForgiven = true;
    this.#isSlow = false;
  }

  /** Is it to answer anything yet, be it to nobody in particular? That it is being opened is no use to anybody yet. */
  get isBusy(): boolean {
    return this.#asked > 0 || (!this.isPending && isBusy(this.#link));
  }

  /** Does it run a task that it gave this id? */
  runs(task: string): boolean {
    return runsTask(this.#link, task);
  }

  /** Is it being opened, without an answer so far? */
  get isPending(): boolean {
    return this.#opened !== undefined && !this.#isOpen;
  }

  /** Is its server a process of its own? */
  get isProcess(): boolean {
    return this.#upstream.settings.type === 'command';
  }

  /** Can nobody tell yet what becomes of it? It is being opened, or has said nothing since it was started. */
  get isComing(): boolean {
    return this.isPending || this.silence !== undefined;
  }

  /** Settles when it is open, or has failed to be; `undefined` where that is nobody's business here. */
  untilOpen(): Promise<unknown> | undefined {
    return this.#opened;
  }

  /** Is it a process that has not answered yet? It may have to be installed first. */
  get isStarting(): boolean {
    return this.isPending && this.isProcess;
  }

  /** How long a client that speaks to it alone waits until it is open. */
  get openTimeoutMs(): number {
    return this.#upstream.settings.openTimeoutMs;
  }

  /** Why it may never answer, while it runs. */
  get silence(): Link['silence'] {
    return this.#link.silence;
  }

  /** The client is about to open the conversation this way. */
  willOpen(initialize: Outgoing): void {
    this.#opening = initialize;
  }

  /** Opens the conversation the way the client opened it. A process that nobody can start is not started for that. */
  async open(initialize: Outgoing): Promise<Opened | undefined> {
    this.#opening = initialize;
    this.#opened = undefined;
    const { circuits, starts } = this.#upstream;
    const leave = this.isProcess ? circuits.admitStart() : undefined;
    if (leave?.admitted === false) return leftAlone(leave, starts?.why);
    let answer: Buffer | undefined;
    let opened: Opened | undefined;
    try {
      opened = await this.#open((said) => {
        answer = said;
      });
    } finally {
      leave?.settle(startedBy(opened));
    }
    return answer === undefined ? opened : { ok: true, answer };
  }

  /** The same, for somebody whose patience ends: `undefined` then. One that is late for the first time may be starting. */
  async openWithin(initialize: Outgoing, patience: Patience): Promise<Opened | undefined> {
    const opening = this.open(initialize);
    const opened = await new Promise<Opened | undefined>((resolve, reject) => {
      const settled = whenOver(patience, () => resolve(undefined));
      opening.then(resolve, reject).finally(settled);
    });
    if (opened === undefined && this.isPending) {
      this.#isNewlyLate = !this.#upstream.late.opens;
      this.#upstream.late.opens = true;
    }
    return opened;
  }

  /** Opens the conversation this way when it is first needed; at once for a client that waits to be told something. */
  openLater(initialize: Outgoing): void {
    this.#opening = initialize;
    if (this.#lasting?.isListening === true) void this.#open();
  }

  /** Its server has forgotten the conversation. */
  openAgain(): void {
    if (this.#isOpen) this.#forget(this.#opened);
  }

  /** Somebody has stopped waiting for it: when it comes, the client should know. */
  announceWhenOpen(): void {
    void this.#opened?.then((opened) => {
      if (opened.ok) this.#onLate();
      else if (opened.isSilent === true) this.#openSoon();
    });
  }

  /** The whole of a list that it was too late with, as it was at last. */
  keptList(method: string): PartList | undefined {
    return this.#lists.of(method);
  }

  /** The same for what it lists, where it is open and takes long for that: `list` asks for it, however long it takes. */
  announceWhenListed(method: string, wholeMs: number, list: () => Promise<PartList>): void {
    if (this.#lasting === undefined) return;
    void this.#lists.renew(method, wholeMs, list).then(({ isNew, isInTime }) => {
      if (isInTime) this.noteLate(method, false);
      if (isNew && !this.#isClosed) this.#onLate();
    });
  }

  /** Nobody else may ask for it before the client knows that it has come. */
  #openSoon(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#again);
    this.#again = setTimeout(() => {
      void this.#open();
      this.announceWhenOpen();
    }, AGAIN_MS).unref();
  }

  /** Passes a notification or an answer on. */
  send(message: Outgoing): void {
    const isHeard = this.#opening === undefined || this.#isOpen;
    if (isHeard || this.#upstream.tasks.isForAnother(this.#link, message)) this.#link.send(message);
  }

  /** Closes it when everything that it was asked is answered: nothing takes longer than its own limit. */
  async retire(): Promise<void> {
    if (this.isBusy) await untilIdle(() => !this.isBusy, Infinity);
    await this.close();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#again);
    return this.#link.close();
  }

  /**
   * What a server that has forgotten the conversation refused is asked again in a new one, if another attempt is left.
   * Whoever counts attempts above makes it: here it would be one that nobody there knows of.
   */
  async #askOpen(call: WireCall): Promise<WireOutcome> {
    if (this.#upstream.tasks.isElsewhere(this.#link, call)) return this.#over(call);
    const opening = this.#open();
    if (opening === undefined) return this.#over(call);
    const opened = await this.#waitFor(opening, call);
    const forget = this.#lasting?.see(call.body, call.peek);
    if (!opened.ok) return opened.outcome(call);
    const outcome = await this.#over(call);
    if (!isForgotten(outcome)) {
      if (!outcome.ok && outcome.answered === true) forget?.();
      return outcome;
    }
    this.#forget(opening);
    if (call.once === true || call.above?.attempt !== undefined) return outcome;
    if (call.progress.executed !== 'no') return outcome; // whether it may be repeated there is another question
    if (call.progress.attempts + 1 >= this.#upstream.settings.retry.attempts) return outcome;
    const reopening = this.#open();
    const again = reopening && (await this.#waitFor(reopening, call));
    if (again === undefined || !again.ok) return again?.outcome(call) ?? outcome;
    call.progress.attempts += 1; // it counts, wherever it is made
    return this.#over(call);
  }

  /** Of many that find a conversation gone, the first has it opened again for all of them. */
  #forget(opening: Promise<Opened> | undefined): void {
    if (this.#opened !== opening) return;
    this.#opened = undefined;
    this.#isOpen = false;
    this.#upstream.forgetTools();
    void this.#open();
    this.announceWhenOpen();
  }

  /**
   * An upstream that could not be opened is tried again when it is needed. What it says to an opening is heard once: it is not
   * kept for as long as the conversation lasts.
   */
  #open(hear?: (answer: Buffer) => void): Promise<Opened> | undefined {
    const opening = this.#opening;
    if (opening === undefined) return undefined;
    if (this.#opened === undefined && !this.#wasSilent) this.#openingSince = Date.now();
    this.#opened ??= this.#requestAgain(opening).then((opened) => {
      this.#wasSilent = !opened.ok && opened.isSilent === true;
      if (opened.ok) {
        this.#isOpen = true;
        this.#isSlow = false; // it was, because it was not open
        this.#upstream.late.opens = false;
        this.#link.send(INITIALIZED);
        this.#askAgain(opening);
        hear?.(opened.answer);
      } else this.#opened = undefined;
      return opened.ok ? OPEN : opened;
    });
    return this.#opened;
  }

  #askAgain({ revision, headers }: Outgoing): void {
    for (const body of this.#lasting?.again ?? [])
      this.#link.request({ body, peek: peek(body), revision, headers }, UNHEARD);
  }

  /** An opening that was swallowed is made again: nothing else was said yet, and everybody waits for it. */
  async #requestAgain(opening: Outgoing): Promise<Opened> {
    const times = this.isProcess ? 2 : OPENING_MS / OPENING_URL_MS;
    let opened = await this.#request(opening);
    for (let i = 1; i < times && !opened.ok && opened.isSilent === true && !this.#isClosed; i++)
      opened = await this.#request(opening);
    return opened;
  }

  #request(opening: Outgoing): Promise<Opened> {
    const { type, openTimeoutMs } = this.#upstream.settings;
    const limitMs =
      type === 'url' ? Math.min(OPENING_URL_MS, openTimeoutMs) : Math.max(OPENING_MS, openTimeoutMs);
    return requestOpening(opening, { link: this.#link, upstream: this.#upstream, limitMs });
  }

  /** Nobody waits longer than a client that speaks to it alone, counted from when it began to be opened. */
  #waitFor(opening: Promise<Opened>, call: WireCall): Promise<Opened> {
    const limit: Limit = { setting: 'open_timeout_ms', ms: this.openTimeoutMs };
    const leftMs = Math.max(A_MOMENT_MS, this.#openingSince + limit.ms - Date.now());
    return whileWanted(opening, call, { leftMs, gaveUp: () => gaveUp(this.name, limit, this.silence) });
  }
}

const OPEN: Opened = { ok: true, answer: Buffer.alloc(0) };

/** What became of it is seen when the next call is made. */
const UNHEARD: Sink = { answered: () => {}, related: () => {}, lost: () => {} };

const INITIALIZED_BODY: Buffer = encode({ jsonrpc: '2.0', method: 'notifications/initialized' });
const INITIALIZED: Outgoing = {
  body: INITIALIZED_BODY,
  peek: peek(INITIALIZED_BODY),
  revision: '2025-11-25',
};
