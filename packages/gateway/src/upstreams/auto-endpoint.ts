/** The endpoint of a server behind a URL that nobody has said how to speak to: that is found out when a session is opened. */
import {
  type Caller,
  type Endpoint,
  hasMethod,
  type LinkEndpoint,
  type ProxyEndpoint,
  peek,
  Reply,
  revisionOf,
  type Visit,
} from '@mayday/relay';
import { HeldResponse } from './held-response.ts';
import type { Transport, TransportChoice } from './transport-choice.ts';

/** What there is to choose from. */
interface AutoEndpointOptions {
  readonly choice: TransportChoice;
  readonly proxy: ProxyEndpoint;
  /** Has conversations of the 2025 era with a server that cannot have them itself, or not over streamable HTTP. */
  readonly kept: LinkEndpoint;
  /** Openings that the server has answered as one that may have to be spoken to otherwise, by their headers. */
  readonly others: WeakSet<readonly string[]>;
  /** Asks the server, in the name of this visitor. */
  readonly find: (visit: Visit) => Promise<Transport | undefined>;
  readonly onBug: (error: unknown) => void;
}

/** Streamable HTTP at first. A server that refuses to be opened as before may be another one by now, and is asked. */
export class AutoEndpoint implements Endpoint {
  readonly proxy: ProxyEndpoint;
  readonly kept: LinkEndpoint;
  readonly #options: AutoEndpointOptions;

  constructor(options: AutoEndpointOptions) {
    this.#options = options;
    this.proxy = options.proxy;
    this.kept = options.kept;
  }

  /** Sessions that are open, where they are kept here. */
  get sessions(): number | undefined {
    const { transport } = this.#options.choice;
    return transport === 'sse' || transport === 'stateless' ? this.kept.sessions : undefined;
  }

  handle(visit: Visit): void {
    if (opens(visit)) this.#open(visit);
    else this.#endpointFor(visit).handle(visit);
  }

  #endpointFor(visit: Visit): Endpoint {
    const { transport } = this.#options.choice;
    if (transport === 'sse' || this.#isInSession(visit)) return this.kept;
    return transport === 'stateless' && !standsForItself(visit) ? this.kept : this.proxy;
  }

  /** A session of before goes on, whatever the server speaks now. */
  #isInSession({ request, caller }: Visit): boolean {
    const id = request.headers['mcp-session-id'];
    return typeof id === 'string' && this.kept.sessions > 0 && this.kept.holds(id, caller);
  }

  holds(sessionId: string, caller: Caller): boolean {
    return this.kept.holds(sessionId, caller);
  }

  async retire(graceMs: number): Promise<void> {
    await Promise.all([this.proxy.retire(graceMs), this.kept.retire(graceMs)]);
  }

  async finish(graceMs: number): Promise<void> {
    await Promise.all([this.proxy.finish(graceMs), this.kept.finish(graceMs)]);
  }

  async close(graceMs?: number): Promise<void> {
    await Promise.all([this.proxy.close(graceMs), this.kept.close(graceMs)]);
  }

  /** What the server says first is kept back while it may mean that it is to be spoken to otherwise. */
  #open(visit: Visit): void {
    const { choice, others, find, onBug } = this.#options;
    const tried = choice.transport ?? 'http';
    const response = new HeldResponse(visit.reply, {
      isHeld: () => others.has(visit.request.rawHeaders),
      onHeld: (give) => {
        void find(visit)
          .then((found) => {
            if (found !== undefined) choice.found(found);
            if (found !== undefined && found !== tried && visit.reply.isOpen)
              this.#endpointFor(visit).handle(visit);
            else give();
          })
          .catch(onBug);
      },
    });
    this.#endpointFor(visit).handle({ ...visit, reply: new Reply(response) });
  }
}

function opens({ request, body }: Visit): boolean {
  return request.method === 'POST' && hasMethod(body, 'initialize');
}

/** Is it of the revision that keeps nothing? */
function standsForItself({ request, body }: Visit): boolean {
  return revisionOf(request.headers, { body, peek: peek(body) }) === '2026-07-28';
}
