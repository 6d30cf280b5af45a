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

/** Before the handler waited for anything, or afterwards; `unknown` where nothing tells. */
export type Moment = 'first' | 'later' | 'unknown';

/** When was it made? What a validator waited for itself, for one of its rules, is no backend's answer. */
export function momentOf(reason: unknown): Moment {
  const stack = look(reason, 'stack');
  if (typeof stack !== 'string') return 'unknown';
  const end = stack.slice(-LONGEST);
  if (IN_STACK.test(end)) return 'first';
  const frames = end.match(/^ +at .*$/gm) ?? [];
  const hasWaited = frames.findIndex((frame) => RESUMED.test(frame));
  return hasWaited > 0 && !frames.slice(0, hasWaited).some((frame) => WAITS.test(frame))
    ? 'later'
    : 'unknown';
}

/** From here on a frame stands for something that has waited. */
const RESUMED = /^ +at (?:async |process\.processTicksAndRejections)/;
/** How Zod and Valibot name what waits for rules. */
const WAITS = /\bparseAsync\b/;

/** Frames stand at the end; what stands before them is the message. */
const LONGEST = 10_000;
