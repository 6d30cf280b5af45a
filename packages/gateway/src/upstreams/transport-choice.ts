/** How a server behind a URL is spoken to, where that has to be found out. */
import {
  BridgeLink,
  type HttpClientOptions,
  HttpLink,
  OWN_OPENING,
  peek,
  speaksSse,
  type Wire,
  type WirePolicy,
} from '@mayday/relay';

/** Streamable HTTP as it is, the transport of 2024-11-05, or the stateless revision alone. */
export type Transport = 'http' | 'sse' | 'stateless';

/** What is known of it; shared by all that speak with the server. */
export interface TransportChoice {
  /** Absent as long as nobody knows. */
  transport: Transport | undefined;
}

/** To an `initialize` over streamable HTTP, this may be said by a server that has to be spoken to otherwise. */
const MAY_BE_OTHER: ReadonlySet<number> = new Set([400, 404, 405]);

/**
 * Sees how a server answers openings over streamable HTTP. Calls that it has answered as one that may have to be spoken to
 * otherwise are noted, by the headers that they came with.
 */
export function seeOpenings(choice: TransportChoice, others: WeakSet<readonly string[]>): WirePolicy {
  return (next) => (call) => {
    const outcome = next(call);
    return choice.transport !== undefined || call.method !== 'initialize'
      ? outcome
      : outcome.then((seen) => {
          if (seen.ok) choice.transport ??= 'http';
          else if (isSaidUnder(seen.value, mayBeOther)) others.add(call.rawHeaders);
          return seen;
        });
  };
}

function isSaidUnder(said: Wire | undefined, fits: (status: number) => boolean): boolean {
  return (said?.type === 'http' || said?.type === 'message') && fits(said.status);
}

/** May the server that has answered an opening with this status have to be spoken to otherwise? */
export function mayBeOther(status: number): boolean {
  return MAY_BE_OTHER.has(status);
}

/** Whom to ask. */
export interface FindOptions {
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly reach: HttpClientOptions | undefined;
}

/** Asks a server that has refused an opening what it speaks instead; `undefined` where it is none of these. */
export async function findTransport(options: FindOptions): Promise<Transport | undefined> {
  if (await speaksStatelessly(options)) return 'stateless';
  return (await speaksSse(options)) ? 'sse' : undefined;
}

/** How long the server may take to say what it is. */
const FINDING_MS = 10_000;

async function speaksStatelessly({ url, headers, reach }: FindOptions): Promise<boolean> {
  const onMessage = (): void => {
    // Nobody listens yet.
  };
  const http = new HttpLink({ url, headers, reach, timeoutMs: FINDING_MS, onMessage });
  const link = new BridgeLink({ link: http, onMessage });
  const body = OWN_OPENING.initialize;
  const isIt = await new Promise<boolean>((resolve) => {
    link.request(
      { body, peek: peek(body), revision: '2025-11-25' },
      {
        answered: (answer) => resolve(!peek(answer).hasError),
        related: onMessage,
        lost: () => resolve(false),
      },
    );
  });
  await link.close();
  return isIt;
}
