/** What the gateway says to requests that never reach an upstream. */
import { type FaultInit, makeFault, write } from '@mayday/core';
import { encode, type Reply, type ReplyHeaders, type TurnedAway } from '@mayday/relay';

/** A fault and the status it goes out with. */
export interface DoorFault {
  readonly status: number;
  readonly fault: FaultInit;
  readonly headers?: ReplyHeaders | undefined;
}

const OURS = { origin: 'gateway', executed: 'no' } as const;

/** What is said to those who are turned away before anybody looks where they want to go. */
export const TURNED_AWAY: { readonly [reason in TurnedAway]: DoorFault } = {
  host: {
    status: 403,
    fault: {
      ...OURS,
      kind: 'forbidden',
      subject: { type: 'header', id: 'Host' },
      message: 'This Host is not served here',
    },
  },
  origin: {
    status: 403,
    fault: {
      ...OURS,
      kind: 'forbidden',
      subject: { type: 'header', id: 'Origin' },
      message: 'Pages of this Origin may not call',
    },
  },
  too_large: {
    status: 413,
    fault: { ...OURS, kind: 'too_large', message: 'The request is larger than the gateway allows' },
  },
  bug: {
    status: 500,
    fault: {
      kind: 'internal',
      origin: 'gateway',
      executed: 'maybe',
      message: 'The gateway itself failed with this request',
    },
  },
};

/** Who are you? */
export const NO_KEY: DoorFault = {
  status: 401,
  fault: { ...OURS, kind: 'unauthenticated', message: 'A key of this gateway is needed' },
  headers: { 'www-authenticate': 'Bearer' },
};

/** Others are served. */
export const HOLDS_TOO_MUCH: DoorFault = {
  status: 429,
  fault: {
    ...OURS,
    kind: 'overloaded',
    message: 'Too many requests of this caller wait for their answer; send the next when one has come',
  },
  headers: { 'retry-after': '1' },
};

/** Not with this key. */
export const NOT_YOURS: DoorFault = {
  status: 403,
  fault: { ...OURS, kind: 'forbidden', message: 'This key is not for this endpoint' },
};

/** The gateway is about to stop. */
export const CLOSING: DoorFault = {
  status: 503,
  fault: {
    ...OURS,
    kind: 'unavailable',
    message: 'The gateway is about to stop',
    retry: { afterMs: 1000 },
  },
  headers: { connection: 'close', 'retry-after': '1' },
};

/** Not with this method. */
export function wrongMethod(allowed: readonly string[]): DoorFault {
  const names = allowed.join(', ');
  return {
    status: 405,
    fault: { ...OURS, kind: 'unsupported', message: `This method is not served here; use ${names}` },
    headers: { allow: names },
  };
}

/** Nothing is here. Where else to look is told to those who may look there. */
export function notServed(paths: readonly string[]): DoorFault {
  const where = paths.length === 0 ? '' : `; try ${paths.join(', ')}`;
  return {
    status: 404,
    fault: {
      ...OURS,
      kind: 'not_found',
      subject: { type: 'uri' },
      message: `Nothing is served here${where}`,
    },
  };
}

/** Says no. */
export function refuse(reply: Reply, { status, fault, headers }: DoorFault): void {
  const { wire } = write(makeFault(fault), 'mayday', { placement: 'protocol', method: '' });
  reply.json(status, encode(wire), headers);
}
