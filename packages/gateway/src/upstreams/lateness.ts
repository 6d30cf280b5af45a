/** What a server has not done in time when others waited for it: each of its conversations knows it from the others. */

/** Questions that are asked of many at once, or of one after the other. */
const ASKED_OF_MANY: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'tasks/list',
  'logging/setLevel',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
]);

/** One server's. */
export class Lateness {
  /** It did not open a conversation. */
  opens = false;
  readonly #methods: Set<string> = new Set();

  /** Was it late with this question, and has not been in time with it since? */
  with(method: string): boolean {
    return this.#methods.has(method);
  }

  /** It was, or was not. */
  note(method: string, isLate: boolean): void {
    if (!isLate) this.#methods.delete(method);
    else if (ASKED_OF_MANY.has(method)) this.#methods.add(method);
  }
}
