/** What the question for the result of a task was answered with. */
import type { Fault } from '../fault.ts';
import { isVague } from '../vague.ts';

/**
 * Is an error, in answer to `tasks/result`, what the task has come to? Then it is what the call that began it would have
 * been answered, and final. It is not where it is about the question: a task that nobody knows, a server without tasks.
 */
export function isEndOfTask({ kind, subject, native, message }: Fault): boolean {
  const code = native?.code ?? 0;
  if (OF_REQUESTS.has(code))
    return OF_ARGUMENTS.test(message) || (code === INVALID_PARAMS && !isOfQuestion(message));
  return kind !== 'not_found' || (subject?.type !== 'task' && !NAMES_TASK.test(message));
}

/** Codes of JSON-RPC for a request that is not taken. */
const OF_REQUESTS: ReadonlySet<number | string> = new Set([-32700, -32600, -32601, -32602]);

/** What the SDKs say of a call whose arguments the schema of its tool does not take. */
const OF_ARGUMENTS = /\b(?:Input validation error|Invalid arguments? for tool)\b/i;

/** What the specification has for an unknown task; with words about anything else it is about the tool's arguments. */
const INVALID_PARAMS = -32602;

function isOfQuestion(message: string): boolean {
  return (
    /\btask/i.test(message) ||
    /^\W*invalid (?:params|parameters|request)\W*$/i.test(message) ||
    isVague(message)
  );
}

const NAMES_TASK = /\btasks?\b/i;
