/** Failures as they come: a stream of events for somebody who watches. */
import { setTimeout as pause } from 'node:timers/promises';
import { encode, type Reply, type ReplyHeaders, toEvent } from '@mayday/relay';
import type { JournalEntry } from '@mayday/store';
import { faultDocument } from './faults.ts';
import type { Followed } from './operation.ts';

const POLL_MS = 500;
const PAGE = 200;
/** Of an empty journal there is no last one: whatever comes is new. */
const BEGINNING = '0';
/** Whoever stands in between cuts what is silent for longer. */
const SILENCE_MS = 15_000;

/** How failures are told. */
interface FollowOptions {
  readonly headers: ReplyHeaders;
  /** Only the headers are asked for. */
  readonly isHead: boolean;
  readonly isClosing: () => boolean;
}

/** Tells of failures until the reader leaves or the gateway stops. A store that is away is asked again. */
export async function follow(
  reply: Reply,
  { faults, after, group }: Followed['follow'],
  { headers, isHead, isClosing }: FollowOptions,
): Promise<void> {
  // Rejects where the store cannot be asked now: nothing is sent by then.
  let last = after ?? (await faults.list({ limit: 1 }))[0]?.id ?? BEGINNING;
  reply.stream(headers);
  if (isHead) return reply.end();
  reply.event(Buffer.from(': failures follow\n\n'));
  let heardAt = performance.now();
  let caughtUp = (): void => undefined;
  reply.onDrain(() => caughtUp());
  while (!reply.isDone && !isClosing()) {
    const found = await newer(faults, last, group);
    let isRead = true;
    for (const entry of found) isRead = reply.event(toEvent(encode(faultDocument(entry)), entry.id));
    last = found.at(-1)?.id ?? last;
    const now = performance.now();
    if (found.length > 0) heardAt = now;
    else if (now - heardAt >= SILENCE_MS) {
      isRead = reply.event(Buffer.from(':\n\n'));
      heardAt = now;
    }
    if (!isRead && !reply.isDone)
      await new Promise<void>((resolve) => {
        caughtUp = resolve;
      });
    // Also where there is more: a store in a file and a quick reader leave nobody else a turn.
    await pause(found.length < PAGE ? POLL_MS : 0, undefined, { ref: false });
  }
  reply.end();
}

async function newer(
  faults: Followed['follow']['faults'],
  after: string,
  fingerprint: string | undefined,
): Promise<readonly JournalEntry[]> {
  try {
    return await faults.list({ after, fingerprint, limit: PAGE });
  } catch {
    return []; // the store is away, which the status tells
  }
}
