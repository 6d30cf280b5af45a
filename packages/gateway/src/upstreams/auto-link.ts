/** A conversation with a server of which nobody knows yet how it is spoken to: that is found out when it is opened. */
import type { Cancel, HttpHead, Link, Outgoing, Sink } from '@mayday/relay';
import { mayBeOther, type Transport, type TransportChoice } from './transport-choice.ts';

/** What there is to choose from. */
interface AutoLinkOptions {
  readonly choice: TransportChoice;
  readonly http: Link;
  /** Makes another one when it is needed; what it is made of is closed with it. */
  readonly other: (transport: Exclude<Transport, 'http'>, http: Link) => Link;
  /** Asks the server. */
  readonly find: () => Promise<Transport | undefined>;
}

/** Streamable HTTP, unless the server refuses to be opened that way and can be spoken to otherwise. */
export class AutoLink implements Link {
  readonly #options: AutoLinkOptions;
  #link: Link;

  constructor(options: AutoLinkOptions) {
    this.#options = options;
    this.#link = options.http;
  }

  get isBusy(): boolean {
    return this.#link.isBusy === true;
  }

  get told(): number | undefined {
    return this.#link.told;
  }

  get silence(): string | undefined {
    return this.#link.silence;
  }

  request(message: Outgoing, sink: Sink): Cancel {
    const { choice, http, other } = this.#options;
    const { transport } = choice;
    if (transport !== undefined && transport !== 'http' && this.#link === http)
      this.#link = other(transport, http);
    if (transport !== undefined || message.peek.method !== 'initialize')
      return this.#link.request(message, sink);
    return this.#open(message, sink);
  }

  send(message: Outgoing): void {
    this.#link.send(message);
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  #open(message: Outgoing, sink: Sink): Cancel {
    const { choice, http, find } = this.#options;
    let isCancelled = false;
    const unless = (head: HttpHead | undefined, tell: () => void): void => {
      if (head === undefined || !mayBeOther(head.status)) {
        if (head !== undefined && head.status < 300) choice.transport ??= 'http';
        tell();
        return;
      }
      void find().then((found) => {
        if (isCancelled) return;
        choice.transport ??= found;
        if (found === undefined || found === 'http') tell();
        else cancel = this.request(message, sink);
      });
    };
    let cancel: Cancel = http.request(message, {
      answered: (answer, head, isGuess) => unless(head, () => sink.answered(answer, head, isGuess)),
      related: (said) => sink.related(said),
      lost: (fault, original, head) => unless(head, () => sink.lost(fault, original, head)),
    });
    return (reason) => {
      isCancelled = true;
      cancel(reason);
    };
  }
}
