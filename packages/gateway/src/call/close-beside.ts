/** In a closed document, what a server tells and asks beside its answers says no more than they may. */
import type { Dialect } from '@mayday/core';
import { toldIn } from '@mayday/core/forms';
import { type Failed, passing } from '@mayday/policy';
import {
  type Answer,
  decode,
  encode,
  isMembers,
  type Members,
  namesTask,
  type Related,
  type Visit,
  WatchedBack,
  type Wire,
  type WireCall,
  type WireHandler,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import { type DialectChoice, dialectFor } from './dialects.ts';
import { mend, withoutSecrets } from './mend.ts';
import { mendAnswer, mendQuestions } from './mend-answer.ts';
import { mendRequest } from './redact-questions.ts';

/** Takes out of it what the caller's dialect does not let cross, while a call runs. */
export function closeBeside(upstream: string, dialects: DialectChoice): WirePolicy {
  const dialectOf = (call: WireCall): Dialect => dialectFor(call, upstream, dialects);
  return passing({
    except: {
      applies: (call) => dialectOf(call).told !== undefined,
      policy: (next) => (call) => closing(call, next, dialectOf(call)),
    },
  });
}

async function closing(call: WireCall, next: WireHandler, dialect: Dialect): Promise<WireOutcome> {
  const { back } = call;
  const related = (message: Related): boolean => {
    const data = closed(mend(message.data), dialect); // it knows the places of secrets, not the secrets
    return back.related(data === message.data ? message : { ...message, data, raw: undefined });
  };
  const outcome = await next({ ...call, back: new WatchedBack(back, related) });
  if (!outcome.ok) return closedAround(outcome, dialect);
  if (outcome.value.type !== 'answer') return outcome;
  const value = mendQuestions(outcome.value, (asked) => closedQuestions(asked, dialect));
  return { ...outcome, value: closedTasks(value, call.method, dialect) };
}

/** The task that a failure stood in is told as any other. */
function closedAround(outcome: Failed<Wire>, dialect: Dialect): WireOutcome {
  const { value } = outcome;
  if (value?.type !== 'message' || value.within === undefined) return outcome;
  return { ...outcome, value: { ...value, within: closedTask(value.within, dialect) } };
}

/** The same at any other time, of what is without secrets already. */
export function closingFor(
  { request: { headers }, caller }: Visit,
  upstream: string,
  dialects: DialectChoice,
): (message: Buffer) => Buffer {
  const dialect = dialectFor({ headers, by: caller }, upstream, dialects);
  return (message) => closed(message, dialect);
}

/** The same for everybody, whoever listens: as the operator has chosen it for the server. */
export function closedAs(upstream: string, message: Buffer, { language, of }: DialectChoice): Buffer {
  return closed(message, language.dialect(of(upstream)));
}

/** What an answer says of tasks, one or a list of them, is told as it is beside answers. */
function closedTasks(answer: Answer, method: string, dialect: Dialect): Answer {
  if (!namesTask(answer.body)) return answer;
  const task = (said: unknown): unknown => (isMembers(said) ? closedTask(said, dialect) : said);
  return mendAnswer(answer, (bytes) => {
    const message = decode(bytes);
    const result = isMembers(message) ? message['result'] : undefined;
    if (!isMembers(message) || !isMembers(result)) return bytes;
    const isTask = method.startsWith('tasks/') || result['resultType'] === 'task';
    const kept: { [name: string]: unknown } = { ...(isTask ? (task(result) as Members) : result) };
    if (isMembers(kept['task'])) kept['task'] = task(kept['task']);
    if (Array.isArray(kept['tasks'])) kept['tasks'] = kept['tasks'].map(task);
    return encode({ ...message, result: kept });
  });
}

function closedTask(said: Members, dialect: Dialect): Members {
  if (typeof said['taskId'] !== 'string' || typeof said['status'] !== 'string') return said;
  const { inputRequests: asked } = said;
  const safe: { [name: string]: unknown } = { ...said };
  for (const name of ['statusMessage', 'error'])
    if (said[name] !== undefined) safe[name] = withoutSecrets(said[name]);
  if (isMembers(asked)) safe['inputRequests'] = closedQuestions(asked, dialect);
  return toldIn('notifications/tasks/status', safe, dialect);
}

/** What an answer asks for. */
function closedQuestions(asked: Members, dialect: Dialect): Members {
  const closely = Object.entries(asked).map(([name, request]) => {
    const safe = isMembers(request) ? mendRequest(request) : request;
    return [name, isMembers(safe) ? closedMessage(safe, dialect) : safe];
  });
  return Object.fromEntries(closely);
}

function closed(message: Buffer, dialect: Dialect): Buffer {
  if (dialect.told === undefined || message.length === 0) return message;
  const said = decode(message);
  const kept = isMembers(said) ? closedMessage(said, dialect) : said;
  return kept === said ? message : encode(kept);
}

function closedMessage(said: Members, dialect: Dialect): Members {
  const { method, params } = said;
  if (typeof method !== 'string' || !isMembers(params)) return said;
  const kept = toldIn(method, params, dialect);
  return kept === params ? said : { ...said, params: kept };
}
