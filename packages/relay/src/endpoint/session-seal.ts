/**
 * Sessions that a server behind the relay has opened belong to the caller they were opened for. Their ids carry a
 * seal that only that caller's requests fit, so that nothing has to be remembered, here or on another node.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Caller } from './call.ts';

const LENGTH = 24;

/** The id as the caller gets it. */
export function sealSession(id: string, caller: Caller, upstream: string): string {
  return caller.seal === undefined ? id : `${id}.${sealOf(id, caller.seal, upstream)}`;
}

/** The server's own id; `undefined` when it is not this caller's. */
export function openSession(sealed: string, caller: Caller, upstream: string): string | undefined {
  if (caller.seal === undefined) return sealed;
  const at = sealed.length - LENGTH - 1;
  if (at < 1 || sealed[at] !== '.') return undefined;
  const id = sealed.slice(0, at);
  const expected = Buffer.from(sealOf(id, caller.seal, upstream));
  const said = Buffer.from(sealed.slice(at + 1));
  return said.length === expected.length && timingSafeEqual(said, expected) ? id : undefined;
}

function sealOf(id: string, key: Buffer, upstream: string): string {
  return createHmac('sha256', key).update(`${upstream}\0${id}`).digest('base64url').slice(0, LENGTH);
}
