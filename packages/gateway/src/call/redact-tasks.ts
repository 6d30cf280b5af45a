/** A task that failed, or was given up, is a success of the protocol: its words are looked at all the same. */
import { redact } from '@mayday/core/redact';
import { after } from '@mayday/policy';
import { type Answer, decode, encode, isMembers, splitEvents, toEvent, type WirePolicy } from '@mayday/relay';

const TASK: Buffer = Buffer.from('"taskId"');

/** Takes secrets out of what tasks say about their failure; the rest passes as it came. */
export function redactTasks(): WirePolicy {
  return after((outcome) => {
    if (!outcome.ok || outcome.value.type !== 'answer' || outcome.value.isFailure === true) return outcome;
    if (!outcome.value.body.includes(TASK)) return outcome;
    return { ...outcome, value: mended(outcome.value) };
  });
}

function mended(answer: Answer): Answer {
  if (!answer.isStream) return { ...answer, body: safe(answer.body) };
  const events = splitEvents(answer.body).map(({ raw, data, id }) => {
    const said = safe(data);
    return said === data ? raw : toEvent(said, id);
  });
  return { ...answer, body: Buffer.concat(events) };
}

function safe(bytes: Buffer): Buffer {
  const message = decode(bytes);
  if (!isMembers(message) || !tellsOfFailure(message['result'])) return bytes;
  const { value, findings } = redact(message);
  return findings.length === 0 ? bytes : encode(value);
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
