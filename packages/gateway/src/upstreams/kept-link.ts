/** A conversation with a process that may be needed when its client has gone: for a task that it has begun. */
import {
  type Cancel,
  dropOldest,
  encode,
  idBytes,
  idOf,
  type Link,
  type LinkEvents,
  type Members,
  type Outgoing,
  peek,
  type Related,
  type Sink,
  withId,
} from '@mayday/relay';

/** A task, as far as it decides who is asked about it and how long its process is needed. */
export interface BegunTask {
  readonly link: KeptLink;
  /** The run of the process that has begun it. */
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

/** Questions that were passed on and wait for an answer; of more the oldest are forgotten. */
const MAX_QUESTIONS = 100;

/** Questions of other conversations get ids that no server gives, or whose answer is whose could not be told. */
let questions = 0;

/** One conversation. */
export class KeptLink implements Link {
  readonly #link: Link;
  readonly #ended: (link: KeptLink) => Promise<void>;
  /** What it has begun, by caller and id. */
  readonly tasks: Map<string, BegunTask> = new Map();
  /** What it is asked for other conversations just now. */
  asked = 0;
  /** Its client has gone. */
  isLeft = false;
  /** Who has asked what the client of this conversation was asked for another. */
  readonly #askers: Map<unknown, { readonly link: Link; readonly id: Buffer }> = new Map();

  /** `ended`: its client wants it no more. */
  constructor(
    events: LinkEvents,
    connect: (events: LinkEvents) => Link,
    ended: (link: KeptLink) => Promise<void>,
  ) {
    this.#ended = ended;
    this.#link = connect({ ...events, onMessage: (message) => this.#hear(message, events) });
  }

  get isBusy(): boolean {
    return this.#link.isBusy === true;
  }

  get told(): number | undefined {
    return this.#link.told;
  }

  get run(): object | undefined {
    return this.#link.run;
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
    return this.#link.request(message, sink);
  }

  send(message: Outgoing): void {
    const { body, peek: seen } = message;
    const asker = seen.kind === 'response' ? this.#askers.get(idOf(body, seen)) : undefined;
    if (asker === undefined) {
      this.#link.send(message);
      return;
    }
    this.#askers.delete(idOf(body, seen));
    const answer = withId(body, seen, asker.id);
    asker.link.send({ ...message, body: answer, peek: peek(answer) });
  }

  /** The same message of another conversation, as the client of this one gets it: its answer finds the way back. */
  askedFor(link: Link, related: Related): Related {
    const { data } = related;
    const seen = peek(data);
    if (seen.kind !== 'request') return related;
    const id = `mayday-task-${++questions}`;
    this.#askers.set(id, { link, id: idBytes(data, seen) });
    dropOldest(this.#askers, MAX_QUESTIONS);
    return { data: withId(data, seen, encode(id)), id: related.id };
  }

  /** Its client wants it no more. */
  close(): Promise<void> {
    return this.#ended(this);
  }

  /** Ends the process. */
  stop(): Promise<void> {
    return this.#link.close();
  }

  /** Whoever asks nobody is told so at once, and does not wait. */
  #hear(message: Buffer, { onMessage }: LinkEvents): void {
    const seen = peek(message);
    if (!this.isLeft) onMessage(message);
    else if (seen.kind === 'request') {
      const body = withId(NOBODY, peek(NOBODY), idBytes(message, seen));
      this.#link.send({ body, peek: peek(body), revision: '2025-11-25' });
    }
  }
}

function isOpen({ run, until, isTaken }: BegunTask, now: object, time: number): boolean {
  return run === now && !isTaken && until > time;
}

const NOBODY: Buffer = encode({
  jsonrpc: '2.0',
  id: 0,
  error: { code: -32601, message: 'The client that has started this task has gone' },
});
