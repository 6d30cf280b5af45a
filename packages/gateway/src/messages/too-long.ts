/** A message that is too long to be read. */
import { Reply } from '@mayday/relay';
import { underId } from './given-answers.ts';
import { idOfRequest } from './id-of-request.ts';
import type { MessageDoorOptions } from './message-door-options.ts';
import { NOTHING_KNOWN } from './message-request.ts';
import type { Visits } from './visits.ts';

/** Its first bytes, its last, and how many it has. */
export interface TooLong {
  readonly start: Buffer;
  readonly end: Buffer;
  readonly size: number;
}

/** Turns it away, under its id where that can be found. */
export function turnAwayTooLong(
  { start, end, size }: TooLong,
  visits: Visits,
  { say, turnAway }: Pick<MessageDoorOptions, 'say' | 'turnAway'>,
): void {
  const id = idOfRequest(start.toString('utf8'), end.toString('utf8'));
  const reply = new Reply(
    visits.respond({
      onHead: () => undefined,
      onMessage: (said) => say(id === undefined ? said : underId(said, id)),
      onEnd: () => undefined,
    }),
  );
  const headers = { ...NOTHING_KNOWN.headers, 'content-length': String(size) };
  turnAway('too_large', reply, { ...NOTHING_KNOWN, headers });
}
