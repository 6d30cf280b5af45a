/** Bodies of requests that are to be sent once, noted where they are written and found where they are sent. */
import { addLast } from '@mayday/policy';

const bodies = new Set<string>();

/** Beyond these the oldest are forgotten: their transport does not send by a `fetch` of ours. */
const MAX_BODIES = 50;

/** The request with this body is to be sent once. */
export function noteOnce(body: string): void {
  addLast(bodies, body, MAX_BODIES);
}

/** Is it? From now on that is forgotten. */
export function takeOnce(body: unknown): boolean {
  return typeof body === 'string' && bodies.delete(body);
}
