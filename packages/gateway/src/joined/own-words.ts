/** What one server of many may say to the client: nothing about what the client asked of another. */
import { addLast } from '@mayday/policy';
import { answerOfNobody, decode, encode, idOf, locate, peek, splice, textAt } from '@mayday/relay';
import type { ClientTasks } from './client-tasks.ts';
import { tag, tagOf } from './tags.ts';

/** The client, as one server of many may speak with it. */
export interface ClientSide {
  readonly tasks: ClientTasks;
  /** Many callers without a session share the conversation: none of them is the one that was asked. */
  readonly isMany: boolean;
  /** Answers the server in its place. */
  readonly reply: (answer: Buffer) => void;
}

/** Tokens that are remembered. The progress of a task is told long after its call was answered. */
const MAX_TOKENS = 1000;

/** Longer ones cannot be guessed, and are not remembered. */
const MAX_TOKEN = 100;

/** The words of one server. */
export class OwnWords {
  readonly #mark: string;
  readonly #note: (text: string) => void;
  readonly #client: ClientSide;
  readonly #tokens: Set<unknown> = new Set();

  constructor(mark: string, note: (text: string) => void, client: ClientSide) {
    this.#mark = mark;
    this.#note = note;
    this.#client = client;
  }

  /** The server is given this token, to tell of its progress. */
  give(token: unknown): void {
    if (token === undefined || isLong(token)) return;
    addLast(this.#tokens, token, MAX_TOKENS);
  }

  /** A message of the server as the client may hear it, its ids marked as its own; `undefined` when it may not. */
  own(message: Buffer): Buffer | undefined {
    const { method, kind, paramsStart } = peek(message);
    if (kind === 'request' && this.#client.isMany) {
      this.#client.reply(answerOfNobody(message));
      return undefined;
    }
    if (kind === 'request' && method.startsWith('tasks/')) return this.#aboutTask(message);
    if (kind !== 'notification') return tag(this.#mark, this.#tokenTagged(message, paramsStart));
    if (method === 'notifications/cancelled') return this.#cancelled(message, paramsStart);
    if (method !== 'notifications/progress') return message;
    const range = locate(message, paramsStart, 'progressToken');
    const token = range && decode(message.subarray(range.start, range.end));
    if (this.#tokens.has(token) || isLong(token)) return message;
    this.#note('told of progress that it was not asked for');
    return undefined;
  }

  /** It asks about a task of the client's, which may be the answer to another server. */
  #aboutTask(message: Buffer): Buffer | undefined {
    const { tasks, reply } = this.#client;
    const seen = peek(message);
    const id = idOf(message, seen);
    const isList = seen.method === 'tasks/list';
    const task = isList ? undefined : textAt(message, locate(message, seen.paramsStart, 'taskId'));
    if (isList) tasks.listed(tagOf(this.#mark, id));
    else if (!tasks.isOf(this.#mark, task)) {
      const error = { code: -32602, message: 'Task not found' };
      reply(encode({ jsonrpc: '2.0', id: id ?? null, error }));
      return undefined;
    }
    return tag(this.#mark, message);
  }

  /** Servers count their tokens alike: the client tells of its progress under one that says whose it is. */
  #tokenTagged(message: Buffer, paramsStart: number): Buffer {
    const range = paramsStart < 0 ? undefined : locate(message, paramsStart, '_meta', 'progressToken');
    if (range === undefined) return message;
    const token = decode(message.subarray(range.start, range.end));
    if (typeof token !== 'string' && typeof token !== 'number') return message;
    return splice(message, [range], encode(tagOf(this.#mark, token)));
  }

  /** It takes back a request of its own, which the client knows by another id. */
  #cancelled(message: Buffer, paramsStart: number): Buffer {
    const range = locate(message, paramsStart, 'requestId');
    if (range === undefined) return message;
    const id = encode(tagOf(this.#mark, decode(message.subarray(range.start, range.end))));
    return splice(message, [range], id);
  }
}

function isLong(token: unknown): boolean {
  return typeof token === 'string' && token.length > MAX_TOKEN;
}
