/** How a server behind a URL is spoken to, where that has to be found out. */
import type { FaultInit } from '@mayday/core';
import {
  decode,
  type HttpClientOptions,
  HttpLink,
  isMembers,
  lost,
  type Members,
  OWN_OPENING,
  OWN_QUESTION,
  peek,
  type Revision,
  resultOf,
  speaksSse,
  type Wire,
  type WireCall,
  type WirePolicy,
} from '@mayday/relay';
import { handOn } from '../call/handed-on.ts';

/** Streamable HTTP as it is, the transport of 2024-11-05, or the stateless revision alone. */
export type Transport = 'http' | 'sse' | 'stateless';

/** What is known of it; shared by all that speak with the server. */
export interface TransportChoice {
  /** Absent as long as nobody knows. */
  readonly transport: Transport | undefined;
  /** It has shown what it speaks now. */
  found(transport: Transport): void;
}

/** To an `initialize`, this may be said by a server that has to be spoken to otherwise. */
const MAY_BE_OTHER: ReadonlySet<number> = new Set([400, 404, 405]);

/** How openings are looked at. */
interface SeeOptions {
  readonly choice: TransportChoice;
  /** How those are made that are looked at here. */
  readonly tried: () => Transport;
  /** Openings that are made once more, in the way that was found, by the headers that they came with. */
  readonly again: WeakSet<readonly string[]>;
  /** Asks the server, in the name of whoever opens. */
  readonly find: (call: WireCall) => Promise<Transport | undefined>;
  readonly onOpened?: (() => void) | undefined;
  readonly onBug: (error: unknown) => void;
}

/**
 * Sees how a server answers openings, and asks one that may have to be spoken to otherwise. It stands below whatever counts
 * and records: where it is, its first answer is nobody's failure.
 */
export function seeOpenings({ choice, tried, again, find, onOpened, onBug }: SeeOptions): WirePolicy {
  return (next) => async (call) => {
    if (call.method !== 'initialize') return next(call);
    const before = tried();
    const outcome = await next(call);
    if (outcome.ok) onOpened?.();
    if (outcome.ok || !isSaidUnder(outcome.value, mayBeOther)) return outcome;
    const found = await find(call).catch((error: unknown) => {
      onBug(error);
      return undefined;
    });
    if (found !== undefined) choice.found(found);
    if (found === undefined || found === before) return outcome;
    again.add(call.rawHeaders);
    handOn(call);
    return lost(call, SPOKEN_TO_OTHERWISE);
  };
}

/** Nobody is told: somebody else answers. */
const SPOKEN_TO_OTHERWISE: FaultInit = {
  kind: 'unsupported',
  origin: 'gateway',
  executed: 'no',
  message: 'The server has to be spoken to otherwise',
};

function isSaidUnder(said: Wire | undefined, fits: (status: number) => boolean): boolean {
  return (said?.type === 'http' || said?.type === 'message') && fits(said.status);
}

/** May the server that has answered an opening with this status have to be spoken to otherwise? */
export function mayBeOther(status: number): boolean {
  return MAY_BE_OTHER.has(status);
}

/** Does a process refuse a conversation because it knows the other era alone? One that has come to know this one refuses the other. */
export function isOfOtherEra(answer: Buffer | undefined): boolean {
  const said = answer && decode(answer);
  const error = isMembers(said) ? said['error'] : undefined;
  return isMembers(error) && error['code'] === UNSUPPORTED_VERSION;
}

const UNSUPPORTED_VERSION = -32022;

/** Whom to ask. */
export interface FindOptions {
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly reach: HttpClientOptions | undefined;
}

/**
 * Asks a server that has refused an opening what it speaks instead; `undefined` where it is none of these. It is opened in the
 * gateway's own words first: where that works, it was the caller whom it has refused.
 */
export async function findTransport(options: FindOptions): Promise<Transport | undefined> {
  const opened = await ask(options, OWN_OPENING.initialize, '2025-11-25');
  if (opened.result !== undefined) return 'http';
  if (!mayBeOther(opened.status)) return undefined;
  const { result } = await ask(options, OWN_QUESTION, '2026-07-28');
  const versions = result?.['supportedVersions'];
  if (Array.isArray(versions) && versions.includes('2026-07-28')) return 'stateless';
  return (await speaksSse(options)) ? 'sse' : undefined;
}

/** How long the server may take to say what it is. */
const FINDING_MS = 10_000;

/** What it answers a question of the gateway's own, and under which status. */
interface Said {
  readonly status: number;
  /** Absent where it has refused. */
  readonly result?: Members | undefined;
}

async function ask({ url, headers, reach }: FindOptions, body: Buffer, revision: Revision): Promise<Said> {
  const onMessage = (): void => {
    // Nobody listens yet.
  };
  const link = new HttpLink({ url, headers, reach, timeoutMs: FINDING_MS, onMessage });
  const said = await new Promise<Said>((resolve) => {
    link.request(
      { body, peek: peek(body), revision },
      {
        answered: (answer, head) => resolve({ status: head?.status ?? 0, result: resultOf(decode(answer)) }),
        related: onMessage,
        lost: (_fault, _original, head) => resolve({ status: head?.status ?? 0 }),
      },
    );
  });
  await link.close();
  return said;
}
