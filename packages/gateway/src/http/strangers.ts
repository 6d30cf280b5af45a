/** What is said by those who are not let in: it is read as far as the answer to it depends on it. */
import type { Dialect } from '@mayday/core';
import { ATTEMPT_KEY, EXECUTED_KEY, IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import {
  decode,
  type Entry,
  idOf,
  isMembers,
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

/** What was heard of somebody who is not let in. */
export interface Heard {
  /** The call that it is. */
  readonly call?: StrangersCall | undefined;
  /** It may repeat a call that was made under its key; whose key that is, nobody has found out. */
  readonly isDoubtful: boolean;
}

/** No more than this is read of somebody whom nobody knows. */
const MAX_BYTES = 65_536;

/**
 * Reads what somebody has sent who is refused whatever it is, so that nobody is told of a call that may have been made
 * that it was not; `refuse` is told what was heard. Everybody is heard alike, whoever has which key.
 */
export function hearOut(
  { method, headers }: RequestHead,
  { keyForm }: Pick<Dialect, 'keyForm'>,
  refuse: (heard: Heard) => undefined,
): Entry | undefined {
  if (method !== 'POST') return refuse({ isDoubtful: false });
  // One that comes in chunks has no length that anybody could know.
  const length = Number(headers['content-length'] ?? 0);
  if (!(length <= MAX_BYTES)) return refuse({ isDoubtful: true });
  return {
    maxBodyBytes: MAX_BYTES,
    tooLarge: () => refuse({ isDoubtful: true }),
    handle(body) {
      const seen: Peek = peek(body);
      const isDoubtful = mayRepeatMade(body);
      if (seen.kind !== 'request' || seen.method !== 'tools/call') return refuse({ isDoubtful });
      const wrongKey = keyForm?.test(headers.authorization ?? '') === true;
      const revision = revisionOf(headers, { body, peek: seen });
      return refuse({ call: { id: idOf(body, seen), revision, wrongKey }, isDoubtful });
    },
  };
}

/** Does it carry a key? Whoever counts attempts knows of those before this one, and says so. */
function mayRepeatMade(body: Buffer): boolean {
  if (!body.includes(IDEMPOTENCY_KEY)) return false;
  const meta = memberIn(memberIn(decode(body), 'params'), '_meta');
  if (['maybe', 'yes'].includes(memberIn(meta, EXECUTED_KEY) as string)) return true;
  return memberIn(meta, ATTEMPT_KEY) === undefined;
}

function memberIn(value: unknown, name: string): unknown {
  return isMembers(value) ? value[name] : undefined;
}
