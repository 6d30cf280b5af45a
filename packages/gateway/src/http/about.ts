/** What the gateway tells about itself. */
import { encode, type Reply, type ReplyHeaders } from '@mayday/relay';
import type { FaultLog } from '../faults/fault-log.ts';
import { faultQueryOf } from '../faults/fault-query.ts';
import type { Setup } from '../setup.ts';
import type { State } from '../state/state.ts';
import type { GatewayStatus } from '../status.ts';
import type { Telemetry } from '../telemetry/hooks.ts';
import { type DoorFault, notServed, wrongQuery } from './refusals.ts';
import { type Match, pathOf } from './routes.ts';

/** Where it is known. */
export interface AboutContext {
  readonly setup: () => Setup;
  readonly journal: FaultLog;
  readonly health: State['health'];
  /** Has the metrics; absent where nothing is measured. */
  readonly telemetry?: Telemetry | undefined;
  readonly status: () => Promise<GatewayStatus>;
}

/** As metrics are read. */
const PLAIN_TEXT: ReplyHeaders = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };

/** What is told. */
export interface AboutGateway {
  readonly status?: number;
  /** Nothing is served there, if absent. */
  readonly body?: unknown;
  /** In place of a body in JSON. */
  readonly text?: string;
  /** The question cannot be understood. */
  readonly wrong?: string;
}

/** Tells it. */
export function tell(
  { wrong, status = 200, body, text }: AboutGateway,
  reply: Reply,
  refused: (fault: DoorFault) => undefined,
): void {
  if (wrong !== undefined) refused(wrongQuery(wrong));
  else if (text !== undefined) reply.raw(status, PLAIN_TEXT, Buffer.from(text));
  else if (body === undefined) refused(notServed([]));
  else reply.json(status, encode(body));
}

/** What somebody asks about the gateway itself. */
export async function aboutGateway(
  name: Exclude<Match['route']['name'], 'joined' | 'upstream' | 'admin'>,
  url: string,
  { setup, journal, health, status, telemetry }: AboutContext,
): Promise<AboutGateway> {
  if (name === 'health') return { body: { ok: true } };
  if (name === 'metadata') return { body: setup().oauth?.resource.metadataAt(pathOf(url)) };
  if (name === 'metrics') return { text: (await telemetry?.metrics()) ?? '' };
  if (name === 'faults') {
    const query = faultQueryOf(url);
    return 'wrong' in query ? query : { body: { faults: journal.list(query.limit, query.fits) } };
  }
  if (name === 'status') return { body: await status() };
  const { isReady } = await health();
  return { status: isReady ? 200 : 503, body: { ok: isReady } };
}
