/** Answers that are successes, and how they leave. */
import type { Settings } from '../options.ts';
import type { Message } from '../shapes.ts';
import { withoutClaims } from './claims.ts';
import { safeQuestions } from './questions.ts';
import { dialectFor } from './render.ts';
import type { RequestState } from './request-state.ts';
import { marked } from './results.ts';
import { answersAsTool } from './task-requests.ts';
import { safeTask } from './told-tasks.ts';

/** Almost every answer: the author's handler came back with a success, and the SDK had nothing against it. */
export function isPlainSuccess(state: RequestState, message: Message): boolean {
  return (
    state.returned === 'success' &&
    state.passage === undefined &&
    message.result?.['isError'] === undefined &&
    message.error === undefined
  );
}

/** A plain success that nobody keeps, and that says nothing beside its result. */
export function leavesAsItIs(state: RequestState, message: Message): boolean {
  return isPlainSuccess(state, message) && !state.keyed && message.result?.['_meta'] === undefined;
}

/** The same answer; a tool's result that fails in a document's own form is marked, whoever made it. */
export function withMark(state: RequestState, message: Message): Message {
  const { result } = message;
  if (result === undefined || !answersAsTool(state.method)) return message;
  const said = marked(result);
  return said === result ? message : { ...message, result: said };
}

/** The SDK's own handlers of tasks are not wrapped, nor are those from before the guard; what they said is kept as it was. */
function withSafeTask(state: RequestState, message: Message, settings: Settings): Message {
  const isWrapped = state.returned !== undefined && !state.replayed;
  if (isWrapped || message.result === undefined) return message;
  const result = safeTask(state.method, message.result, { settings, dialect: dialectFor(state, settings) });
  return result === message.result
    ? message
    : { ...message, result: result as NonNullable<Message['result']> };
}

/** A success as it may leave. */
export function safeSuccess(state: RequestState, message: Message, settings: Settings): Message {
  if (state.returned === 'question') return safeQuestions(message, dialectFor(state, settings), state);
  return withoutClaims(withSafeTask(state, message, settings));
}
