/** An answer that is a success, with something else in place of what its messages say. */
import { type Answer, decode, encode, isMembers, type Members, splitEvents, toEvent } from '@mayday/relay';

/** The answer with each of its messages as `mend` leaves it; one that stays the same stays the bytes that came. */
export function mendAnswer(answer: Answer, mend: (message: Buffer) => Buffer): Answer {
  if (!answer.isStream) return { ...answer, body: mend(answer.body) };
  const events = splitEvents(answer.body).map(({ raw, data, id }) => {
    const said = mend(data);
    return said === data ? raw : toEvent(said, id);
  });
  return { ...answer, body: Buffer.concat(events) };
}

const QUESTION: Buffer = Buffer.from('"input_required"');

/** May it ask its caller for something? */
export function asksForMore({ body }: Answer): boolean {
  return body.includes(QUESTION);
}

/**
 * The answer with what it asks for as `mend` leaves it; one that asks for nothing, or stays the same, stays the bytes that
 * came. Its `requestState` comes back to the letter.
 */
export function mendQuestions(answer: Answer, mend: (asked: Members) => Members): Answer {
  if (!asksForMore(answer)) return answer;
  return mendAnswer(answer, (bytes) => {
    const message = decode(bytes);
    const result = isMembers(message) ? message['result'] : undefined;
    const asked =
      isMembers(result) && result['resultType'] === 'input_required' ? result['inputRequests'] : undefined;
    if (!isMembers(message) || !isMembers(result) || !isMembers(asked)) return bytes;
    const inputRequests = mend(asked);
    return inputRequests === asked ? bytes : encode({ ...message, result: { ...result, inputRequests } });
  });
}
