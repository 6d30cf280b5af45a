/** One conversation in JSON-RPC, without a transport: requests in, answers out, and what the server asks in return. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type FaultError, fault } from '@mayday/core';
import { type Clock, systemClock } from '@mayday/policy';
import { isBadLine, readMessage } from '../messages.ts';
import type { Message, RequestId } from '../shapes.ts';
import { answerWith, refusing } from './sayable.ts';

/** Any members: what they hold is checked where they are used. */
export interface Members {
  readonly [key: string]: unknown;
}

/** A request of the client's. */
export interface Request {
  readonly id: RequestId;
  readonly method: string;
  readonly params: Members;
  /** What came with it; nothing on stdio. */
  readonly headers: IncomingHttpHeaders;
  /** Stops it: taken back by the client, or the conversation is over. Whoever answers may stop it too. */
  readonly controller: AbortController;
}

/** Something that gets no result. */
export interface Refused {
  /** What was thrown: by whoever answers, or a fault of ours about a message that is none. */
  readonly thrown: unknown;
  /** Whom to tell; `null` where nobody can know. */
  readonly id: RequestId | null;
  readonly method: string;
  /** The client took the request back. */
  readonly takenBack: boolean;
}

/** Puts a message on the wire, and says whether there is one; `related` is the client's request that it belongs to. */
export type Send = (message: object, related?: RequestId) => boolean;

/** Who answers, and how. */
export interface ConversationOptions {
  /** The result of a request. What is no JSON is refused like what is thrown. */
  answer(request: Request): object | Promise<object>;
  /** The whole answer to what has no result, in the server's own words; `undefined` says nothing. */
  refuse(refused: Refused): object | undefined;
  /** Takes a notification, `notifications/cancelled` aside. */
  notified(method: string, params: Members): void;
  readonly send: Send;
  readonly clock?: Clock | undefined;
}

/** A conversation. */
export interface Conversation {
  /** Takes a message, or a batch; gives the answer, if there is one to send. Never rejects. */
  receive(value: unknown, headers?: IncomingHttpHeaders): Promise<object | undefined>;
  /** False when nobody listens. */
  notify(method: string, params: object, related?: RequestId): boolean;
  /** Asks the client; rejects with `ClientError` or `ClientTimeout`. */
  ask(method: string, params: object, timeoutMs: number, related?: RequestId): Promise<unknown>;
  /** Stops everything that runs, for a reason of one word. */
  close(reason: string): void;
}

/** The most messages of a batch: each of them costs as much as one that comes alone, and all come at once. */
const MAX_BATCH = 100;

/** Why a request was stopped, in a word that may be sent. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** The client answered with an error. Its words are the client's and go no further. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: number;

  constructor(code: number) {
    super(`The client answered with error ${code}`);
    this.code = code;
  }
}

/** The client did not answer in time. */
export class ClientTimeout extends Error {
  override readonly name = 'ClientTimeout';
}

/** Begins a conversation. */
export function createConversation(options: ConversationOptions): Conversation {
  const running = new Map<RequestId, AbortController>();
  const questions = createQuestions(options);
  const refuseSafely = refusing((refused) => options.refuse(refused));

  async function receive(value: unknown, headers: IncomingHttpHeaders = {}): Promise<object | undefined> {
    if (!Array.isArray(value)) return one(value, headers);
    if (value.length === 0) return refuse(fault.invalidRequest('Empty batch'), null);
    if (value.length > MAX_BATCH)
      return refuse(fault.invalidRequest(`A batch holds at most ${MAX_BATCH} messages`), null);
    const answers = await Promise.all(value.map((item) => one(item, headers)));
    const said = answers.filter((answer) => answer !== undefined);
    return said.length === 0 ? undefined : said;
  }

  /** One message, also of a batch: what is wrong with it is nobody else's business. */
  async function one(value: unknown, headers: IncomingHttpHeaders): Promise<object | undefined> {
    const message = readMessage(value);
    if (isBadLine(message)) return refuse(message.thrown, message.id ?? null);
    const { id, method, params = {} } = message;
    if (method === undefined) questions.settle(message);
    else if (id !== undefined) return answer(id, method, params, headers);
    else if (method === 'notifications/cancelled') takeBack(params['requestId']);
    else notify(method, params);
    return undefined;
  }

  /** Nobody is told what becomes of a notification, not even that it failed. */
  function notify(method: string, params: Members): void {
    try {
      options.notified(method, params);
    } catch {
      return;
    }
  }

  async function answer(
    id: RequestId,
    method: string,
    params: Members,
    headers: IncomingHttpHeaders,
  ): Promise<object | undefined> {
    if (running.has(id)) return refuse(fault.invalidRequest('Request id is already in use'), id, method);
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const result = await options.answer({ id, method, params, headers, controller });
      return answerWith(id, result);
    } catch (thrown) {
      const takenBack = controller.signal.reason instanceof Cancelled;
      return refuseSafely({ thrown, id, method, takenBack });
    } finally {
      running.delete(id);
    }
  }

  function refuse(thrown: FaultError, id: RequestId | null, method = ''): object | undefined {
    return refuseSafely({ thrown, id, method, takenBack: false });
  }

  function takeBack(id: unknown): void {
    running.get(id as RequestId)?.abort(new Cancelled('user_requested'));
  }

  return {
    receive,
    notify: (method, params, related) => options.send({ jsonrpc: '2.0', method, params }, related),
    ask: questions.ask,
    close(reason) {
      for (const controller of running.values()) controller.abort(new Cancelled(reason));
    },
  };
}

/** What the server has asked, until it is answered. */
function createQuestions({ send, clock = systemClock }: ConversationOptions): {
  readonly ask: Conversation['ask'];
  settle(answer: Message): void;
} {
  const open = new Map<RequestId, { resolve(result: unknown): void; reject(reason: Error): void }>();
  return {
    async ask(method, params, timeoutMs, related) {
      // A client knows a question by its id alone, also where several processes ask in one session.
      const id = `server-${randomUUID()}`;
      let stop = (): void => {};
      const answer = new Promise<unknown>((resolve, reject) => {
        open.set(id, { resolve, reject });
        stop = clock.timer(timeoutMs, () => reject(new ClientTimeout(method)));
      });
      send({ jsonrpc: '2.0', id, method, params }, related);
      try {
        return await answer;
      } finally {
        stop();
        open.delete(id);
      }
    },
    /** An answer that nobody waits for is dropped. */
    settle({ id = '', result, error }) {
      if (error === undefined) open.get(id)?.resolve(result);
      else open.get(id)?.reject(new ClientError(typeof error?.code === 'number' ? error.code : 0));
    },
  };
}
