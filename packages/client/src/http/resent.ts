/** Requests that the SDK may send again by itself, under the same id: to where a server has moved, or once it has signed in. */
import { setLast } from '@mayday/policy';
import type { Refusal } from './refusals.ts';
import type { RequestId } from './reply.ts';

/** What became of it before. */
interface Before {
  /** The same request has the same. */
  readonly body: unknown;
  readonly refusal: Refusal | undefined;
  /** It was sent on. */
  readonly isMove?: boolean;
}

/** Those of one transport. */
export interface Resent {
  note(id: RequestId, before: Before): void;
  /** Was this request sent before? From now on that is forgotten. */
  take(id: RequestId, body: unknown): Before | undefined;
}

/** Beyond these the oldest are forgotten: nobody has sent them again. */
const MAX_RESENT = 100;

/** None so far. */
export function createResent(): Resent {
  const before = new Map<RequestId, Before>();
  return {
    note: (id, one) => setLast(before, id, one, MAX_RESENT),
    take(id, body) {
      const one = before.get(id);
      before.delete(id);
      return one?.body === body ? one : undefined;
    },
  };
}
