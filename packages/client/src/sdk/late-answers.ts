/** Answers that come although the server has refused to take their request: whoever would make it again is told first. */
import { isObject } from '../http/reply.ts';
import type { SdkRequest } from './types.ts';

/** Hears the result of a request that was refused. */
export type HearLate = (result: unknown) => void;

/** Where a request says who hears it. A symbol: it is copied along with the parameters, and never written to the wire. */
const LATE: unique symbol = Symbol('mayday.late');

/** The same request, whose result `hear` gets should it come late. */
export function hearingLate(request: SdkRequest, hear: HearLate): SdkRequest {
  const params: { readonly [key: string]: unknown } = { ...request.params, [LATE]: hear };
  return { ...request, params };
}

/** Who hears it. */
export function lateOf(message: unknown): HearLate | undefined {
  const params = isObject(message) ? message['params'] : undefined;
  return isObject(params) ? (params as { [LATE]?: HearLate })[LATE] : undefined;
}
