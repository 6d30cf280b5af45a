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
import type { TransportChoice } from './transport-choice.ts';

/** What there is to choose from. */
interface AutoEndpointOptions {
  readonly choice: TransportChoice;
  readonly proxy: ProxyEndpoint;
  /** Has conversations of the 2025 era with a server that cannot have them itself, or not over streamable HTTP. */
  readonly kept: LinkEndpoint;
  /** Openings that are made once more, because the server has to be spoken to otherwise, see `seeOpenings`. */
  readonly again: WeakSet<readonly string[]>;
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

  /** What is said first is kept back where the server has to be spoken to otherwise. */
  #open(visit: Visit): void {
    const response = new HeldResponse(visit.reply, {
      isHeld: () => this.#options.again.has(visit.request.rawHeaders),
      onHeld: () => {
        if (visit.reply.isOpen) this.#endpointFor(visit).handle(visit);
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
