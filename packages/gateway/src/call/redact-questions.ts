/** An answer of 2026-07-28 that asks the caller for something is a question of the server: it is read by people. */
import { after } from '@mayday/policy';
import { decode, encode, isMembers, type Members, type WirePolicy } from '@mayday/relay';
import { mendParams } from './mend.ts';
import { mendAnswer } from './mend-answer.ts';

const QUESTION: Buffer = Buffer.from('"input_required"');

/** Takes secrets out of what servers ask for; every other answer passes as it came. */
export function redactQuestions(): WirePolicy {
  return after((outcome, call) => {
    if (call.revision !== '2026-07-28' || !outcome.ok || outcome.value.type !== 'answer') return outcome;
    return outcome.value.body.includes(QUESTION)
      ? { ...outcome, value: mendAnswer(outcome.value, safe) }
      : outcome;
  });
}

function safe(bytes: Buffer): Buffer {
  const message = decode(bytes);
  const result = isMembers(message) ? message['result'] : undefined;
  const asked =
    isMembers(result) && result['resultType'] === 'input_required' ? result['inputRequests'] : undefined;
  if (!isMembers(message) || !isMembers(result) || !isMembers(asked)) return bytes;
  const inputRequests = Object.fromEntries(
    Object.entries(asked).map(([name, request]) => [
      name,
      isMembers(request) ? mendRequest(request) : request,
    ]),
  );
  const isChanged = Object.entries(asked).some(([name, request]) => inputRequests[name] !== request);
  return isChanged ? encode({ ...message, result: { ...result, inputRequests } }) : bytes;
}

function mendRequest(request: Members): Members {
  if (!isMembers(request['params'])) return request;
  const params = mendParams(request['params']);
  return params === request['params'] ? request : { ...request, params };
}
