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
  type Reply,
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
  /** It did not come in time, and nobody waits for the rest of it. */
  readonly isCutShort?: boolean | undefined;
}

/** No more than this is read of somebody whom nobody knows. */
const MAX_BYTES = 65_536;

/** How many are heard at a time, and for how long. All doors of a process share it. */
export interface Hearing {
  /** Takes room for a body; `undefined` where so many are heard already that nobody waits for another. */
  take(bytes: number): (() => void) | undefined;
  /** How long a body may take to come. */
  readonly waitMs: number;
}

/** How much of them is held, all together. */
interface HearingLimits {
  readonly calls?: number | undefined;
  readonly bytes?: number | undefined;
  readonly waitMs?: number | undefined;
}

/** Nobody is heard yet. */
export function createHearing({
  calls = 256,
  bytes = 4 * 1024 * 1024,
  waitMs = 5000,
}: HearingLimits = {}): Hearing {
  const held = { calls: 0, bytes: 0 };
  return {
    waitMs,
    take(size) {
      if (held.calls >= calls || held.bytes + size > bytes) return undefined;
      held.calls += 1;
      held.bytes += size;
      return () => {
        held.calls -= 1;
        held.bytes -= size;
      };
    },
  };
}

/** Where somebody is heard. */
interface Audience {
  readonly reply: Reply;
  readonly hearing: Hearing;
}

/**
 * Reads what somebody has sent who is refused whatever it is, so that nobody is told of a call that may have been made
 * that it was not; `refuse` is told what was heard. Everybody is heard alike, whoever has which key. Who sends slowly, or
 * comes while many do, is refused before.
 */
export function hearOut(
  { method, headers }: RequestHead,
  { keyForm }: Pick<Dialect, 'keyForm'>,
  { reply, hearing }: Audience,
  refuse: (heard: Heard) => undefined,
): Entry | undefined {
  if (method !== 'POST') return refuse({ isDoubtful: false });
  const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
  if (length !== undefined && !(length <= MAX_BYTES)) return refuse({ isDoubtful: true });
  return {
    maxBodyBytes: MAX_BYTES,
    mayCome() {
      // One that comes in chunks has no length that anybody could know.
      const leave = hearing.take(length ?? MAX_BYTES);
      if (leave === undefined) {
        refuse({ isDoubtful: true });
        return false;
      }
      const late = setTimeout(() => {
        if (reply.isOpen) refuse({ isDoubtful: true, isCutShort: true });
      }, hearing.waitMs);
      reply.onClose(() => {
        clearTimeout(late);
        leave();
      });
      return true;
    },
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

/** What a body is searched for that is too large to be read. */
export const TELLING: readonly string[] = [IDEMPOTENCY_KEY, ATTEMPT_KEY, EXECUTED_KEY];

/** The same by the words that were found in it; by none where nobody has seen all of it. */
export function mayRepeatUnread(found: ReadonlySet<string> | undefined): boolean {
  if (found === undefined) return true;
  return found.has(IDEMPOTENCY_KEY) && (found.has(EXECUTED_KEY) || !found.has(ATTEMPT_KEY));
}

/** May it repeat a call that was made? Then it carries a key. Whoever counts attempts knows of those before this one, and says so. */
export function mayRepeatMade(body: Buffer): boolean {
  if (!body.includes(IDEMPOTENCY_KEY)) return false;
  const meta = memberIn(memberIn(decode(body), 'params'), '_meta');
  if (![undefined, null, 'no'].includes(memberIn(meta, EXECUTED_KEY) as string)) return true;
  return memberIn(meta, ATTEMPT_KEY) === undefined;
}

function memberIn(value: unknown, name: string): unknown {
  return isMembers(value) ? value[name] : undefined;
}
