/**
 * What is wrong with the `_meta` of a request. Both SDKs drop such a request without a word, so that whoever sent it
 * waits for ever: it has to be told before they see it.
 */
import { type FaultError, fault, type Json } from '@mayday/core';
import { RELATED_TASK_KEY } from '@mayday/core/protocol';

const MAX_SHOWN = 200;

/** Why the params of a request cannot be taken; `undefined` when they can. */
export function badMeta(params: { readonly [key: string]: unknown } | undefined): FaultError | undefined {
  const meta = params?.['_meta'];
  if (meta === undefined) return undefined;
  if (!isObject(meta)) return wrong([], 'must be an object');
  const { progressToken, [RELATED_TASK_KEY]: task } = meta;
  if (progressToken !== undefined && !isToken(progressToken)) return wrongToken(progressToken);
  if (task !== undefined && !(isObject(task) && typeof task['taskId'] === 'string'))
    return wrong([RELATED_TASK_KEY], 'must be an object with a taskId');
  return undefined;
}

function wrong(path: readonly string[], message: string): FaultError {
  const issues = [{ path: ['params', '_meta', ...path], message, code: 'type' }];
  return fault.invalidArguments(`The field ${['_meta', ...path].join('.')} ${message}`, { issues });
}

function wrongToken(token: unknown): FaultError {
  return fault.invalidArguments('The field _meta.progressToken must be a string or a whole number', {
    subject: { type: 'progress_token' },
    details: { progressToken: shown(token) },
  });
}

/** What was sent, or its type where it is long: it goes back to whoever sent it. */
function shown(token: unknown): Json {
  const text = JSON.stringify(token);
  return text.length > MAX_SHOWN ? typeof token : (token as Json);
}

function isToken(value: unknown): boolean {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
