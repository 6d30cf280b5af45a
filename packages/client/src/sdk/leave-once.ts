/** The SDKs' transports send some requests again by themselves, after they have signed in. Some requests forbid it. */
import { FaultError, makeFault } from '@mayday/core';
import { noteOnce } from '../http/once-bodies.ts';
import { isObject } from '../http/reply.ts';
import type { SdkRequest } from './types.ts';

/** Where a request says that it is to be sent once. A symbol: it is copied along, and never written to the wire. */
const ONCE: unique symbol = Symbol('mayday.once');

/** The same request, which no transport sends twice. */
export function sentOnceOnly(request: SdkRequest): SdkRequest {
  const params: { readonly [key: string]: unknown } = { ...request.params, [ONCE]: true };
  return { ...request, params };
}

/** The same message; one that is to be sent once can be written once, however often it comes by here. */
export function leavingOnce(message: unknown): unknown {
  if (!isObject(message) || !isObject(message['params']) || !(ONCE in message['params'])) return message;
  if ('toJSON' in message) return message;
  let isWritten = false;
  const toJSON = (): unknown => {
    if (isWritten) throw refusal();
    isWritten = true;
    const plain = { ...message };
    noteOnce(JSON.stringify(plain)); // what sends it follows no redirect
    return plain;
  };
  return Object.defineProperty({ ...message }, 'toJSON', { value: toJSON });
}

function refusal(): FaultError {
  const message = 'Not sent again: the server asked to sign in, and the call is to be sent once at most';
  return new FaultError(
    makeFault({ kind: 'unauthenticated', origin: 'local', executed: 'maybe', retryable: false, message }),
  );
}
