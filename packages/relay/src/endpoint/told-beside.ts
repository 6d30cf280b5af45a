/** What a server tells beside its answer and binds nobody: whatever another attempt says can follow it. */
import { peek } from '../framing/peek.ts';
import type { Related } from './call.ts';

const TOLD: ReadonlySet<string> = new Set(['notifications/message', 'notifications/progress']);

/**
 * Is it a log message, progress, or a sign of life? An event with an id is a place in the stream of this attempt, to
 * which the client may come back, whatever it says.
 */
export function isToldBeside({ data, id }: Related): boolean {
  if (id !== undefined) return false;
  if (data.length === 0) return true;
  const { kind, method } = peek(data);
  return kind === 'notification' && TOLD.has(method);
}
