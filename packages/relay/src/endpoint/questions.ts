/**
 * What a server has asked a client and was not answered yet. A server that was started again counts from the beginning:
 * its question gets another id where an older one is still open, and the answer to the older one reaches nobody. A
 * "yes" is for the question it was given to.
 */
import { idOf, withId } from '../framing/ids.ts';
import { decode, encode } from '../framing/json.ts';
import { locate, splice } from '../framing/members.ts';
import { type Peek, peek } from '../framing/peek.ts';

/** Beyond these the oldest are forgotten. */
const MAX_OPEN = 1000;
const MAX_BYTES = 1024 * 1024;

/** A message for the client, and what it is told before. */
export interface Asked {
  readonly message: Buffer;
  /** The older question of the same id: nobody waits for its answer any more. */
  readonly withdrawn: Buffer | undefined;
}

/** An answer of the client, and what was seen of it. */
export interface Answered {
  readonly body: Buffer;
  readonly peek: Peek;
}

/** The questions of one conversation. */
export class Questions {
  /** By the id that the server knows: the one that the client knows. Both as JSON. */
  readonly #open: Map<string, string> = new Map();
  /** What the client was asked by servers that are gone. */
  readonly #withdrawn: Set<string> = new Set();
  #renamed = 0;

  /** A message of the server, on its way to the client. */
  toClient(message: Buffer): Asked {
    const seen = peek(message);
    if (seen.kind === 'request') return this.#asked(message, seen);
    const isWithdrawn = seen.kind === 'notification' && seen.method === 'notifications/cancelled';
    return { message: isWithdrawn ? this.#cancelled(message, seen) : message, withdrawn: undefined };
  }

  /** A client's answer, on its way to the server; `undefined` when it was asked by one that is gone. */
  toServer(answer: Answered): Answered | undefined {
    const { body, peek: seen } = answer;
    const said = JSON.stringify(idOf(body, seen) ?? null);
    if (this.#withdrawn.delete(said)) return undefined;
    for (const [own, known] of this.#open) {
      if (known !== said) continue;
      this.#open.delete(own);
      return own === known ? answer : looked(withId(body, seen, Buffer.from(own)));
    }
    return answer;
  }

  #asked(message: Buffer, seen: Peek): Asked {
    const own = JSON.stringify(idOf(message, seen) ?? null);
    const older = this.#open.get(own);
    this.#open.delete(own); // the newest stands last
    const known =
      older === undefined && !this.#withdrawn.has(own) ? own : JSON.stringify(`${own}#${++this.#renamed}`);
    this.#open.set(own, known);
    bound(this.#open);
    if (older !== undefined) this.#withdraw(older);
    return {
      message: known === own ? message : withId(message, seen, Buffer.from(known)),
      withdrawn: older === undefined ? undefined : withdrawal(older),
    };
  }

  /** The server itself does not want an answer any more. */
  #cancelled(message: Buffer, seen: Peek): Buffer {
    const range = locate(message, seen.paramsStart, 'requestId');
    if (range === undefined) return message;
    const own = JSON.stringify(decode(message.subarray(range.start, range.end)) ?? null);
    const known = this.#open.get(own);
    if (known === undefined) return message;
    this.#open.delete(own);
    this.#withdraw(known);
    return known === own ? message : splice(message, [range], Buffer.from(known));
  }

  #withdraw(known: string): void {
    this.#withdrawn.add(known);
    bound(this.#withdrawn);
  }
}

function looked(body: Buffer): Answered {
  return { body, peek: peek(body) };
}

function bound(kept: Map<string, string> | Set<string>): void {
  let bytes = 0;
  for (const [own, known] of kept.entries()) bytes += own.length + known.length;
  for (const [own, known] of kept.entries()) {
    if (kept.size <= MAX_OPEN && bytes <= MAX_BYTES) return;
    bytes -= own.length + known.length;
    kept.delete(own);
  }
}

function withdrawal(known: string): Buffer {
  const params = { requestId: JSON.parse(known) as string | number, reason: 'The server that asked is gone' };
  return encode({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
}
