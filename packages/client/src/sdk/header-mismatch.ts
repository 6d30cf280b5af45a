/** A server refuses a call whose header and argument disagree: the SDK mends that itself, if it is let. */
import type { Fault } from '@mayday/core';
import { isObject } from '../http/reply.ts';

/** The sentence of the SDK's own server, about a header and the argument that it should repeat. */
const DISAGREE =
  /^Bad Request: the request headers and body disagree: the (?:body|\S+ header) (?:carries|decodes to) [^;]*$/;

/** Is it a refusal, and no word about what was done before it? */
export function saysNothingElse({ executed, message }: Fault): boolean {
  return executed === 'no' || DISAGREE.test(message);
}

/** Is it this refusal, as the SDK throws it? */
export function isHeaderMismatch(thrown: unknown): boolean {
  return isObject(thrown) && thrown['code'] === -32020;
}
