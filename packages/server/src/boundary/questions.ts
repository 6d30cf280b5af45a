/** What a server asks the client's user: its words and addresses hold whatever its libraries said. */
import type { Dialect } from '@mayday/core';
import { toldIn } from '@mayday/core/forms';
import {
  addressRedactor,
  type RedactOptions,
  redact,
  type ToldSecret,
  withPlaces,
} from '@mayday/core/redact';
import type { Message } from '../shapes.ts';
import { learnTold, type Telling } from './told-secrets.ts';

type Members = { readonly [key: string]: unknown };

/** Whom it is about is for the user to see; keys and passwords are for nobody. */
const BUT_PEOPLE: RedactOptions = { disable: ['email', 'phone', 'birth-date'] };

/** The same words without secrets. */
type Words = (value: unknown) => unknown;

let openable: ((address: string) => string) | undefined;

/** The address without passwords and keys, by their form and by names that no page is opened by. The rest stays, or nobody can open it. */
export function safeAddress(address: string): string {
  openable ??= addressRedactor();
  return openable(address);
}

/** The name of a resource, without the passwords and keys in it: nobody opens it by what it is told here. */
export function safeName(uri: string): string {
  return redact(uri, withPlaces()).value;
}

/**
 * The same request without secrets, if it asks the user or the model something. Other requests are the author's own. `told`:
 * what the call that it belongs to has given away.
 */
export function safeRequest<R extends Message | Members>(request: R, told: readonly ToldSecret[] = []): R {
  const words: Words = (value) => redact(value, { ...BUT_PEOPLE, told }).value;
  const { method, params } = request as { readonly method?: unknown; readonly params?: Members };
  if (typeof params !== 'object' || params === null) return request;
  if (method === 'sampling/createMessage') return { ...request, params: safeSampling(params, words) };
  if (method !== 'elicitation/create') return request;
  const { message, url, requestedSchema } = params;
  const safe: { [name: string]: unknown } = { ...params };
  if (message !== undefined) safe['message'] = words(message);
  if (requestedSchema !== undefined) safe['requestedSchema'] = words(requestedSchema);
  if (typeof url === 'string') safe['url'] = safeAddress(url);
  return { ...request, params: safe };
}

/** What a model is asked. Its numbers stay, and its pictures and sounds to the byte. */
function safeSampling(params: Members, words: Words): Members {
  const { messages } = params;
  const safe = Object.entries(params).map(([name, value]) => [name, name === '_meta' ? value : words(value)]);
  if (!Array.isArray(messages)) return Object.fromEntries(safe);
  return { ...Object.fromEntries(safe), messages: messages.map((turn) => safeTurn(turn, words)) };
}

function safeTurn(turn: unknown, words: Words): unknown {
  if (typeof turn !== 'object' || turn === null) return words(turn);
  const { content, ...rest } = turn as Members;
  const safe = words(rest) as Members;
  if (content === undefined) return safe;
  const block = (one: unknown): unknown => safeBlock(one, words);
  return { ...safe, content: Array.isArray(content) ? content.map(block) : block(content) };
}

function safeBlock(block: unknown, words: Words): unknown {
  const { type } = Object(block) as Members;
  return type === 'image' || type === 'audio' ? block : words(block);
}

/** Does it ask the user or the model something? */
export function isQuestion({ method }: { readonly method?: unknown }): boolean {
  return method === 'elicitation/create' || method === 'sampling/createMessage';
}

/** Remembers what the words of a question give away. An address that somebody opens tells nothing to others. */
export function learnAsked(call: Telling, { params }: { readonly params?: unknown }): void {
  const { url: _url, ...said } = Object(params) as Members;
  learnTold(call, said, BUT_PEOPLE);
}

/** A result that asks for something first: each of its questions, without secrets. */
export function safeQuestions(message: Message, dialect: Dialect, call: Telling): Message {
  const asked = message.result?.['inputRequests'];
  if (typeof asked !== 'object' || asked === null) return message;
  for (const request of Object.values(asked)) learnAsked(call, Object(request));
  const safe = Object.entries(asked).map(([name, request]) => [
    name,
    closedRequest(safeRequest(Object(request) as Members, call.told), dialect),
  ]);
  return { ...message, result: { ...message.result, inputRequests: Object.fromEntries(safe) } };
}

/** A question without what the answers of a closed document keep back. */
function closedRequest(request: Members, dialect: Dialect): Members {
  const { method, params } = request;
  if (typeof method !== 'string' || typeof params !== 'object' || params === null) return request;
  return { ...request, params: toldIn(method, params as Members, dialect) };
}

/** The addresses that a caller named itself: it is told of them as it knows them. */
export function addressesIn(value: unknown, depth = 4): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item) => addressesIn(item, depth - 1));
}
