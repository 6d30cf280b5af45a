/** What a server tells while it works: progress and log lines hold whatever its libraries said. */
import { redact } from '@mayday/core/redact';
import type { Settings } from '../options.ts';
import type { Message } from '../shapes.ts';
import { keptError } from './kept-error.ts';
import { safeResult } from './safe-result.ts';

/** The members of a notification that are words; the others are names and numbers that must stay. */
const WORDS: { readonly [method: string]: readonly string[] } = {
  'notifications/message': ['data', 'logger'],
  'notifications/progress': ['message'],
  'notifications/cancelled': ['reason'],
  'notifications/tasks/status': ['statusMessage'],
};

/** The same message without secrets; requests and other notifications are the author's own to send. */
export function safeNotification(message: Message): Message {
  const names = Object.hasOwn(WORDS, message.method ?? '') ? WORDS[message.method as string] : undefined;
  const { params } = message;
  if (names === undefined || params === undefined) return message;
  const words = names.filter((name) => params[name] !== undefined).map((name) => [name, params[name]]);
  const said = plain(Object.fromEntries(words));
  const { value, findings } = redact(said);
  return findings.length === 0 ? message : { ...message, params: { ...params, ...value } };
}

/** An answer to a request that came before the guard did: nothing is known about it but what it says. */
export function safeStray(message: Message, settings: Settings): Message {
  if (message.error !== undefined) return keptError(message);
  return message.result?.['isError'] === true
    ? { ...message, result: safeResult(message.result, settings) }
    : message;
}

/** A task that failed says why in a result that is itself a success. */
export function safeTask(method: string, result: object): object {
  const { statusMessage } = result as { readonly statusMessage?: unknown };
  if (!method.startsWith('tasks/') || typeof statusMessage !== 'string') return result;
  return { ...result, statusMessage: redact(statusMessage).value };
}

/** What would be sent: `toJSON` and boxed strings are asked now, before redaction. */
function plain(words: { [name: string]: unknown }): { [name: string]: unknown } {
  try {
    return JSON.parse(JSON.stringify(words)) as { [name: string]: unknown };
  } catch {
    return {}; // it cannot be sent either, and the transport will say so
  }
}
