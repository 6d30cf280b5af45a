/** The endpoint of a server behind a URL whose transport is not known yet: it is found out when a caller opens a session. */
import {
  type Caller,
  type Endpoint,
  type LinkEndpoint,
  type ProxyEndpoint,
  peek,
  Reply,
  type Visit,
} from '@mayday/relay';
import { HeldResponse } from './held-response.ts';
import type { TransportChoice } from './transport-choice.ts';

/** What there is to choose from. */
interface AutoEndpointOptions {
  readonly choice: TransportChoice;
  readonly proxy: ProxyEndpoint;
  readonly legacy: LinkEndpoint;
  /** Openings that the server has answered as one that may only speak the older transport, by their headers. */
  readonly older: WeakSet<readonly string[]>;
  /** Asks the server, in the name of this visitor, whether it speaks the older transport. */
  readonly speaksSse: (visit: Visit) => Promise<boolean>;
  readonly onBug: (error: unknown) => void;
}

/** Streamable HTTP, unless the server refuses to be opened that way and has the older stream. */
export class AutoEndpoint implements Endpoint {
  readonly proxy: ProxyEndpoint;
  readonly legacy: LinkEndpoint;
  readonly #options: AutoEndpointOptions;

  constructor(options: AutoEndpointOptions) {
    this.#options = options;
    this.proxy = options.proxy;
    this.legacy = options.legacy;
  }

  /** Sessions that are open, where they are kept here. */
  get sessions(): number | undefined {
    return this.#options.choice.transport === 'sse' ? this.legacy.sessions : undefined;
  }

  handle(visit: Visit): void {
    const { choice } = this.#options;
    if (choice.transport === 'sse' || this.#isInSession(visit)) this.legacy.handle(visit);
    else if (choice.transport === 'http' || !opens(visit)) this.proxy.handle(visit);
    else this.#find(visit);
  }

  /** A session of before goes on, whatever the server speaks now. */
  #isInSession({ request, caller }: Visit): boolean {
    const id = request.headers['mcp-session-id'];
    return typeof id === 'string' && this.legacy.sessions > 0 && this.legacy.holds(id, caller);
  }

  holds(sessionId: string, caller: Caller): boolean {
    return this.legacy.holds(sessionId, caller);
  }

  async retire(graceMs: number): Promise<void> {
    await Promise.all([this.proxy.retire(graceMs), this.legacy.retire(graceMs)]);
  }

  async finish(graceMs: number): Promise<void> {
    await Promise.all([this.proxy.finish(graceMs), this.legacy.finish(graceMs)]);
  }

  async close(graceMs?: number): Promise<void> {
    await Promise.all([this.proxy.close(graceMs), this.legacy.close(graceMs)]);
  }

  /** What the server says first is kept back while it may mean that it is to be spoken to otherwise. */
  #find(visit: Visit): void {
    const { choice, older, speaksSse, onBug } = this.#options;
    const response = new HeldResponse(visit.reply, {
      isHeld: () => older.has(visit.request.rawHeaders),
      onHeld: (give) => {
        void speaksSse(visit)
          .then((isIt) => {
            if (isIt) choice.transport = 'sse';
            if (isIt && visit.reply.isOpen) this.legacy.handle(visit);
            else give();
          })
          .catch(onBug);
      },
    });
    this.proxy.handle({ ...visit, reply: new Reply(response) });
  }
}

function opens({ request, body }: Visit): boolean {
  return request.method === 'POST' && peek(body).method === 'initialize';
}
