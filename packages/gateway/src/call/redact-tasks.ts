/** A task that failed, or was given up, is a success of the protocol: its words are looked at all the same. */
import { after } from '@mayday/policy';
import { type Answer, decode, encode, isMembers, type Members, type WirePolicy } from '@mayday/relay';
import { withoutSecrets } from './mend.ts';
import { mendAnswer } from './mend-answer.ts';

const TASK: Buffer = Buffer.from('"taskId"');

/** Takes secrets out of what tasks say about their failure; the rest passes as it came. */
export function redactTasks(): WirePolicy {
  return after((outcome) => {
    if (!outcome.ok || outcome.value.type !== 'answer' || outcome.value.isFailure === true) return outcome;
    const value = mendFailedTasks(outcome.value, withoutSecrets);
    return value === outcome.value ? outcome : { ...outcome, value };
  });
}

/** The answer with tasks that failed as `mend` leaves them; one that tells of none stays the bytes that came. */
export function mendFailedTasks(answer: Answer, mend: (message: Members) => Members): Answer {
  if (!answer.body.includes(TASK)) return answer;
  return mendAnswer(answer, (bytes) => {
    const message = decode(bytes);
    if (!isMembers(message) || !tellsOfFailure(message['result'])) return bytes;
    const kept = mend(message);
    return kept === message ? bytes : encode(kept);
  });
}

const DEEPEST = 4;

/** How a task ends that comes to nothing. */
const IN_VAIN: ReadonlySet<unknown> = new Set(['failed', 'cancelled']);

/** Is there a task in it that came to nothing, or a failing result of one? */
function tellsOfFailure(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false;
  if (isMembers(value) && value['isError'] === true) return true;
  if (isMembers(value) && 'taskId' in value && IN_VAIN.has(value['status'])) return true;
  return Object.values(value).some((member) => tellsOfFailure(member, depth + 1));
}
