/**
 * A task of 2026-07-28 holds what it has come to. A failure in it is the failure of the tool that began it: it is taken out,
 * goes the way of every other one, and is put back in the words that become of it.
 */
import { after } from '@mayday/policy';
import {
  type Answer,
  decode,
  encode,
  type Hear,
  isMembers,
  type Members,
  namesTask,
  refusedBy,
  splitEvents,
  type WireCall,
  type WirePolicy,
} from '@mayday/relay';

/** Finds the failures in tasks that are asked for. */
export function failedTasks(hear: Hear): WirePolicy {
  return after((outcome, call) => {
    if (call.method !== 'tasks/get' || call.revision !== '2026-07-28') return outcome;
    if (!outcome.ok || outcome.value.type !== 'answer' || !namesTask(outcome.value.body)) return outcome;
    const { headers, eventId } = outcome.value;
    const message = messageIn(outcome.value);
    const task = message?.['result'];
    if (!isMembers(task)) return outcome;
    const failure = failureIn(task);
    if (failure === undefined) return outcome;
    const said = { jsonrpc: '2.0', id: message?.['id'], ...failure };
    return refusedBy(
      call,
      { type: 'message', message: said, bytes: encode(said), status: 200, headers, eventId, within: task },
      hear,
    );
  });
}

/** The message that answers; in a stream it is the last. */
function messageIn({ body, isStream }: Answer): Members | undefined {
  const message = decode(isStream ? (splitEvents(body).at(-1)?.data ?? body) : body);
  return isMembers(message) ? message : undefined;
}

/** What a call would have been answered with whose task has ended so; `undefined` where it has not failed. */
function failureIn({ taskId, status, error, result }: Members): Members | undefined {
  if (typeof taskId !== 'string') return undefined;
  if (status === 'failed' && isMembers(error)) return { error };
  return status === 'completed' && isMembers(result) && result['isError'] === true ? { result } : undefined;
}

/**
 * The task with what became of its failure, under the id that its caller has for it. Where a document says it in a result,
 * the task has come to that result.
 */
export function inItsTask(call: WireCall, answer: Answer, task: Members): Answer {
  const { id, error, result } = decode(answer.body) as Members;
  const { error: _error, result: _result, ...rest } = task;
  const taskId = call.params()?.['taskId'] ?? task['taskId'];
  const end = error === undefined ? { status: 'completed', result } : { status: 'failed', error };
  const { 'retry-after': _wait, ...headers } = answer.headers;
  const body = encode({ jsonrpc: '2.0', id, result: { ...rest, taskId, ...end } });
  return { ...answer, body, status: 200, headers };
}
