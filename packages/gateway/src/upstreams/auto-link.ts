/** A conversation with a server whose transport is not known yet: it is found out when the conversation is opened. */
import type { Cancel, HttpHead, Link, Outgoing, Sink } from '@mayday/relay';
import { mayBeOlder, type TransportChoice } from './transport-choice.ts';

/** What there is to choose from. */
interface AutoLinkOptions {
  readonly choice: TransportChoice;
  readonly http: Link;
  /** Makes the other one when it is needed. */
  readonly sse: () => Link;
  /** Asks the server whether it speaks the older transport. */
  readonly speaksSse: () => Promise<boolean>;
}

/** Streamable HTTP, unless the server refuses to be opened that way and has the older stream. */
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

  get silence(): string | undefined {
    return this.#link.silence;
  }

  request(message: Outgoing, sink: Sink): Cancel {
    const { choice } = this.#options;
    if (choice.transport === 'sse' && this.#link === this.#options.http) this.#turn();
    if (choice.transport !== undefined || message.peek.method !== 'initialize')
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
    const { choice, http, speaksSse } = this.#options;
    let isCancelled = false;
    const unless = (head: HttpHead | undefined, tell: () => void): void => {
      if (head === undefined || !mayBeOlder(head.status)) {
        if (head !== undefined && head.status < 300) choice.transport ??= 'http';
        tell();
        return;
      }
      void speaksSse().then((isIt) => {
        if (isCancelled) return;
        if (!isIt) tell();
        else {
          choice.transport = 'sse';
          cancel = this.request(message, sink);
        }
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

  #turn(): void {
    void this.#link.close();
    this.#link = this.#options.sse();
  }
}
