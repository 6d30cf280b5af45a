/** A conversation with a process, or a session with a server, that may be needed when its client has gone: for a task that it has begun. */
import { randomUUID } from 'node:crypto';
import { dropOldest } from '@mayday/policy';
import {
  answered,
  type Cancel,
  decode,
  encode,
  idBytes,
  idOf,
  isMembers,
  type Link,
  type LinkEvents,
  locate,
  type Members,
  type Outgoing,
  peek,
  type Related,
  type Sink,
  taskIn,
  textAt,
  type WireCall,
  type WireHandler,
  withId,
} from '@mayday/relay';
import { ownerOf } from '../call/owner.ts';
import type { WaitingClient } from '../workers/task-words.ts';
import type { Client, Runner } from './ask-waiting.ts';
import { RunTaskNames } from './run-task-names.ts';
import { canAsk, TaskQuestions, withdrawalOf } from './task-questions.ts';
import { TaskTokens } from './task-tokens.ts';

/** A task, as far as it decides who is asked about it and how long its process is needed. */
export interface BegunTask {
  readonly link: KeptLink;
  /** The run of the process, or the session, that has begun it. */
  readonly run: object | undefined;
  /** Whose it is, see `ownerOf`. */
  readonly owner: string;
  /** The session in which it was asked for. */
  readonly session: string | undefined;
  readonly revision: string;
  /** The last that was said of it, without its result. */
  told: Members;
  /** Nobody is taken to ask for it later than this. */
  until: number;
  /** There is nothing more to learn about it. */
  isTaken: boolean;
}

/** A call that was answered, and how. */
interface AnsweredCall {
  readonly message: Outgoing;
  readonly how: Parameters<Sink['answered']>[2];
}

/** Questions that were passed on and wait for an answer; of more the oldest are forgotten. */
const MAX_QUESTIONS = 100;

/** Questions of other conversations get ids that no server gives, or whose answer is whose could not be told. */
let questions = 0;

/** Who keeps it. */
interface Keeper {
  /** A call has begun this task; gives the id by which callers know it. */
  begun(call: WireCall, task: Members, link: KeptLink): string;
  /** Its client wants it no more. */
  ended(link: KeptLink): Promise<void>;
  /** What it is a conversation with. */
  readonly of: 'process' | 'session';
}

/** One conversation. */
export class KeptLink implements Link, Client, Runner {
  readonly #link: Link;
  readonly #keeper: Keeper;
  readonly #events: LinkEvents;
  /** The call that is being asked over it, until its request has come here. */
  #asking: WireCall | undefined;
  readonly #names: RunTaskNames = new RunTaskNames();
  readonly #tokens: TaskTokens = new TaskTokens();
  /** What its process has asked for its tasks, and who waits for them. */
  readonly questions: TaskQuestions = new TaskQuestions(this);
  #askedIn: object | undefined;
  /** The capabilities of its client; nobody has declared any where many share it. */
  #declared: ReadonlySet<string> = new Set();
  #key: string | undefined;
  /** The session that its server does not know any more. */
  #forgotten: object | undefined;
  /** What it has begun, by the id that callers know it by: of two that had the same one after the other, the newest. */
  readonly tasks: Map<string, BegunTask> = new Map();
  /** What it is asked for other conversations just now. */
  asked = 0;
  /** Its client has gone. */
  isLeft = false;
  /** Who has asked what the client of this conversation was asked for another. */
  readonly #askers: Map<unknown, { readonly runner: Runner; readonly id: Buffer }> = new Map();

  constructor(events: LinkEvents, connect: (events: LinkEvents) => Link, keeper: Keeper) {
    this.#keeper = keeper;
    this.#events = events;
    this.#link = connect({
      ...events,
      onMessage: (message) => this.#hear(message),
      onForgotten: () => {
        this.#forgotten = this.#link.run;
        events.onForgotten?.();
      },
    });
  }

  /** What it is a conversation with. */
  get of(): Keeper['of'] {
    return this.#keeper.of;
  }

  /** Asks this call over it: its request, which comes at once, belongs to it. */
  asking(call: WireCall, ask: WireHandler): ReturnType<WireHandler> {
    this.#asking = call;
    try {
      return ask(call);
    } finally {
      this.#asking = undefined;
    }
  }

  /** Has its client said that it can be asked this? */
  canBeAsked(method: string): boolean {
    return canAsk(this.#declared, method);
  }

  /** Its client, for another worker whose task it waits for. */
  get waiting(): WaitingClient {
    this.#key ??= randomUUID();
    return { key: this.#key, declared: [...this.#declared] };
  }

  /** Does its process have a task of this id that callers know by another? */
  isRenamed(task: string): boolean {
    return this.#names.isRenamed(this.run, task);
  }

  get isBusy(): boolean {
    return this.#link.isBusy === true;
  }

  get told(): number | undefined {
    return this.#link.told;
  }

  get run(): object | undefined {
    const { run } = this.#link;
    return run === this.#forgotten ? undefined : run;
  }

  get silence(): Link['silence'] {
    return this.#link.silence;
  }

  /** Does somebody need its process? */
  isNeeded(now: number): boolean {
    const { run } = this;
    if (run === undefined) return false;
    return this.asked > 0 || [...this.tasks.values()].some((task) => isOpen(task, run, now));
  }

  canGoOn(message: Outgoing): boolean {
    return this.#link.canGoOn?.(message) === true;
  }

  request(message: Outgoing, sink: Sink): Cancel {
    const { method } = message.peek;
    const call = this.#asking;
    if (method === 'initialize') this.#declared = declaredIn(message);
    const waitedFor = method === 'tasks/result' ? String(taskAsked(message)) : undefined;
    const { run } = this.#link;
    return this.#link.request(this.#names.inward(message), {
      ...sink,
      answered: (answer, head, how) => {
        // At once: what the process says next may be about the task.
        if (method === 'tools/call' && call !== undefined) this.#see(call, answer, { message, how });
        sink.answered(this.#names.outward(answer, method === 'tasks/list'), head, how);
      },
      related: (said) => {
        const { message: told, isKept } = this.#said(said, waitedFor);
        const isForThis = !isKept || this.questions.taskOf(told) === waitedFor;
        if (isForThis || this.canBeAsked(peek(told).method)) sink.related(told);
        else this.tell(told, true);
      },
      lost: (fault, original, head) => {
        if (fault.kind === 'expired' && fault.subject?.type === 'session') this.#forgotten = run;
        sink.lost(fault, original, head);
      },
    });
  }

  send(message: Outgoing): void {
    const { body, peek: seen } = message;
    const asker = seen.kind === 'response' ? this.#askers.get(idOf(body, seen)) : undefined;
    if (asker === undefined) {
      this.pass(message, this);
      return;
    }
    this.#askers.delete(idOf(body, seen));
    const answer = withId(body, seen, asker.id);
    asker.runner.pass({ ...message, body: answer, peek: peek(answer) }, this);
  }

  /** The task that a message of its process tells the progress of. */
  toldOf(message: Buffer): string | undefined {
    return this.#tokens.taskIn(this.run, message);
  }

  /** Was its client asked this for another conversation? */
  awaits({ body, peek: seen }: Outgoing): boolean {
    return seen.kind === 'response' && this.#askers.has(idOf(body, seen));
  }

  /** What a client says; of answers to the same question, the first. */
  pass(message: Outgoing, client: Client): void {
    const { body, peek: seen } = message;
    if (seen.kind !== 'response' || this.questions.takes(body, seen, client))
      this.#link.send(this.#names.inward(message));
  }

  /** The same message of another conversation, as the client of this one gets it: its answer finds the way back. */
  askedFor(runner: Runner, related: Related): Related {
    const { data } = related;
    const seen = peek(data);
    if (seen.kind !== 'request') return related;
    const id = `mayday-task-${++questions}`;
    this.#askers.set(id, { runner, id: idBytes(data, seen) });
    dropOldest(this.#askers, MAX_QUESTIONS);
    return { data: withId(data, seen, encode(id)), id: related.id };
  }

  /** Its client wants it no more. */
  close(): Promise<void> {
    return this.#keeper.ended(this);
  }

  /** Ends the process. */
  stop(): Promise<void> {
    return this.#link.close();
  }

  /** What its process says, as callers know its tasks. What it asks for one of them is remembered until it is answered. */
  #said(said: Buffer, waitedFor?: string): { readonly message: Buffer; readonly isKept: boolean } {
    if (this.#askedIn !== this.run) this.questions.forget();
    this.#askedIn = this.run;
    const message = this.#names.outward(said);
    return { message, isKept: this.questions.see(message, waitedFor) };
  }

  /** Has the call begun a task? */
  #see(call: WireCall, answer: Buffer, { message, how }: AnsweredCall): void {
    const begun = taskIn(answered({ body: answer, status: 200, headers: {}, isStream: false }));
    const own = begun?.['taskId'];
    if (begun === undefined || typeof own !== 'string') return;
    const task = this.#keeper.begun(call, begun, this);
    this.#names.set(this.run, own, task);
    if (how?.later === undefined) this.#tokens.began(this.run, message, { owner: ownerOf(call), task });
    else how.later(this.#telling(task));
  }

  /** Holds nothing of the call, which is over. */
  #telling(task: string): (progress: Buffer) => void {
    return (progress) => void this.questions.tell(task, this.#names.outward(progress));
  }

  #hear(said: Buffer): void {
    const { message, isKept } = this.#said(said);
    const task = this.toldOf(message);
    // Who waits hears it there, and not once more beside it.
    if (task === undefined || !this.questions.tell(task, message).has(this)) this.tell(message, isKept);
  }

  /**
   * What is said to the client whose conversation it is. Whoever asks nobody is told so at once, and does not wait; what a
   * task asks waits for whoever comes for its result, where that client has gone or has not said that it can be asked.
   */
  tell(message: Buffer, isKept: boolean): void {
    const seen = peek(message);
    if (!this.isLeft && !(isKept && !this.canBeAsked(seen.method))) {
      const isRead = this.#events.onMessage(message) === true;
      const withdraw = (): unknown => !this.isLeft && this.#events.onMessage(withdrawalOf(message));
      if (isKept) this.questions.wasPut(message, this, { withdraw, isRead });
    } else if (isKept) this.questions.wasPut(message, this, { withdraw: () => {}, isRead: false });
    else if (seen.kind === 'request') {
      const body = withId(NOBODY, peek(NOBODY), idBytes(message, seen));
      this.#link.send({ body, peek: peek(body), revision: '2025-11-25' });
    }
  }
}

function isOpen({ run, until, isTaken }: BegunTask, now: object, time: number): boolean {
  return run === now && !isTaken && until > time;
}

/** Which capabilities a client has declared. */
function declaredIn({ body, peek: seen }: Outgoing): ReadonlySet<string> {
  const range = locate(body, seen.paramsStart, 'capabilities');
  const declared = range && decode(body.subarray(range.start, range.end));
  return new Set(isMembers(declared) ? Object.keys(declared) : []);
}

function taskAsked({ body, peek: seen }: Outgoing): string | undefined {
  const range = locate(body, seen.paramsStart, 'taskId');
  return range && textAt(body, range);
}

const NOBODY: Buffer = encode({
  jsonrpc: '2.0',
  id: 0,
  error: { code: -32601, message: 'The client that has started this task has gone' },
});
