/** A task that failed, or was given up, is a success of the protocol: its words are looked at all the same. */
import { after } from '@mayday/policy';
import { type Answer, decode, encode, isMembers, type Members, type WirePolicy } from '@mayday/relay';
import { withoutSecrets, withTaskNames } from './mend.ts';
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

/** The answer with what failed in it as `mend` leaves it; the rest stays as it came, also beside that in a list. */
export function mendFailedTasks(answer: Answer, mend: (message: Members) => Members): Answer {
  if (!answer.body.includes(TASK)) return answer;
  return mendAnswer(answer, (bytes) => {
    const message = decode(bytes);
    if (!isMembers(message)) return bytes;
    const result = mended(message['result'], mend);
    return result === message['result'] ? bytes : encode({ ...message, result });
  });
}

const DEEPEST = 4;

/** The same value where nothing in it has failed, or nothing of that has to go. */
function mended(value: unknown, mend: (failed: Members) => Members, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (isMembers(value) && hasFailed(value)) {
    const left = mend(value);
    return left === value ? value : withTaskNames(value, left);
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mended(item, mend, depth + 1));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const members = Object.entries(value).map(
    ([name, member]) => [name, mended(member, mend, depth + 1)] as const,
  );
  const isSame = members.every(([name, member]) => member === (value as Members)[name]);
  return isSame ? value : Object.fromEntries(members);
}

/** How a task ends that comes to nothing. */
const IN_VAIN: ReadonlySet<unknown> = new Set(['failed', 'cancelled']);

/** Is it a task that came to nothing, or a failing result, of a task or alone? */
function hasFailed(value: Members): boolean {
  if (value['isError'] === true) return true;
  if (!('taskId' in value)) return false;
  const { result } = value;
  return IN_VAIN.has(value['status']) || (isMembers(result) && result['isError'] === true);
}
