/** A conversation with many servers at once. */
import { type Link, type Outgoing, peek } from '@mayday/relay';
import type { Part } from './part.ts';
import { untag } from './tags.ts';

/** Many conversations as one. What is asked of it goes through `askJoined`; the rest is handed on here. */
export class JoinedLink implements Link {
  readonly parts: ReadonlyMap<string, Part>;

  readonly #isShared: boolean;

  /** `isShared`: many callers without a session speak over it. */
  constructor(parts: ReadonlyMap<string, Part>, isShared: boolean) {
    this.parts = parts;
    this.#isShared = isShared;
  }

  request(): never {
    throw new TypeError('Expected calls to be asked through `askJoined`');
  }

  send(message: Outgoing): void {
    if (this.#isShared) return; // what one of many says to nobody in particular must not concern the others
    if (message.peek.method === 'notifications/initialized') return; // each part was told when it was opened
    if (message.peek.kind === 'response') {
      const answer = untag(message.body);
      const part = answer === undefined ? undefined : this.parts.get(answer.upstream);
      if (answer !== undefined) part?.send({ ...message, body: answer.message, peek: peek(answer.message) });
      return;
    }
    for (const part of this.parts.values()) part.send(message);
  }

  async close(): Promise<void> {
    await Promise.all([...this.parts.values()].map((part) => part.close()));
  }
}
