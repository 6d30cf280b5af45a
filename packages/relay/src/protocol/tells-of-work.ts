/** What a server says by itself, about the connection or about what it does. */
import { isAboutConnection } from '@mayday/core/protocol';

/**
 * Does a message with this method tell of work? Whoever asks or tells something has begun: what it says afterwards is no refusal
 * at its door.
 */
export function tellsOfWork(method: string): boolean {
  return method !== '' && !isAboutConnection(method);
}
