/** An answer that is a success, with something else in place of what its messages say. */
import { type Answer, splitEvents, toEvent } from '@mayday/relay';

/** The answer with each of its messages as `mend` leaves it; one that stays the same stays the bytes that came. */
export function mendAnswer(answer: Answer, mend: (message: Buffer) => Buffer): Answer {
  if (!answer.isStream) return { ...answer, body: mend(answer.body) };
  const events = splitEvents(answer.body).map(({ raw, data, id }) => {
    const said = mend(data);
    return said === data ? raw : toEvent(said, id);
  });
  return { ...answer, body: Buffer.concat(events) };
}
