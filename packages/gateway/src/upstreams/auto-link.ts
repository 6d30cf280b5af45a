/** A conversation with a server that nobody has said how to speak to: that is found out when it is opened. */
import type { FaultInit } from '@mayday/core';
import { type Cancel, type HttpHead, type Link, type Outgoing, refuse, type Sink } from '@mayday/relay';
import { mayBeOther, type Transport, type TransportChoice } from './transport-choice.ts';

/** What there is to choose from. */
interface AutoLinkOptions {
  readonly choice: TransportChoice;
  /** Many speak over it, none of whom opens it. */
  readonly isShared: boolean;
  /** Makes a conversation in one of the ways. */
  readonly make: (transport: Transport) => Link;
  /** Asks the server. */
  readonly find: () => Promise<Transport | undefined>;
  /** Is this said to an opening by one that may have to be spoken to otherwise? Its status tells, if absent. */
  readonly isOther?: ((answer: Buffer | undefined, head: HttpHead | undefined) => boolean) | undefined;
}

function isOtherByStatus(_answer: Buffer | undefined, head: HttpHead | undefined): boolean {
  return head !== undefined && mayBeOther(head.status);
}

/** Streamable HTTP at first. A server that refuses to be opened as before may be another one by now, and is asked. */
export class AutoLink implements Link {
  readonly #options: AutoLinkOptions;
  #transport: Transport;
  #link: Link;

  constructor(options: AutoLinkOptions) {
    this.#options = options;
    this.#transport = options.choice.transport ?? 'http';
    this.#link = options.make(this.#transport);
  }

  get isBusy(): boolean {
    return this.#link.isBusy === true;
  }

  get told(): number | undefined {
    return this.#link.told;
  }

  get run(): object | undefined {
    return this.#link.run;
  }

  get silence(): Link['silence'] {
    return this.#link.silence;
  }

  canGoOn(message: Outgoing): boolean {
    return this.#link.canGoOn?.(message) === true;
  }

  request(message: Outgoing, sink: Sink): Cancel {
    const { choice, isShared } = this.#options;
    if (message.peek.method === 'initialize') return this.#open(message, sink);
    // Nobody else would open it in the way that was found since.
    if (isShared && choice.transport !== undefined && choice.transport !== this.#transport)
      return refuse(sink, SPEAKS_OTHERWISE);
    return this.#link.request(message, sink);
  }

  send(message: Outgoing): void {
    this.#link.send(message);
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  #open(message: Outgoing, sink: Sink): Cancel {
    const { choice, find, isOther = isOtherByStatus } = this.#options;
    const tried = choice.transport ?? 'http';
    let isCancelled = false;
    const unless = (answer: Buffer | undefined, head: HttpHead | undefined, tell: () => void): void => {
      if (!isOther(answer, head)) {
        if (head !== undefined && head.status < 300 && tried === 'http') choice.found('http');
        tell();
        return;
      }
      void find().then((found) => {
        if (isCancelled) return;
        if (found !== undefined) choice.found(found);
        if (found === undefined || found === tried) tell();
        else cancel = this.#over(found).request(message, sink);
      });
    };
    let cancel: Cancel = this.#over(tried).request(message, {
      answered: (answer, head, how) => unless(answer, head, () => sink.answered(answer, head, how)),
      related: (said) => sink.related(said),
      told: () => sink.told?.(),
      lost: (fault, original, head) => unless(original, head, () => sink.lost(fault, original, head)),
    });
    return (reason) => {
      isCancelled = true;
      cancel(reason);
    };
  }

  /** Of the conversation before nothing is left, where the server is spoken to otherwise. */
  #over(transport: Transport): Link {
    if (transport === this.#transport) return this.#link;
    void this.#link.close();
    this.#transport = transport;
    this.#link = this.#options.make(transport);
    return this.#link;
  }
}

/** As if the server had forgotten it: then it is opened again. */
const SPEAKS_OTHERWISE: FaultInit = {
  kind: 'expired',
  origin: 'gateway',
  executed: 'no',
  subject: { type: 'session' },
  message: 'The server is spoken to otherwise by now, in another conversation',
};
