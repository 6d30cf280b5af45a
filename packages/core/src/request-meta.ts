/**
 * What is wrong with the `_meta` of a request. Both SDKs drop such a request without a word, so that whoever sent it
 * waits for ever: whoever stands before them tells it.
 */
import type { FaultInit, Json } from './fault.ts';
import { isRecord } from './json.ts';
import { RELATED_TASK_KEY } from './protocol.ts';

const MAX_SHOWN = 200;

/** Why a request with this `_meta` cannot be taken; `undefined` when it can. */
export function badMeta(meta: unknown): FaultInit | undefined {
  if (meta === undefined) return undefined;
  if (!isRecord(meta)) return wrong([], 'must be an object');
  const { progressToken, [RELATED_TASK_KEY]: task } = meta;
  if (progressToken !== undefined && !isToken(progressToken)) return wrongToken(progressToken);
  if (task !== undefined && !(isRecord(task) && typeof task['taskId'] === 'string'))
    return wrong([RELATED_TASK_KEY], 'must be an object with a taskId');
  return undefined;
}

const REFUSED = { kind: 'invalid_arguments', origin: 'caller', executed: 'no' } as const;

function wrong(path: readonly string[], message: string): FaultInit {
  return { ...REFUSED, subject: { type: 'message' }, ...complaint(path, message) };
}

function wrongToken(token: unknown): FaultInit {
  return {
    ...REFUSED,
    subject: { type: 'progress_token' },
    ...complaint(['progressToken'], 'must be a string or a whole number'),
    details: { progressToken: shown(token) },
  };
}

/** The sentence, and the same as an issue, so that nobody who says both says it twice. */
function complaint(path: readonly string[], message: string): Pick<FaultInit, 'message' | 'issues'> {
  const whole = ['params', '_meta', ...path];
  return {
    message: `${whole.join('.')}: ${message}`,
    issues: [{ path: whole, message, code: 'invalid_type' }],
  };
}

/** What was sent, or its type where it is long: it goes back to whoever sent it. */
function shown(token: unknown): Json {
  const text = JSON.stringify(token);
  return text.length > MAX_SHOWN ? typeof token : (token as Json);
}

function isToken(value: unknown): boolean {
  return typeof value === 'string' || Number.isSafeInteger(value);
}
