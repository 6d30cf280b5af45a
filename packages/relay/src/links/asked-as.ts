/**
 * The id under which an HTTP server is asked. Clients count from 0 or 1, all of them: only an id that nobody else has used
 * tells the answer to this request from one that the server sends a second time, over a connection that is somebody
 * else's by then.
 */
import { type Concern, concernOf, isOfNoRequest, SUBSCRIPTION_KEY, toldIn } from '@mayday/core/protocol';
import { hasIdBytes, idBytes, idOf, withId } from '../framing/ids.ts';
import { decode } from '../framing/json.ts';
import { locate, splice } from '../framing/members.ts';
import { movedBy, type Peek, peek } from '../framing/peek.ts';
import { skipSpace } from '../framing/scan.ts';
import { isEventStream } from '../protocol/headers.ts';
import type { HttpHead } from './link.ts';

/** Processes that ask the same servers, each with its number from 1. */
interface Lanes {
  readonly worker: number;
  readonly count: number;
}

/** Some servers keep ids in 32 bits. */
const LARGEST_ID = 2 ** 31 - 1;

/**
 * Gives ids that nothing else has that takes them from here, and none of the other workers. Where it begins is left to
 * chance: another gateway that asks the same server is elsewhere.
 */
export function countIds(
  { worker, count }: Lanes = { worker: 1, count: 1 },
  random: () => number = Math.random,
): () => number {
  let next = worker + count * Math.floor((random() * LARGEST_ID) / 2 / count);
  return () => {
    const id = next;
    next = id > LARGEST_ID - count ? worker : id + count;
    return id;
  };
}

/** A message, and what was seen of it. */
interface Seen {
  readonly body: Buffer;
  readonly peek: Peek;
}

/** What came for a request. */
interface Judged {
  readonly concern: Concern;
  /** What of it the caller may be told: nothing of what may be for somebody else. */
  readonly told: Buffer;
}

const NOTHING: Buffer = Buffer.alloc(0);

/** One request, and the id that the server knows it by. */
export class AskedAs {
  /** The request as the server gets it. */
  readonly body: Buffer;
  /** What the server knows it by. */
  readonly id: string | number | undefined;
  readonly #callers: Buffer;
  /** The id that the server was given, as bytes. */
  readonly #servers: Buffer;
  readonly #isListening: boolean;
  /** Under which the server tells how the request goes on, as `tokenIn` gives it. */
  readonly token: string | undefined;

  /** Without an `own` id: as the caller named it. */
  constructor({ body, peek: seen }: Seen, own?: number) {
    this.#callers = idBytes(body, seen);
    this.#isListening = own !== undefined && seen.method === 'subscriptions/listen';
    this.id = own ?? idOf(body, seen);
    this.token = tokenOf(body, seen.deciding._meta?.start);
    this.#servers = own === undefined ? this.#callers : Buffer.from(String(own), 'latin1');
    this.body = own === undefined ? body : withId(body, seen, this.#servers);
  }

  /**
   * Is a response the answer to this request? Some servers answer what they could not read with an error without an id: over
   * HTTP it is clear whose that is. A result without one may be somebody else's.
   */
  isAnsweredBy(bytes: Buffer, seen: Peek): boolean {
    return this.#isNamedBy(bytes, seen) || (seen.hasError && isNameless(bytes, seen));
  }

  /** May a response that came elsewhere, under the id that `answeredId` gives, be the answer to this request? */
  mayBeAnsweredUnder(id: string | undefined): boolean {
    return id === undefined || id === String(this.id);
  }

  /** Does what answers it name no request? */
  isNameless(bytes: Buffer, seen: Peek): boolean {
    return !hasIdBytes(bytes, seen, this.#servers) && isNameless(bytes, seen);
  }

  /** What the body of an HTTP answer is to this request, and what of it may be told. */
  judge(body: Buffer, { headers }: Pick<HttpHead, 'headers'>): Judged {
    const text = body.toString();
    const isEvents = isEventStream(headers);
    const concern = concernOf(text, this.id, isEvents);
    if (concern === 'another') return { concern, told: NOTHING };
    const told = toldIn(text, isEvents);
    return { concern, told: told === text ? body : Buffer.from(told) };
  }

  /** What may be quoted of a body that is no answer, if anything. Nobody can say whose the members of a list are. */
  quoted(body: Buffer, head: Pick<HttpHead, 'headers'>): Buffer | undefined {
    const { concern, told } = this.judge(body, head);
    return concern === 'own' && !Array.isArray(decode(body)) ? told : undefined;
  }

  /** Some servers give a number back as text. */
  #isNamedBy(bytes: Buffer, seen: Peek): boolean {
    if (hasIdBytes(bytes, seen, this.#servers)) return true;
    const said = idOf(bytes, seen);
    return said !== undefined && String(said) === String(this.id);
  }

  /** An answer under the caller's id. */
  answer(bytes: Buffer, seen: Peek): Seen {
    if (hasIdBytes(bytes, seen, this.#callers)) return { body: bytes, peek: seen };
    const named = withId(bytes, seen, this.#callers);
    if (seen.idStart < 0) return { body: named, peek: peek(named) };
    const moved = movedBy(seen, seen.idEnd, named.length - bytes.length);
    return this.#isListening ? this.#renamed(named, moved, 'result') : { body: named, peek: moved };
  }

  /** What belongs to a subscription names the request that began it. */
  related(bytes: Buffer, seen: Peek): Buffer {
    return this.#isListening ? this.#renamed(bytes, seen, 'params').body : bytes;
  }

  #renamed(bytes: Buffer, seen: Peek, within: string): Seen {
    const range = locate(bytes, skipSpace(bytes, 0), within, '_meta', SUBSCRIPTION_KEY);
    const said = range && decode(bytes.subarray(range.start, range.end));
    if (range === undefined || String(said) !== String(this.id)) return { body: bytes, peek: seen };
    const body = splice(bytes, [range], this.#callers);
    return { body, peek: movedBy(seen, range.end, body.length - bytes.length) };
  }
}

/** The id that a response is under, read once for all who may have asked; `undefined`: whose it is, nobody can say. */
export function answeredId(bytes: Buffer, seen: Peek): string | undefined {
  return isNameless(bytes, seen) ? undefined : String(idOf(bytes, seen));
}

function isNameless(bytes: Buffer, seen: Peek): boolean {
  return isOfNoRequest(decode(idBytes(bytes, seen)));
}

/** The token of the request that a notification says it is about; some servers give a number back as text. */
export function tokenIn(bytes: Buffer, { paramsStart }: Peek): string | undefined {
  return tokenOf(bytes, paramsStart) ?? tokenOf(bytes, locate(bytes, paramsStart, '_meta')?.start);
}

function tokenOf(bytes: Buffer, start: number | undefined): string | undefined {
  const range = start === undefined ? undefined : locate(bytes, start, 'progressToken');
  const token = range && decode(bytes.subarray(range.start, range.end));
  return typeof token === 'string' || typeof token === 'number' ? String(token) : undefined;
}
