/** What goes out beside a call: its trace, its key, and what its server is told about its attempts. */
import type { Executed } from '@mayday/core';
import { type CallMeta, writeCallMeta } from '@mayday/core/plan';
import { CALL_KEY, EXECUTED_KEY, IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { isObject } from '../http/reply.ts';
import type { SdkRequest } from './types.ts';

/** The request with this in its `_meta`, beside what its author has put there. */
export function withMeta(request: SdkRequest, trace: { [key: string]: string }, told: CallMeta): SdkRequest {
  const params = request.params ?? {};
  const given = isObject(params['_meta']) ? params['_meta'] : {};
  const meta = writeCallMeta({ ...trace, ...given }, told);
  return Object.keys(meta).length === 0 ? request : { ...request, params: { ...params, _meta: meta } };
}

/**
 * The name of the call, by which whoever stands in between knows its attempts; the key, and whether a server that does not
 * know it may be looking at a repetition all the same. Of a key that was made here all calls are known; one that was given
 * may have been used before this process was there.
 */
export function keyMeta(
  { key: sent, isKeyMade }: { readonly key?: string | undefined; readonly isKeyMade?: boolean | undefined },
  earlier: Executed,
  call: string | undefined,
): { [key: string]: string } {
  const named = call === undefined ? {} : { [CALL_KEY]: call };
  if (sent === undefined) return named;
  const key = { [IDEMPOTENCY_KEY]: sent, ...named };
  const isKnown = isKeyMade === true && call !== undefined;
  return earlier === 'no' && !isKnown ? key : { ...key, [EXECUTED_KEY]: earlier };
}
