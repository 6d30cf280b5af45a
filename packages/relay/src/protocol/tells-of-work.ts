/** What a server says by itself, about the connection or about what it does. */

/**
 * Does a message with this method tell of work? Whoever asks or tells something has begun: what it says afterwards is no refusal
 * at its door.
 */
export function tellsOfWork(method: string): boolean {
  return method !== '' && !OF_CONNECTION.test(method);
}

/** What is said about the connection, and not about any work. */
const OF_CONNECTION =
  /^(?:ping|notifications\/(?:cancelled|initialized|\w+\/list_changed|subscriptions\/\w+))$/;
