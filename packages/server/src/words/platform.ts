/**
 * What the platform itself throws: a built-in function, or Node. Its words are about the program that called it, and only
 * where they are over a value of the caller's are they the caller's.
 */
import type { Described } from './describe.ts';
import { look } from './look.ts';
import { textsIn } from './sent.ts';

/** The first frame of a stack: a built-in function has no place, Node's own files have a scheme. */
const OF_PLATFORM = /^\n\s{1,20}at (?:[^\n]{0,300} )?\(?(?:<anonymous>|node:[^\n]{1,300})\)?(?:\n|$)/;

/** Has the platform thrown it, and over nothing that the caller sent? */
export function isOfPlatform(reason: unknown, { message }: Described, sent: unknown): boolean {
  const stack = look(reason, 'stack');
  if (typeof stack !== 'string' || message === '') return false;
  const at = stack.indexOf(message);
  if (at < 0 || !OF_PLATFORM.test(stack.slice(at + message.length, at + message.length + 1000))) return false;
  return !textsIn(sent).some((text) => names(message, text) || isMalformed(message, text));
}

/** Does a sentence name a value, as something of its own? */
function names(message: string, value: string): boolean {
  const at = value === '' ? -1 : message.indexOf(value);
  return at >= 0 && !/\w/.test(message[at - 1] ?? '') && !/\w/.test(message[at + value.length] ?? '');
}

/** The same text gives the same complaint, which does not quote it. */
function isMalformed(message: string, text: string): boolean {
  if (message !== 'URI malformed') return false;
  try {
    decodeURIComponent(text);
    return false;
  } catch {
    return true;
  }
}
