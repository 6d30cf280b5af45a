/** One request at the gateway's door: where it wants to go, who it is, and whether it may. */
import type { Dialect } from '@mayday/core';
import { isOfHttp } from '@mayday/core/dialects';
import {
  createPlaces,
  type Entry,
  type Reply,
  type RequestHead,
  type TurnedAway,
  type Unread,
  type UnreadAnswer,
} from '@mayday/relay';
import type { AdminVisit } from '../admin/over-http.ts';
import type { KnownCaller } from '../identity/keys.ts';
import { Stranger } from '../identity/stranger.ts';
import { lineOf } from '../messages/line-of.ts';
import { mayRepeat } from '../messages/may-repeat.ts';
import type { DoorMessage } from '../messages/message-request.ts';
import { createLegacyVisits } from '../sse/legacy-visits.ts';
import { aboutGateway, tell } from './about.ts';
import type { DoorOptions } from './door-options.ts';
import { enter } from './enter.ts';
import { adminVisit, type Guest, turnOut } from './guests.ts';
import { meetPage } from './pages.ts';
import {
  CLOSING,
  type DoorFault,
  FOR_OPERATORS,
  hangingUp,
  inDoubt,
  LEAVING,
  NOT_OPERATOR,
  notServed,
  notYours,
  UNMEASURED,
  wrongMethod,
} from './refusals.ts';
import { endpointOf, type Match, matchRoute, mayUse } from './routes.ts';
import { matchIn, pathsFor } from './served.ts';
import { hearOut } from './strangers.ts';
import { lacking, needed, shortOfOperator } from './tokens.ts';
import { answerUnread, type Refusal, spokenAt, turnAway, unknowable, whyTurnedAway } from './turn-away.ts';

/** The way in. */
export interface Door {
  /** Looks at a request before its body is read; answers it, or says who will. */
  admit(request: RequestHead, reply: Reply): Entry | undefined | Promise<Entry | undefined>;
  /** The same for somebody who needs no key. */
  admitKnown(request: RequestHead, reply: Reply, caller: KnownCaller): Entry | undefined;
  /** Says no to a request that was not let in, in the dialect of whoever sent it. */
  turnAway(reason: TurnedAway, reply: Reply, request: RequestHead): void;
  /** What is said where there is no request that could be let in. */
  unread(reason: Unread): UnreadAnswer;
  /** May a message that came to this path be said once more, where its server has forgotten the conversation? */
  mayRepeat(message: DoorMessage, path: string): boolean;
  /** The line in which a request that came to this path waits for its turn; none where it never waits. */
  lineOf(message: DoorMessage, path: string): string | undefined;
  /** Those who have a stream that stands. */
  staying(): readonly KnownCaller[];
  /** Cuts the standing streams of callers who may not be here any more; calls in flight are answered. */
  turnOut(): void;
}

/** Creates the door. */
export function createDoor(options: DoorOptions): Door {
  const inside = createPlaces<Guest>();
  const away = (request: RequestHead, reply: Reply, fault: DoorFault, more: Refusal = {}): undefined =>
    turnAway(request, reply, fault, more, options);
  const admitAs = (request: RequestHead, reply: Reply, known: Known): Entry | undefined => {
    const { caller, match, isTrusted, reason } = known;
    const refused = (fault: DoorFault): undefined => away(request, reply, fault, { reason });
    const heard = (fault: DoorFault, isWhoCalls?: boolean): Entry | undefined =>
      turnAwayHeard(request, reply, fault, { ...known, isWhoCalls }, options);
    // Whoever asks whether the process lives must not end it while it finishes its calls.
    if (options.isClosing() && match?.route.name !== 'health')
      return heard(options.hop === undefined ? CLOSING : LEAVING);
    const setup = options.setup();
    if (match === undefined) return heard(nothingFor(request, caller, options), false);
    const { route } = match;
    const dialect = (): Dialect => spokenAt(request, { setup, match, by: caller }, options.root);
    if (!isTrusted && isNoPost(request, route) && dialect().postOnly === true)
      return refused(wrongMethod(['POST']));
    const hasSent = reason !== undefined || request.headers.authorization !== undefined;
    const short = shortOfOperator(route, caller, setup.oauth);
    if (short !== undefined) return refused(short);
    if (!mayUse(route, caller)) return heard(barred(match, caller, hasSent, options), true);
    // Each of its paths has methods of its own.
    if (route.name === 'admin')
      return caller && enterAdmin(adminVisit(request, reply, caller, refused, inside), options);
    if (!route.methods.includes(request.method ?? '')) return refused(wrongMethod(route.methods));
    if (route.name !== 'joined' && route.name !== 'upstream')
      return answerAbout(route.name, request, reply, refused, options);
    if (caller === undefined) return refused(needed(hasSent, match, setup.oauth));
    const tooFew = lacking(caller, setup.oauth);
    if (tooFew !== undefined) return heard(tooFew);
    if (route.legacy !== undefined && isOfHttp(dialect())) return heard(notInStreams(dialect().id));
    const visitor = { match, caller, isTrusted, setup, refused, heard, inside, legacy };
    return enter(request, reply, visitor, options);
  };
  const turnedAwayHere: Door['turnAway'] = (reason, reply, request) =>
    away(request, reply, whyTurnedAway(reason, request, options));
  const admitKnown: Door['admitKnown'] = (request, reply, caller) =>
    admitAs(request, reply, { caller, match: matchIn(options.setup(), request, options), isTrusted: true });
  const legacy = createLegacyVisits({ ...options, admit: admitKnown, turnAway: turnedAwayHere });
  return {
    admit(request, reply) {
      const setup = options.setup();
      const match = matchIn(setup, request, options);
      if (meetPage(request, reply, match)) return undefined;
      const isForAnybody = match?.route.role === 'anybody';
      const found = isForAnybody ? undefined : setup.callers.find(request, endpointOf(match));
      const meet = (who: Awaited<typeof found>): Entry | undefined =>
        admitAs(request, reply, { ...knownOf(who), match, isTrusted: false });
      if (!(found instanceof Promise)) return meet(found);
      return found.then(
        // Who has left meanwhile holds nothing.
        (who) => (reply.isOpen ? meet(who) : undefined),
        (error: unknown) =>
          turnAwayHeard(request, reply, unknowable(error, options.onBug), { match }, options),
      );
    },
    admitKnown,
    ...aboutMessages(options),
    turnAway: turnedAwayHere,
    unread: (reason) => answerUnread(reason, options),
    staying: () => inside.all().map(({ caller }) => caller),
    turnOut: () => turnOut(inside.all(), options.setup()),
  };
}

/** Why somebody may not use what they ask for: who they are is not known, or it is not for them. */
function barred(
  match: Match,
  caller: KnownCaller | undefined,
  hasSent: boolean,
  options: DoorOptions,
): DoorFault {
  const setup = options.setup();
  return caller === undefined
    ? needed(hasSent, match, setup.oauth)
    : notFor(match, pathsFor(setup, caller, options));
}

/** What is known of somebody who is not let in. */
interface Heeded extends Partial<Omit<Known, 'match'>>, Pick<Known, 'match'> {
  /** Is it about who calls? In a closed document that is answered as a call is. */
  readonly isWhoCalls?: boolean | undefined;
}

/** Says no when it is known what was sent: of a call under a key that may have been made before, nobody is told that it was not. */
function turnAwayHeard(
  request: RequestHead,
  reply: Reply,
  fault: DoorFault,
  { match, caller, reason, isWhoCalls = caller === undefined }: Heeded,
  options: DoorOptions,
): Entry | undefined {
  const away = (said: DoorFault, more: Refusal): undefined => turnAway(request, reply, said, more, options);
  if (match !== undefined && match.route.role !== 'caller') return away(fault, { reason });
  const setup = options.setup();
  const dialect = spokenAt(request, { setup, match, by: caller }, options.root);
  // Who can log in has to see the status.
  const isInResult = isWhoCalls && dialect.closed === true && setup.oauth === undefined;
  return hearOut(
    request,
    dialect,
    { reply, hearing: options.hearing },
    ({ call, isDoubtful, isCutShort }) => {
      const said = isDoubtful ? inDoubt(fault) : fault;
      return away(isCutShort === true ? hangingUp(said) : said, {
        reason,
        call: isInResult ? call : undefined,
      });
    },
  );
}

function aboutMessages(options: DoorOptions): Pick<Door, 'mayRepeat' | 'lineOf'> {
  return {
    mayRepeat: (message, path) => mayRepeat(message, path, options),
    lineOf: (message, path) => lineOf(message, path, options),
  };
}

function isNoPost({ method }: RequestHead, { role }: Match['route']): boolean {
  return role === 'caller' && method !== 'POST';
}

/** An operator's request; where there are several workers, one of them has all of these. */
function enterAdmin(visit: AdminVisit, { admin, hop }: DoorOptions): Entry | undefined {
  const here = (): Entry | undefined => admin?.enter(visit);
  return hop === undefined ? here() : hop.admin(visit, here);
}

/** Tells what somebody asks about the gateway itself. */
function answerAbout(
  name: Parameters<typeof aboutGateway>[0] | 'console',
  request: RequestHead,
  reply: Reply,
  refused: (fault: DoorFault) => undefined,
  options: DoorOptions,
): undefined {
  if (name === 'console')
    return void options.console?.answer(request, reply, refused).catch((error: unknown) => {
      options.onBug(error);
      reply.abort();
    });
  void aboutGateway(name, request.url ?? '', options).then(
    (about) => tell(about, reply, refused),
    options.onBug,
  );
}

/** Why a caller may not use a route. */
function notFor({ route }: Match, paths: readonly string[]): DoorFault {
  if (route.name === 'admin') return NOT_OPERATOR;
  return route.role === 'operator' ? FOR_OPERATORS : notYours(paths);
}

/** What is said where nothing is served. */
function nothingFor(request: RequestHead, caller: KnownCaller | undefined, options: DoorOptions): DoorFault {
  const route = matchRoute(request.url ?? '/')?.route;
  if (route?.name === 'metrics' && mayUse(route, caller)) return UNMEASURED;
  return notServed(pathsFor(options.setup(), caller, options), request.url);
}

/** What is known of somebody at the door. */
interface Known {
  readonly caller: KnownCaller | undefined;
  readonly match: Match | undefined;
  /** Needs no key, whatever keys there are. */
  readonly isTrusted: boolean;
  /** What is wrong with its credential, for the operator. */
  readonly reason?: string | undefined;
}

/** Strangers are nobody; what speaks against them is for the operator. */
function knownOf(who: KnownCaller | Stranger | undefined): Pick<Known, 'caller' | 'reason'> {
  return who instanceof Stranger ? { caller: undefined, reason: who.reason } : { caller: who };
}

function notInStreams(dialect: string): DoorFault {
  const message = `The dialect ${dialect} is one of HTTP and cannot be spoken here; ask for another one, or use /mcp`;
  return { status: 400, fault: { kind: 'invalid_request', origin: 'caller', executed: 'no', message } };
}
