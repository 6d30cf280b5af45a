/** A line that a server has begun and not ended: whoever says it has more to say, and nobody knows yet of what. */
import { outlineOf } from './outline.ts';
import type { PendingRequests } from './pending.ts';

/**
 * May the line that begins like this be about the request that was answered under this id of the link's own? Not where it
 * is plainly the answer to another one, which waits. Blanks alone say nothing.
 */
export function mayBeAbout(
  start: Buffer | undefined,
  wireId: number,
  pending: Pick<PendingRequests, 'get'>,
): boolean {
  if (start === undefined || isBlank(start)) return false;
  const { id, hasMethod } = outlineOf(start);
  return hasMethod || id === undefined || id === wireId || pending.get(id) === undefined;
}

/** Of a line that is skipped nothing is there to look at. */
function isBlank(start: Buffer): boolean {
  return start.length > 0 && start.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
