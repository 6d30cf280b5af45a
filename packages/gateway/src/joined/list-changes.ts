/** Many servers whose lists change at about the same time, such as when they start: a client lists again once. */
import { peek } from '@mayday/relay';

/** How long the first of many waits for the others. */
const TOGETHER_MS = 100;

const IS_CHANGE = /^notifications\/(?:tools|prompts|resources)\/list_changed$/;

/** Passes messages on; of changes of the same list that come together, the last. */
export function createListChanges(onMessage: (message: Buffer) => unknown): (message: Buffer) => unknown {
  const waiting = new Map<string, Buffer>();

  function pass(): void {
    const messages = [...waiting.values()];
    waiting.clear();
    for (const message of messages) onMessage(message);
  }

  return (message) => {
    const { kind, method } = peek(message);
    if (kind !== 'notification' || !IS_CHANGE.test(method)) return onMessage(message);
    if (waiting.size === 0) setTimeout(pass, TOGETHER_MS).unref();
    waiting.set(method, message);
    return false;
  };
}
