/** The least that a handler's result must be, so that an answer can be made of it. */
import { type Fault, FaultError, isKind, makeFault } from '@mayday/core';
import { look } from '@mayday/core/dialects';
import type { HandlerKind } from './handlers.ts';
import type { Returned } from './request-state.ts';

/** Is it an answer of this kind? The SDK checks tools further, and resources and prompts not at all. */
export function isSound(kind: HandlerKind, result: unknown): boolean {
  if (typeof result !== 'object' || result === null || isIterable(result)) return false;
  if ((result as { resultType?: unknown }).resultType === 'input_required') return true;
  switch (kind) {
    case 'resource':
      return everyItem((result as { contents?: unknown }).contents, isContents);
    case 'prompt':
      return everyItem((result as { messages?: unknown }).messages, isMessage);
    case 'tool':
      return isOfTool(result);
    default:
      return true;
  }
}

/** What the protocol, an older revision of it, or a document that fails in a form of its own knows of a tool's result. */
const OF_TOOLS: readonly string[] = [
  'structuredContent',
  'isError',
  '_meta',
  'resultType',
  'task',
  'taskId',
  'error',
  'toolResult',
];

/** The SDKs make an empty success of what has no content: `{ result: 42 }` would be told as nothing at all. */
function isOfTool(result: object): boolean {
  const members = result as { readonly [name: string]: unknown };
  return members['content'] !== undefined || OF_TOOLS.some((name) => members[name] !== undefined);
}

/** A list, a generator: it has members that nobody sends. */
export function isIterable(value: object): boolean {
  return Symbol.iterator in value || Symbol.asyncIterator in value;
}

/** The failure in what was returned: an error or a fault that should have been thrown. */
export function returnedFailure(given: unknown): Error | undefined {
  try {
    if (given instanceof Error) return given;
    const { kind, executed, message, content } = Object(given) as Partial<Fault> & {
      readonly content?: unknown;
    };
    const isFault = isKind(kind) && executed !== undefined && typeof message === 'string';
    return isFault && content === undefined ? new FaultError(makeFault({ ...(given as Fault) })) : undefined;
  } catch {
    return undefined; // whoever judges it finds out what is wrong with it
  }
}

/** What goes out of a result: where it has a `toJSON`, that decides; where it works out whether it failed, what it says now. */
export function asSent(given: unknown): unknown {
  try {
    const result = Object(given) as { readonly toJSON?: unknown; readonly isError?: unknown };
    if (typeof result.toJSON === 'function') return JSON.parse(JSON.stringify(given));
    return worksOutItsEnd(result) ? { ...result, isError: result.isError } : given;
  } catch {
    return given; // it cannot be sent, which is found out next
  }
}

function worksOutItsEnd(result: object): boolean {
  if (!('isError' in result)) return false;
  const own = Object.getOwnPropertyDescriptor(result, 'isError');
  return own === undefined || own.get !== undefined;
}

function everyItem(value: unknown, holds: (item: { readonly [key: string]: unknown }) => boolean): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((item) => typeof item === 'object' && item !== null && holds(item));
}

function isContents(item: { readonly [key: string]: unknown }): boolean {
  return (
    typeof item['uri'] === 'string' && (typeof item['text'] === 'string' || typeof item['blob'] === 'string')
  );
}

function isMessage(item: { readonly [key: string]: unknown }): boolean {
  return typeof item['role'] === 'string' && typeof item['content'] === 'object' && item['content'] !== null;
}

/** What a result is. A request for input is an answer that the SDK may still refuse, for want of a capability of the client's. */
export function returnedAs(result: { readonly isError?: unknown; readonly resultType?: unknown }): Returned {
  if (result.resultType === 'input_required') return 'question';
  return result.isError === true ? 'error' : 'success';
}

/**
 * The same result, marked as the failure that it is: an error with a number in it is the form in which some documents fail, with
 * no word to the protocol, and clients read it. A task that holds one is an answer of its own.
 */
export function marked<R extends object>(result: R): R {
  try {
    const { isError, resultType, error } = result as { readonly [name: string]: unknown };
    if (isError === true || typeof error !== 'object' || error === null) return result;
    if (resultType === 'input_required' || resultType === 'task') return result;
    return look({ result }).failed ? { ...result, isError: true } : result;
  } catch {
    return result; // whoever writes the answer finds out what is wrong with it
  }
}
