/** A task is a success of the protocol: what it says of its work, and of its failure, is looked at all the same. */
import { mendTasks } from '@mayday/core/redact';
import { after } from '@mayday/policy';
import {
  type Answer,
  decode,
  encode,
  isMembers,
  type Members,
  namesTask,
  type WirePolicy,
} from '@mayday/relay';
import { withoutSecrets } from './mend.ts';
import { mendAnswer } from './mend-answer.ts';

/** Takes secrets out of what tasks say about their work and their failure; the rest passes as it came. */
export function redactTasks(): WirePolicy {
  return after((outcome) => {
    if (!outcome.ok || outcome.value.type !== 'answer' || outcome.value.isFailure === true) return outcome;
    const value = mendTaskWords(outcome.value, withoutSecrets);
    return value === outcome.value ? outcome : { ...outcome, value };
  });
}

/** The answer with the words of its tasks as `mend` leaves them. */
export function mendTaskWords(answer: Answer, mend: (message: Members) => Members): Answer {
  if (!namesTask(answer.body)) return answer;
  return mendAnswer(answer, (bytes) => {
    const message = decode(bytes);
    if (!isMembers(message)) return bytes;
    const result = mendTasks(message['result'], mend);
    return result === message['result'] ? bytes : encode({ ...message, result });
  });
}
