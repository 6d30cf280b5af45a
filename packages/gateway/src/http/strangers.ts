/** Calls of somebody who is not let in, where the document answers them as calls: in a result, under their id. */
import type { Dialect } from '@mayday/core';
import {
  type Entry,
  idOf,
  type Peek,
  peek,
  type RequestHead,
  type Revision,
  revisionOf,
} from '@mayday/relay';

/** A call whose sender is not let in. */
export interface StrangersCall {
  readonly id: string | number | null | undefined;
  readonly revision: Revision;
  /** A key came, in the form that the document names. */
  readonly wrongKey: boolean;
}

/** No more than this is read of somebody whom nobody knows. */
const MAX_BYTES = 65_536;

/**
 * Reads what somebody unknown has sent, where a document with no other form than its own has one for it; `refused` hears
 * which call it was, if it was one. `undefined` where nobody needs to read it to refuse it.
 */
export function hearStranger(
  { method, headers }: RequestHead,
  { closed, keyForm }: Dialect,
  refused: (call?: StrangersCall) => undefined,
): Entry | undefined {
  // One that comes in chunks has no length that anybody could know.
  const length = Number(headers['content-length'] ?? 0);
  if (closed !== true || method !== 'POST' || !(length <= MAX_BYTES)) return undefined;
  return {
    maxBodyBytes: MAX_BYTES,
    tooLarge: () => refused(),
    handle(body) {
      const seen: Peek = peek(body);
      if (seen.kind !== 'request' || seen.method !== 'tools/call') return refused();
      const wrongKey = keyForm?.test(headers.authorization ?? '') === true;
      return refused({ id: idOf(body, seen), revision: revisionOf(headers, { body, peek: seen }), wrongKey });
    },
  };
}
