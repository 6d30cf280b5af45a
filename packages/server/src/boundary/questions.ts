/** What a server asks the client's user: its words and addresses hold whatever its libraries said. */
import type { Dialect } from '@mayday/core';
import { toldIn } from '@mayday/core/forms';
import { addressRedactor, redact, withPlaces } from '@mayday/core/redact';
import type { Message } from '../shapes.ts';

type Members = { readonly [key: string]: unknown };

/** Whom it is about is for the user to see; keys and passwords are for nobody. */
const ABOUT_PEOPLE: readonly string[] = ['email', 'phone', 'birth-date'];

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

/** The same request without secrets, if it asks the user or the model something. Other requests are the author's own. */
export function safeRequest<R extends Message | Members>(request: R): R {
  const { method, params } = request as { readonly method?: unknown; readonly params?: Members };
  if (typeof params !== 'object' || params === null) return request;
  if (method === 'sampling/createMessage') return { ...request, params: safeSampling(params) };
  if (method !== 'elicitation/create') return request;
  const { message, url, requestedSchema } = params;
  const safe: { [name: string]: unknown } = { ...params };
  if (message !== undefined) safe['message'] = words(message);
  if (requestedSchema !== undefined) safe['requestedSchema'] = words(requestedSchema);
  if (typeof url === 'string') safe['url'] = safeAddress(url);
  return { ...request, params: safe };
}

/** What a model is asked. Its numbers stay, and its pictures and sounds to the byte. */
function safeSampling(params: Members): Members {
  const { messages } = params;
  const safe = Object.entries(params).map(([name, value]) => [name, name === '_meta' ? value : words(value)]);
  if (!Array.isArray(messages)) return Object.fromEntries(safe);
  return { ...Object.fromEntries(safe), messages: messages.map(safeTurn) };
}

function safeTurn(turn: unknown): unknown {
  if (typeof turn !== 'object' || turn === null) return words(turn);
  const { content, ...rest } = turn as Members;
  const safe = words(rest) as Members;
  if (content === undefined) return safe;
  return { ...safe, content: Array.isArray(content) ? content.map(safeBlock) : safeBlock(content) };
}

function safeBlock(block: unknown): unknown {
  const { type } = Object(block) as Members;
  return type === 'image' || type === 'audio' ? block : words(block);
}

function words(value: unknown): unknown {
  return redact(value, { disable: ABOUT_PEOPLE }).value;
}

/** A result that asks for something first: each of its questions, without secrets. */
export function safeQuestions(message: Message, dialect: Dialect): Message {
  const asked = message.result?.['inputRequests'];
  if (typeof asked !== 'object' || asked === null) return message;
  const safe = Object.entries(asked).map(([name, request]) => [
    name,
    closedRequest(safeRequest(Object(request)), dialect),
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
