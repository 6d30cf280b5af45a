/**
 * Sessions that a server behind the relay has opened belong to the caller they were opened for, and the events of its
 * streams to the session they were sent in. Their ids carry a seal that only that caller's requests fit, so that nothing
 * has to be remembered. Whoever knows the id of another's session cannot seal it for themselves: that takes a secret.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Caller } from './call.ts';

const LENGTH = 24;

/** Seals what one server has named, for whoever it was named to. */
export class Seals {
  readonly #upstream: string;
  readonly #secret: Buffer;

  constructor(upstream: string, secret: Buffer) {
    this.#upstream = upstream;
    this.#secret = secret;
  }

  /** The id of a session as the caller gets it. */
  session(id: string, caller: Caller): string {
    return this.#sealed(id, caller, []);
  }

  /** The server's own id; `undefined` when it is not this caller's. */
  openSession(said: string, caller: Caller): string | undefined {
    return this.#opened(said, caller, []);
  }

  /** The id of an event as the caller gets it, in a session as the server knows it, if in any. */
  event(id: string, caller: Caller, session: string | undefined): string {
    return this.#sealed(id, caller, [session ?? '']);
  }

  /** The server's own id, out of a header; `undefined` when the event was not sent to this caller in this session. */
  openEvent(said: string, caller: Caller, session: string | undefined): string | undefined {
    // Some clients write the id into the header as UTF-8, which is read here as one letter a byte.
    const asUtf8 = Buffer.from(said, 'latin1').toString('utf8');
    const isOwn = [said, asUtf8].some((id) => this.#opened(id, caller, [session ?? '']) !== undefined);
    if (!isOwn) return undefined;
    return caller.seal === undefined ? said : said.slice(0, -(LENGTH + 1));
  }

  #sealed(id: string, { seal }: Caller, within: readonly string[]): string {
    return seal === undefined ? id : `${id}.${this.#sealOf(seal, [...within, id])}`;
  }

  #opened(said: string, { seal }: Caller, within: readonly string[]): string | undefined {
    if (seal === undefined) return said;
    const at = said.length - LENGTH - 1;
    if (at < 1 || said[at] !== '.') return undefined;
    const id = said.slice(0, at);
    const expected = Buffer.from(this.#sealOf(seal, [...within, id]));
    const own = Buffer.from(said.slice(at + 1));
    return own.length === expected.length && timingSafeEqual(own, expected) ? id : undefined;
  }

  /** Neither a header nor the id of an event has a zero byte in it. */
  #sealOf(caller: Buffer, names: readonly string[]): string {
    const told = [caller.toString('hex'), this.#upstream, ...names].join('\0');
    return createHmac('sha256', this.#secret).update(told).digest('base64url').slice(0, LENGTH);
  }
}
