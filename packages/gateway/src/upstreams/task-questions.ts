/** What a server asks its client for the sake of a task, and tells of it: whoever waits for the result is asked, and the next when that one has gone. */
import { RELATED_TASK_KEY } from '@mayday/core/protocol';
import { addLast, setLast } from '@mayday/policy';
import { decode, encode, idOf, locate, type Peek, peek, textAt } from '@mayday/relay';

/** Beyond these the oldest are forgotten. */
const MAX_OPEN = 100;

/** Takes a question back from somebody who was asked. */
export type Withdraw = () => void;

/** Somebody who waits for the result of a task. */
export interface Waiter {
  readonly task: string;
  /** Whoever would be asked: of several who wait for the same client, one is. */
  readonly client: object;
  /** Can it be asked this? Whoever is asked all the same is told that it cannot be. */
  readonly canBeAsked: (method: string) => boolean;
  /** Is asked; gives how to take that back, nothing where it could not be. */
  readonly ask: (question: Buffer) => Withdraw | undefined;
  /** Hears how far the task is. */
  readonly tell: (progress: Buffer) => void;
}

/** That somebody was asked. */
interface Asked {
  readonly withdraw: Withdraw;
  /** Who waited; nobody where the question came by itself. */
  readonly waiter?: Waiter | undefined;
  /** It has come to somebody who reads, and need not be asked again. */
  readonly isRead: boolean;
}

interface Question {
  readonly message: Buffer;
  readonly task: string;
  readonly asked: Map<object, Asked>;
}

/** The questions of one conversation that wait for an answer. */
export class TaskQuestions {
  /** The client whose conversation it is: it hears itself what its server takes back. */
  readonly #own: object;
  readonly #open: Map<string, Question> = new Map();
  /** Those that several were asked are answered once. */
  readonly #settled: Set<string> = new Set();
  readonly #waiters: Set<Waiter> = new Set();

  constructor(own: object) {
    this.#own = own;
  }

  /** A message of the server; `waitedFor`: whose result the request asks for that it belongs to. Is it a question about a task? */
  see(message: Buffer, waitedFor: string | undefined): boolean {
    const seen = peek(message);
    if (seen.method === 'notifications/cancelled') this.#withdraw(message, seen);
    if (seen.kind !== 'request') return false;
    const related = locate(message, seen.paramsStart, '_meta', RELATED_TASK_KEY, 'taskId');
    const task = (related && textAt(message, related)) ?? waitedFor;
    const key = keyOf(idOf(message, seen));
    this.#settled.delete(key);
    if (task === undefined) return false;
    setLast(this.#open, key, { message: Buffer.from(message), task, asked: new Map() }, MAX_OPEN);
    return true;
  }

  /** A question has gone to a client. So it does to all who wait; where somebody reads it, the others who can be asked. */
  wasPut(message: Buffer, client: object, asked: Asked): void {
    const seen = peek(message);
    const question = this.#open.get(keyOf(idOf(message, seen)));
    if (question === undefined) return;
    note(question, client, asked);
    for (const waiter of this.#waiters)
      if (!asked.isRead || waiter.canBeAsked(seen.method)) this.#askAgain(waiter);
  }

  /** A client's answer: is it the first to this question? Then the others need not answer it. */
  takes(answer: Buffer, seen: Peek, client: object): boolean {
    const key = keyOf(idOf(answer, seen));
    if (this.#settled.has(key)) return false;
    const question = this.#open.get(key);
    if (question === undefined) return true;
    this.#open.delete(key);
    addLast(this.#settled, key, MAX_OPEN);
    takeBack(question, client);
    return true;
  }

  /** Somebody waits, and is asked what nobody has answered and its client was not asked; gives how to stop that. */
  wait(waiter: Waiter): () => void {
    this.#waiters.add(waiter);
    this.#askAgain(waiter);
    return () => {
      this.#waiters.delete(waiter);
      for (const { asked } of this.#open.values())
        if (asked.get(waiter.client)?.waiter === waiter) asked.delete(waiter.client);
      for (const other of this.#waiters) if (other.task === waiter.task) this.#askAgain(other);
    };
  }

  /** Tells how far a task is to all who wait for it, each client once; gives those who know it now. `told`: one who knows it already. */
  tell(task: string, progress: Buffer, told?: object): ReadonlySet<object> {
    const clients = new Set(told === undefined ? [] : [told]);
    for (const waiter of this.#waiters) {
      if (waiter.task !== task || clients.has(waiter.client)) continue;
      clients.add(waiter.client);
      waiter.tell(progress);
    }
    return clients;
  }

  /** For which task a question is. */
  taskOf(question: Buffer): string | undefined {
    return this.#open.get(keyOf(idOf(question, peek(question))))?.task;
  }

  /** A task was cancelled: nobody needs an answer for it. */
  end(task: string): void {
    for (const [key, question] of this.#open) {
      if (question.task !== task) continue;
      this.#open.delete(key);
      takeBack(question, undefined);
    }
  }

  /** Its server has ended, and its questions with it. */
  forget(): void {
    this.#open.clear();
    this.#settled.clear();
  }

  #askAgain(waiter: Waiter): void {
    const { task, client, ask } = waiter;
    for (const question of this.#open.values()) {
      if (question.task !== task || question.asked.get(client)?.isRead === true) continue;
      const withdraw = ask(question.message);
      if (withdraw !== undefined) note(question, client, { withdraw, waiter, isRead: true });
    }
  }

  #withdraw(message: Buffer, { paramsStart }: Peek): void {
    const range = locate(message, paramsStart, 'requestId');
    const key = range && keyOf(decode(message.subarray(range.start, range.end)));
    const question = key === undefined ? undefined : this.#open.get(key);
    if (key === undefined || question === undefined) return;
    this.#open.delete(key);
    takeBack(question, this.#own);
  }
}

/** Can a client be asked this that has declared these capabilities? */
export function canAsk(declared: ReadonlySet<string>, method: string): boolean {
  return method === 'ping' || declared.has(method.split('/')[0] ?? '');
}

/** That somebody need not answer this question any more. */
export function withdrawalOf(question: Buffer): Buffer {
  const requestId = idOf(question, peek(question));
  const params = { requestId, reason: 'No answer is needed any more' };
  return encode({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
}

/** Nobody has to see what was put to the same client in two ways. */
function note({ asked }: Question, client: object, now: Asked): void {
  const before = asked.get(client);
  const withdraw = (): void => {
    before?.withdraw();
    now.withdraw();
  };
  asked.set(client, before === undefined ? now : { ...now, withdraw });
}

function takeBack({ asked }: Question, except: object | undefined): void {
  for (const [client, { withdraw }] of asked) if (client !== except) withdraw();
}

function keyOf(id: unknown): string {
  return JSON.stringify(id ?? null);
}
