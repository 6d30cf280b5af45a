/** What is told of the gateway, to operators and to whoever asks whether it lives. */
import { encode, type Reply, type ReplyHeaders } from '@mayday/relay';
import type { FaultEntry } from '../faults/fault-log.ts';
import { type FaultQuery, faultQueryOf } from '../faults/fault-query.ts';
import type { Setup } from '../setup.ts';
import type { State } from '../state/state.ts';
import type { GatewayStatus } from '../status.ts';
import { type DoorFault, notServed, wrongQuery } from './refusals.ts';
import { type Match, pathOf } from './routes.ts';

/** Which failures are asked for, where the question can be understood. */
type AskedFaults = Exclude<FaultQuery, { readonly wrong: string }>;

/** Everything there is to tell. */
export interface About {
  readonly health: State['health'];
  status(): Promise<GatewayStatus>;
  /** As Prometheus reads them. */
  metrics(): Promise<string>;
  /** The last failures that fit. */
  faults(url: string, query: AskedFaults): Promise<readonly FaultEntry[]>;
}

/** As metrics are read. */
const PLAIN_TEXT: ReplyHeaders = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };

/** An answer about the gateway. */
interface Answer {
  readonly status?: number;
  /** Nothing is served there, if absent. */
  readonly body?: unknown;
  /** In place of a body in JSON. */
  readonly text?: string;
  /** The question cannot be understood. */
  readonly wrong?: string;
}

/** Gives the answer. */
export function tell(
  { wrong, status = 200, body, text }: Answer,
  reply: Reply,
  refused: (fault: DoorFault) => undefined,
): void {
  if (wrong !== undefined) refused(wrongQuery(wrong));
  else if (text !== undefined) reply.raw(status, PLAIN_TEXT, Buffer.from(text));
  else if (body === undefined) refused(notServed([]));
  else reply.json(status, encode(body));
}

/** What the gateway says about itself at one of its paths. */
export async function aboutGateway(
  name: Exclude<Match['route']['name'], 'joined' | 'upstream' | 'admin' | 'console'>,
  url: string,
  { setup, about }: { readonly setup: () => Setup; readonly about: About },
): Promise<Answer> {
  if (name === 'health') return { body: { ok: true } };
  if (name === 'metadata') return { body: setup().oauth?.resource.metadataAt(pathOf(url)) };
  if (name === 'metrics') return { text: await about.metrics() };
  if (name === 'faults') {
    const query = faultQueryOf(url);
    return 'wrong' in query ? query : { body: { faults: await about.faults(url, query) } };
  }
  if (name === 'status') return { body: await about.status() };
  const { isReady } = await about.health();
  return { status: isReady ? 200 : 503, body: { ok: isReady } };
}
