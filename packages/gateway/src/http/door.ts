/** One request at the gateway's door: where it wants to go, who it is, and whether it may. */
import type { IncomingMessage } from 'node:http';
import { createPlaces, type Endpoint, type Entry, encode, type Places, type Reply } from '@mayday/relay';
import { DIALECT_HEADER, isDialectId, unknownDialect } from '../call/dialects.ts';
import type { FaultLog } from '../faults/fault-log.ts';
import type { KnownCaller } from '../identity/keys.ts';
import type { Setup } from '../setup.ts';
import { statusOf } from '../status.ts';
import { createHoldings, type Holdings } from './holdings.ts';
import {
  CLOSING,
  type DoorFault,
  HOLDS_TOO_MUCH,
  NO_KEY,
  NOT_YOURS,
  notServed,
  refuse,
  wrongMethod,
} from './refusals.ts';
import { type Match, matchRoute, mayReach, mayUse } from './routes.ts';

/** What the door opens to. */
export interface DoorOptions {
  readonly setup: () => Setup;
  readonly isClosing: () => boolean;
  readonly journal: FaultLog;
  readonly startedAt: number;
  /** Serves this upstream at `/mcp`, in place of all of them joined. */
  readonly root: string | undefined;
  /** The endpoint that holds a session, where a reload has replaced the one that serves now. */
  readonly holderOf: (
    current: Endpoint,
    upstream: string,
    request: IncomingMessage,
    caller: KnownCaller,
  ) => Endpoint;
}

/** The way in. */
export interface Door {
  /** Looks at a request before its body is read; answers it, or says who will. */
  admit(request: IncomingMessage, reply: Reply): Entry | undefined;
  /** Cuts the standing streams of callers who may not be here any more; calls in flight are answered. */
  turnOut(): void;
}

/** Creates the door. */
export function createDoor(options: DoorOptions): Door {
  const inside = createPlaces<Guest>();
  const holdings = createHoldings();
  const admit: Door['admit'] = (request, reply) => {
    const turnAway = (fault: DoorFault): undefined => {
      refuse(reply, fault);
      return undefined;
    };
    if (options.isClosing()) return turnAway(CLOSING);
    const setup = options.setup();
    const caller = setup.keys.find(request.headers.authorization);
    const match = matchRoute(request.url ?? '/');
    if (match === undefined) return turnAway(notServed(pathsFor(setup, caller)));
    const { route } = match;
    if (!mayUse(route, caller)) return turnAway(caller === undefined ? NO_KEY : NOT_YOURS);
    if (!route.methods.includes(request.method ?? '')) return turnAway(wrongMethod(route.methods));
    if (route.name === 'health' || route.name === 'status' || route.name === 'faults') {
      reply.json(200, encode(operatorAnswer(route.name, request.url ?? '', setup, options)));
      return undefined;
    }
    return caller === undefined
      ? turnAway(NO_KEY)
      : enter(request, reply, { match, caller, setup, turnAway, inside, holdings }, options);
  };
  const turnOut = (): void => {
    const { keys } = options.setup();
    for (const { caller, upstream, reply } of inside.all()) {
      const now = keys.again(caller);
      if (now === undefined || !mayReach(now, upstream)) reply.abort();
    }
  };
  return { admit, turnOut };
}

/** Somebody with a key who listens. */
interface Guest {
  readonly caller: KnownCaller;
  readonly upstream: string | undefined;
  readonly reply: Reply;
}

interface Visitor {
  readonly match: Match;
  readonly caller: KnownCaller;
  readonly setup: Setup;
  readonly turnAway: (fault: DoorFault) => undefined;
  readonly inside: Places<Guest>;
  readonly holdings: Holdings;
}

function enter(
  request: IncomingMessage,
  reply: Reply,
  { match, caller, setup, turnAway, inside, holdings }: Visitor,
  options: DoorOptions,
): Entry | undefined {
  const name = match.upstream ?? options.root;
  const current = name === undefined ? setup.joined : setup.upstreams.get(name)?.endpoint;
  if (!mayReach(caller, match.upstream)) return turnAway(NOT_YOURS);
  if (current === undefined) return turnAway(notServed(pathsFor(setup, caller)));
  const asked = request.headers[DIALECT_HEADER];
  if (typeof asked === 'string' && !isDialectId(asked)) return turnAway(noSuchDialect(asked));
  const { bodyBytes, callerBytes } = setup.settings.limits;
  const holding = holdings.take(caller.id, sizeOf(request, bodyBytes), callerBytes);
  if (holding === undefined) return turnAway(HOLDS_TOO_MUCH);
  reply.onClose(holding.release);
  const endpoint = options.holderOf(current, name ?? JOINED, request, caller);
  return {
    maxBodyBytes: bodyBytes,
    handle(body) {
      holding.resize(body.length);
      if (caller.isKnown && isStanding(request, body))
        reply.onClose(inside.add({ caller, upstream: match.upstream, reply }));
      endpoint.handle({ request, body, reply, caller });
    },
  };
}

/** How large its body says it is; as large as any, where it does not say. */
function sizeOf({ headers, method }: IncomingMessage, largest: number): number {
  const said = headers['content-length'];
  if (said === undefined) return headers['transfer-encoding'] === undefined || method === 'GET' ? 0 : largest;
  return Math.min(Number(said), largest);
}

/** Does its answer never end by itself? */
function isStanding({ method }: IncomingMessage, body: Buffer): boolean {
  return method === 'GET' || body.includes('"subscriptions/listen"');
}

/** Under this name the joined endpoint is kept; no upstream can have it. */
export const JOINED = '';

function operatorAnswer(
  name: 'health' | 'status' | 'faults',
  url: string,
  setup: Setup,
  options: DoorOptions,
): object {
  if (name === 'health') return { ok: true };
  if (name === 'faults') return { faults: options.journal.list(limitIn(url)) };
  return statusOf([...setup.upstreams.values()], options.journal, options.startedAt);
}

function limitIn(url: string): number {
  const limit = Number(/[?&]limit=(\d{1,9})(?:&|$)/.exec(url)?.[1] ?? 100);
  return Math.min(1000, Math.max(1, limit));
}

/** What a caller may try instead; a stranger learns nothing. */
function pathsFor(setup: Setup, caller: KnownCaller | undefined): readonly string[] {
  if (caller === undefined) return [];
  const own = [...setup.upstreams.keys()].filter((name) => mayReach(caller, name));
  return [...(mayReach(caller, undefined) ? ['/mcp'] : []), ...own.map((name) => `/${name}/mcp`)];
}

function noSuchDialect(asked: string): DoorFault {
  return {
    status: 400,
    fault: { kind: 'invalid_request', origin: 'caller', executed: 'no', message: unknownDialect(asked) },
  };
}
