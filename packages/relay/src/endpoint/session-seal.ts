/**
 * Sessions that a server behind the relay has opened belong to the caller they were opened for, and the events of its
 * streams to the session they were sent in. Their ids carry a seal that only that caller's requests fit, so that nothing
 * has to be remembered, here or on another node.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Caller } from './call.ts';

const LENGTH = 24;

/** The id as the caller gets it. */
export function sealSession(id: string, caller: Caller, upstream: string): string {
  return sealed(id, caller, sessionOf(upstream));
}

/** The server's own id; `undefined` when it is not this caller's. */
export function openSession(said: string, caller: Caller, upstream: string): string | undefined {
  return opened(said, caller, sessionOf(upstream));
}

/** Where an event was sent. */
export interface SentIn {
  readonly upstream: string;
  /** The session as the server knows it; absent where there is none. */
  readonly session: string | undefined;
}

/** The id of an event as the caller gets it. */
export function sealEvent(id: string, caller: Caller, sentIn: SentIn): string {
  return sealed(id, caller, eventOf(sentIn));
}

/** The server's own id, out of a header; `undefined` when the event was not sent to this caller in this session. */
export function openEvent(said: string, caller: Caller, sentIn: SentIn): string | undefined {
  // Some clients write the id into the header as UTF-8, which is read here as one letter a byte.
  const asUtf8 = Buffer.from(said, 'latin1').toString('utf8');
  const isOwn = [said, asUtf8].some((id) => opened(id, caller, eventOf(sentIn)) !== undefined);
  if (!isOwn) return undefined;
  return caller.seal === undefined ? said : said.slice(0, -(LENGTH + 1));
}

/** What is sealed, and where it is good. Neither a header nor the id of an event has a zero byte in it. */
type Told = (id: string) => string;

function sessionOf(upstream: string): Told {
  return (id) => `${upstream}\0${id}`;
}

function eventOf({ upstream, session = '' }: SentIn): Told {
  return (id) => `${upstream}\0${session}\0${id}`;
}

function sealed(id: string, { seal }: Caller, told: Told): string {
  return seal === undefined ? id : `${id}.${sealOf(told(id), seal)}`;
}

function opened(said: string, { seal }: Caller, told: Told): string | undefined {
  if (seal === undefined) return said;
  const at = said.length - LENGTH - 1;
  if (at < 1 || said[at] !== '.') return undefined;
  const id = said.slice(0, at);
  const expected = Buffer.from(sealOf(told(id), seal));
  const own = Buffer.from(said.slice(at + 1));
  return own.length === expected.length && timingSafeEqual(own, expected) ? id : undefined;
}

function sealOf(told: string, key: Buffer): string {
  return createHmac('sha256', key).update(told).digest('base64url').slice(0, LENGTH);
}
