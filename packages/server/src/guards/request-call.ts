/** A request, as the policies see it: the bridge between guards and `@mayday/policy`. */
import { FaultError } from '@mayday/core';
import { type Check, type Call as PolicyCall, type Refusal, startCall } from '@mayday/policy';
import type { Call } from '../call.ts';
import { markOpaque } from './opaque.ts';

/** A call of the policies' that knows which request it is. */
export interface RequestCall extends PolicyCall {
  readonly request: Call;
}

/** The call that a request makes. Here, the upstream is the server itself. */
export function callOf(request: Call, given: unknown = request.arguments): RequestCall {
  const { method, name, principal, scopes } = request;
  return startCall<RequestCall>({
    upstream: 'this server',
    method,
    target: name,
    caller: principal,
    scopes,
    arguments: given,
    request,
  });
}

/** What to throw for a refusal. */
export function thrownFor({ fault, opaque, reason }: Refusal): FaultError {
  const thrown = new FaultError(fault, reason === undefined ? undefined : { cause: new Error(reason) });
  return opaque === true ? markOpaque(thrown) : thrown;
}

/** Asks a check about a request, and throws what it has against it. Answers at once if the check does. */
export function enforce(
  check: Check<RequestCall>,
  request: Call,
  given: unknown = request.arguments,
): void | Promise<void> {
  const found = check(callOf(request, given));
  if (found instanceof Promise) return found.then(throwIfAny);
  throwIfAny(found);
}

/** Throws a refusal, if there is one. */
export function throwIfAny(refusal: Refusal | undefined): void {
  if (refusal !== undefined) throw thrownFor(refusal);
}
