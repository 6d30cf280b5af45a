/** What a process asks its client for the sake of a task: whoever waits for the result is asked, and the next when that one has gone. */
import { RELATED_TASK_KEY } from '@mayday/core/protocol';
import { addLast, decode, idOf, locate, type Peek, peek, setLast, textAt } from '@mayday/relay';

/** Beyond these the oldest are forgotten. */
const MAX_OPEN = 100;

/** Somebody who waits for the result of a task. */
export interface Waiter {
  readonly task: string;
  /** Is asked. */
  readonly ask: (question: Buffer) => void;
}

interface Question {
  readonly message: Buffer;
  readonly task: string;
}

/** The questions of one conversation that wait for an answer. */
export class TaskQuestions {
  readonly #open: Map<string, Question> = new Map();
  /** Those that several were asked are answered once. */
  readonly #settled: Set<string> = new Set();
  readonly #waiters: Set<Waiter> = new Set();

  /** A message of the process; `waitedFor`: whose result the request asks for that it belongs to. Is it a question about a task? */
  see(message: Buffer, waitedFor: string | undefined): boolean {
    const seen = peek(message);
    if (seen.method === 'notifications/cancelled') this.#withdraw(message, seen);
    if (seen.kind !== 'request') return false;
    const related = locate(message, seen.paramsStart, '_meta', RELATED_TASK_KEY, 'taskId');
    const task = (related && textAt(message, related)) ?? waitedFor;
    const key = keyOf(idOf(message, seen));
    this.#settled.delete(key);
    if (task === undefined) return false;
    setLast(this.#open, key, { message: Buffer.from(message), task }, MAX_OPEN);
    return true;
  }

  /** A client's answer: is it the first to this question? */
  takes(answer: Buffer, seen: Peek): boolean {
    const key = keyOf(idOf(answer, seen));
    if (this.#settled.has(key)) return false;
    if (this.#open.delete(key)) addLast(this.#settled, key, MAX_OPEN);
    return true;
  }

  /** Somebody waits, and is asked what others have not answered; gives how to stop that. */
  wait(waiter: Waiter): () => void {
    this.#waiters.add(waiter);
    this.#askAgain(waiter);
    return () => {
      this.#waiters.delete(waiter);
      for (const other of this.#waiters) if (other.task === waiter.task) this.#askAgain(other);
    };
  }

  /** Its process has ended, and its questions with it. */
  forget(): void {
    this.#open.clear();
    this.#settled.clear();
  }

  #askAgain({ task, ask }: Waiter): void {
    for (const question of this.#open.values()) if (question.task === task) ask(question.message);
  }

  #withdraw(message: Buffer, { paramsStart }: Peek): void {
    const range = locate(message, paramsStart, 'requestId');
    if (range !== undefined) this.#open.delete(keyOf(decode(message.subarray(range.start, range.end))));
  }
}

function keyOf(id: unknown): string {
  return JSON.stringify(id ?? null);
}
