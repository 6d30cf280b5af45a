/** What a server tells while it works: progress and log lines hold whatever its libraries said. */
import type { Dialect } from '@mayday/core';
import { toldIn } from '@mayday/core/forms';
import { hidingTold, type RedactOptions, redact } from '@mayday/core/redact';
import type { Settings } from '../options.ts';
import type { Message, RequestId } from '../shapes.ts';
import { hidingSent } from '../words/sparing.ts';
import { keptError } from './kept-error.ts';
import { isQuestion, learnAsked, safeName, safeRequest } from './questions.ts';
import { marked } from './results.ts';
import { safeResult } from './safe-result.ts';
import { learnTold, type Telling } from './told-secrets.ts';

/** The members of the protocol's notifications that are names and numbers, and must stay; the others are words. */
const NAMES: { readonly [method: string]: readonly string[] } = {
  'notifications/message': ['level'],
  'notifications/progress': ['progressToken', 'progress', 'total'],
  'notifications/cancelled': ['requestId'],
  'notifications/tasks/status': ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttl', 'pollInterval'],
  'notifications/resources/updated': ['uri'],
  'notifications/elicitation/complete': ['elicitationId'],
  'notifications/subscriptions/acknowledged': ['notifications'],
};

/** The same message as it may leave: without secrets, and in a closed document without what its answers keep back. */
export function safeMessage(
  message: Message,
  known: ReadonlySet<string> | undefined,
  { dialect, call }: { readonly dialect: Dialect; readonly call: Telling | undefined },
): Message {
  const safe = safeNotification(message, known, call);
  const { method = '', params } = safe;
  if (dialect.told === undefined || params === undefined) return safe;
  return { ...safe, params: toldIn(method, plain(params) ?? params, dialect) };
}

/**
 * The same message without secrets: the words of the protocol's own notifications and questions, all of others.
 * `known`: the addresses that the client named itself; `call`: the one that it belongs to.
 */
export function safeNotification(
  message: Message,
  known: ReadonlySet<string> | undefined,
  call?: Telling,
): Message {
  const { method, params, id } = message;
  if (params === undefined) return message;
  const redaction = hidingTold(hidingSent(call?.arguments, undefined), call?.told ?? []);
  if (id !== undefined) return safeQuestion(message, call);
  const safe = safeWords(message, params, redaction);
  if (safe !== message && call !== undefined) learnTold(call, params);
  const { uri } = params as { readonly uri?: unknown };
  if (method !== 'notifications/resources/updated' || typeof uri !== 'string' || known?.has(uri)) return safe;
  return { ...safe, params: { ...safe.params, uri: safeName(uri) } };
}

function safeQuestion(message: Message, call: Telling | undefined): Message {
  if (call !== undefined && isQuestion(message)) learnAsked(call, message);
  return safeRequest(message, call?.told);
}

/** The request that a message belongs to, by the options that the SDK sends it with. */
export function relatedIn(options: unknown): RequestId | undefined {
  return (options as { readonly relatedRequestId?: RequestId } | undefined)?.relatedRequestId;
}

function safeWords(
  message: Message,
  params: NonNullable<Message['params']>,
  redaction: RedactOptions | undefined,
): Message {
  const { method = '' } = message;
  const names = Object.hasOwn(NAMES, method) ? NAMES[method] : undefined;
  const words = Object.keys(params)
    .filter((name) => params[name] !== undefined && names?.includes(name) !== true)
    .map((name) => [name, name === '_meta' ? foreignMeta(params[name]) : params[name]]);
  const said = plain(Object.fromEntries(words)) ?? {};
  const { value, findings } = redact(said, redaction);
  if (findings.length === 0) return message;
  // Of the others nothing is taken as it was: the name of a member can be a secret, too.
  const kept = membersOf(params, (name) => names?.includes(name) === true);
  const safe = value as { [name: string]: unknown };
  if (safe['_meta'] !== undefined)
    safe['_meta'] = { ...membersOf(params['_meta'] as object, isOfProtocol), ...(safe['_meta'] as object) };
  return { ...message, params: { ...kept, ...safe } };
}

/** What is in `_meta` beside the protocol's own members, by which messages find each other. */
function foreignMeta(meta: unknown): unknown {
  return typeof meta === 'object' && meta !== null ? membersOf(meta, (key) => !isOfProtocol(key)) : meta;
}

function isOfProtocol(key: string): boolean {
  return key === 'progressToken' || key.startsWith('io.modelcontextprotocol/');
}

function membersOf(value: object, isWanted: (name: string) => boolean): { [name: string]: unknown } {
  return Object.fromEntries(Object.entries(value).filter(([name]) => isWanted(name)));
}

/** An answer to a request that came before the guard did: nothing is known about it but what it says. */
export function safeStray(message: Message, settings: Settings): Message {
  if (message.error !== undefined) return keptError(message);
  const { result } = message;
  return result !== undefined && marked(result)['isError'] === true
    ? { ...message, result: safeResult(result, settings) }
    : message;
}

/** What would be sent: `toJSON` and boxed strings are asked now, before redaction. */
function plain(words: { readonly [name: string]: unknown }): { [name: string]: unknown } | undefined {
  try {
    return JSON.parse(JSON.stringify(words)) as { [name: string]: unknown };
  } catch {
    return undefined; // it cannot be sent either, and the transport will say so
  }
}
