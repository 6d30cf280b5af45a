/** A server refuses a call whose header and argument disagree: the SDK mends that itself, if it is let. */
import type { Fault } from '@mayday/core';
import { errorMessageIn, isObject, responseIn } from '../http/reply.ts';

/** The sentence of the SDK's own server, about a header and the argument that it should repeat. */
const DISAGREE =
  /^Bad Request: the request headers and body disagree: the (?:body|\S+ header) (?:carries|decodes to) [^;]*$/;

/** Is it a refusal, and no word about what was done before it? A tool may hand on what some other server has told it, under 200. */
export function saysNothingElse({ executed, message }: Fault, thrown: unknown): boolean {
  if (executed === 'no') return true;
  const { status, text = '' } = responseIn(thrown) ?? {};
  return status === 400 && isHeaderMismatch(errorMessageIn(text)) && DISAGREE.test(message);
}

/** Is it this refusal, as the SDK throws it? */
export function isHeaderMismatch(thrown: unknown): boolean {
  return isObject(thrown) && thrown['code'] === -32020;
}
