/**
 * Was it thrown before the handler waited for anything? Then no backend has answered yet. A stack says so at no cost
 * for calls that succeed: the guard's own frame is in it only as long as the handler has not waited.
 */
import { look } from './look.ts';

/** A name that is kept where names are shortened. */
const FRAME = 'maydayCallsHandler';
const IN_STACK = new RegExp(`^ +at (?!async )(?:\\w+\\.)?${FRAME} `, 'm');

/** Names the function that calls handlers. */
export function nameFrame(caller: (...args: never[]) => unknown): void {
  Object.defineProperty(caller, 'name', { value: FRAME });
}

/** Was it made before the handler waited for anything? `false` where nothing tells. */
export function isOfFirstStep(reason: unknown): boolean {
  const stack = look(reason, 'stack');
  return typeof stack === 'string' && IN_STACK.test(stack.slice(-LONGEST));
}

/** Frames stand at the end; what stands before them is the message. */
const LONGEST = 10_000;
