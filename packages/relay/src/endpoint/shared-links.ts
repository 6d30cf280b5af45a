/** The conversations that everybody shares who has no session: nobody in particular hears what is said there unasked. */
import type { Link, LinkEvents } from '../links/link.ts';
import type { Revision } from '../protocol/revisions.ts';
import { isBusy } from './busy.ts';

/** One for each revision: what opens a conversation of one is an error in the other. */
export class SharedLinks<L extends Link> {
  readonly #connect: (events: LinkEvents, revision: Revision) => L;
  readonly #onNote: LinkEvents['onNote'];
  readonly #links: Map<Revision, L> = new Map();

  constructor(connect: (events: LinkEvents, revision: Revision) => L, onNote: LinkEvents['onNote']) {
    this.#connect = connect;
    this.#onNote = onNote;
  }

  get isEmpty(): boolean {
    return this.#links.size === 0;
  }

  /** Is anything asked there that is not answered yet? */
  get isBusy(): boolean {
    return [...this.#links.values()].some((link) => isBusy(link));
  }

  /** The one of a revision; it is opened when it is first needed. */
  of(revision: Revision): L {
    const known = this.#links.get(revision);
    if (known !== undefined) return known;
    const onMessage = (): void => {
      // Nobody in particular asked for it.
    };
    const link = this.#connect({ onMessage, onNote: this.#onNote }, revision);
    this.#links.set(revision, link);
    return link;
  }

  /** Those of others that go on are these from now on. */
  takeOver(others: SharedLinks<L>, goesOn: (link: L) => boolean): void {
    for (const [revision, link] of others.#links) {
      if (!goesOn(link)) continue;
      others.#links.delete(revision);
      this.#links.set(revision, link);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#links.values()].map((link) => link.close()));
  }
}
