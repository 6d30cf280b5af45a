/** One request at the gateway's door: where it wants to go, who it is, and whether it may. */
import type { Dialect, Language } from '@mayday/core';
import { isOfHttp } from '@mayday/core/dialects';
import {
  createPlaces,
  type Endpoint,
  type Entry,
  hasMethod,
  type Places,
  type Reply,
  type RequestHead,
  type TurnedAway,
} from '@mayday/relay';
import { ROOT } from '../admin/describe.ts';
import { ADMIN_BODY_BYTES, ADMIN_DIALECT, type AdminDoor, type AdminVisit } from '../admin/over-http.ts';
import { askedFor, DIALECT_HEADER, dialectFor, unknownDialect } from '../call/dialects.ts';
import { FALLBACK } from '../call/say.ts';
import { GUARDED } from '../console/pages.ts';
import type { ConsoleDoor } from '../console/serve.ts';
import type { KnownCaller } from '../identity/keys.ts';
import { IssuerUnavailable } from '../identity/oauth/issuer-keys.ts';
import { Stranger } from '../identity/stranger.ts';
import type { TurnedAwayVisit } from '../log-words.ts';
import { lineOf } from '../messages/line-of.ts';
import { mayRepeat } from '../messages/may-repeat.ts';
import type { DoorMessage } from '../messages/message-request.ts';
import type { Setup } from '../setup.ts';
import type { SseConversations } from '../sse/conversations.ts';
import { createLegacyVisits, type LegacyVisits } from '../sse/legacy-visits.ts';
import type { Telemetry } from '../telemetry/hooks.ts';
import type { Hop } from '../workers/hop.ts';
import { type About, aboutGateway, tell } from './about.ts';
import type { Holdings } from './holdings.ts';
import { JOINED } from './joined-name.ts';
import {
  advised,
  answering,
  CLOSING,
  type DoorFault,
  HOLDS_TOO_MUCH,
  KEYS_UNKNOWN,
  LEAVING,
  NOT_OPERATOR,
  notServed,
  notYours,
  READS_TOO_LITTLE,
  refuse,
  refuseCall,
  TOKENS_UNKNOWN,
  turnedAway,
  wrongMethod,
} from './refusals.ts';
import { endpointOf, type Match, matchRoute, mayReach, mayUse } from './routes.ts';
import { hearStranger, type StrangersCall } from './strangers.ts';
import { lacking, needed, shortOfOperator } from './tokens.ts';

/** What the door opens to. */
export interface DoorOptions {
  readonly setup: () => Setup;
  readonly isClosing: () => boolean;
  /** What operators are told. */
  readonly about: About;
  /** Knows who reads the metrics; absent where nothing is measured. */
  readonly telemetry?: Pick<Telemetry, 'metricsFor'> | undefined;
  /** Where other workers answer behind the same port; absent where this process is alone. */
  readonly hop?: Hop | undefined;
  /** What callers hold. All doors of a process share it. */
  readonly holdings: Holdings;
  /** Conversations of callers who only speak the transport of 2024-11-05. All doors of a process share them. */
  readonly conversations: SseConversations;
  /** Answers operators; absent where that is done at another door. */
  readonly admin?: AdminDoor | undefined;
  /** Serves the pages that operators look at; absent where that is done at another door. */
  readonly console?: ConsoleDoor | undefined;
  /** Nobody calls here: it has what is for operators, and nothing else. */
  readonly isOperatorsOnly?: boolean | undefined;
  readonly onBug: (error: unknown) => void;
  /** Somebody is not let in. */
  readonly onRefused: (visit: TurnedAwayVisit) => void;
  /** Serves this upstream at `/mcp`, in place of all of them joined. */
  readonly root: string | undefined;
  /** The endpoint that holds a session, where a reload has replaced the one that serves now. */
  readonly holderOf: (
    current: Endpoint,
    upstream: string,
    request: RequestHead,
    caller: KnownCaller,
  ) => Endpoint;
}

/** The way in. */
export interface Door {
  /** Looks at a request before its body is read; answers it, or says who will. */
  admit(request: RequestHead, reply: Reply): Entry | undefined | Promise<Entry | undefined>;
  /** The same for somebody who needs no key. */
  admitKnown(request: RequestHead, reply: Reply, caller: KnownCaller): Entry | undefined;
  /** Says no to a request that was not let in, in the dialect of whoever sent it. */
  turnAway(reason: TurnedAway, reply: Reply, request: RequestHead): void;
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
    // Whoever asks whether the process lives must not end it while it finishes its calls.
    if (options.isClosing() && match?.route.name !== 'health')
      return refused(options.hop === undefined ? CLOSING : LEAVING);
    const setup = options.setup();
    if (match === undefined) return refused(notServed(pathsFor(setup, caller, options), request.url));
    const { route } = match;
    const dialect = (): Dialect => spokenAt(request, { setup, match, by: caller }, options.root);
    if (!isTrusted && isNoPost(request, route) && dialect().postOnly === true)
      return refused(wrongMethod(['POST']));
    const hasSent = reason !== undefined || request.headers.authorization !== undefined;
    const short = shortOfOperator(route, caller, setup.oauth);
    if (short !== undefined) return refused(short);
    if (!mayUse(route, caller)) {
      if (caller !== undefined) return refused(notFor(match, pathsFor(setup, caller, options)));
      const fault = needed(hasSent, match, setup.oauth);
      const isCalls = route.role === 'caller' && setup.oauth === undefined; // who can log in has to see the status
      const as = (call?: StrangersCall): undefined => away(request, reply, fault, { reason, call });
      return (isCalls ? hearStranger(request, dialect(), as) : undefined) ?? as();
    }
    // Each of its paths has methods of its own.
    if (route.name === 'admin')
      return caller && enterAdmin(adminVisit(request, reply, caller, refused, inside), options);
    if (!route.methods.includes(request.method ?? '')) return refused(wrongMethod(route.methods));
    if (route.name !== 'joined' && route.name !== 'upstream')
      return answerAbout(route.name, request, reply, refused, options);
    if (caller === undefined) return refused(needed(hasSent, match, setup.oauth));
    const tooFew = lacking(caller, setup.oauth);
    if (tooFew !== undefined) return refused(tooFew);
    if (route.legacy !== undefined && isOfHttp(dialect())) return refused(notInStreams(dialect().id));
    const visitor = { match, caller, isTrusted, setup, refused, inside, legacy };
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
      const isForAnybody = match?.route.role === 'anybody';
      const found = isForAnybody ? undefined : setup.callers.find(request, endpointOf(match));
      const meet = (who: Awaited<typeof found>): Entry | undefined =>
        admitAs(request, reply, { ...knownOf(who), match, isTrusted: false });
      if (!(found instanceof Promise)) return meet(found);
      return found.then(
        // Who has left meanwhile holds nothing.
        (who) => (reply.isOpen ? meet(who) : undefined),
        (error: unknown) => away(request, reply, unknowable(error, options.onBug)),
      );
    },
    admitKnown,
    ...aboutMessages(options),
    turnAway: turnedAwayHere,
    staying: () => inside.all().map(({ caller }) => caller),
    turnOut: () => turnOut(inside.all(), options.setup()),
  };
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

/** Whoever may not be here any more leaves. */
function turnOut(guests: readonly Guest[], { callers }: Setup): void {
  for (const { caller, mayStay, reply } of guests) {
    const now = callers.again(caller);
    if (now === undefined || !mayStay(now)) reply.abort();
  }
}

/** Why a caller may not use a route. */
function notFor({ route }: Match, paths: readonly string[]): DoorFault {
  return route.name === 'admin' ? NOT_OPERATOR : notYours(paths);
}

/** What is known of a request that is refused, beside why. */
interface Refusal {
  /** What is wrong with its credential, for the operator. */
  readonly reason?: string | undefined;
  /** The call that it is, as far as somebody has read it. */
  readonly call?: StrangersCall | undefined;
}

/** Says no in the dialect of whoever sent a request, and tells the operator. */
function turnAway(
  request: RequestHead,
  reply: Reply,
  fault: DoorFault,
  { reason, call }: Refusal,
  options: DoorOptions,
): undefined {
  const setup = options.setup();
  const match = matchIn(setup, request, options);
  const by = setup.callers.known(request, endpointOf(match));
  const dialect = spokenAt(request, { setup, match, by }, options.root);
  options.onRefused({ ...fault, request, caller: by?.isKnown === true ? by.name : undefined, reason });
  const speech = { dialect, language: setup.dialects.language, onBug: options.onBug };
  const said = saidAt(match, fault);
  if (call === undefined || !refuseCall(reply, said, speech, call)) refuse(reply, said, speech);
}

/** Operators are told what to do; a browser is told to make nothing of it. */
function saidAt(match: Match | undefined, fault: DoorFault): DoorFault {
  if (match?.route.name === 'admin') return advised(fault);
  if (match?.route.name !== 'console') return fault;
  return { ...fault, headers: { ...GUARDED, 'cache-control': 'no-store', ...fault.headers } };
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

/** The route of a request, as far as it is served. */
function matchIn(
  { oauth }: Setup,
  { url }: RequestHead,
  { telemetry, admin, console, isOperatorsOnly }: DoorOptions,
): Match | undefined {
  const match = matchRoute(url ?? '/');
  if (match?.route.name === 'admin' && admin === undefined) return undefined;
  if (match?.route.name === 'console' && console === undefined) return undefined;
  if (isOperatorsOnly === true && !match?.route.path.startsWith('/-/')) return undefined;
  if (match?.route.name === 'metadata') return oauth === undefined ? undefined : match;
  if (match?.route.name !== 'metrics') return match;
  const metricsFor = telemetry?.metricsFor ?? 'off';
  if (metricsFor === 'off') return undefined;
  return metricsFor === 'anybody' ? { ...match, route: { ...match.route, role: 'anybody' } } : match;
}

/** Why nobody can say whose credential it is. A store that is down is told with the status, and no mistake of ours. */
function unknowable(error: unknown, onBug: (error: unknown) => void): DoorFault {
  if (error instanceof IssuerUnavailable) return TOKENS_UNKNOWN;
  if (!(error instanceof Error && error.name === 'StoreError')) onBug(error);
  return KEYS_UNKNOWN;
}

/** What is known of somebody who is refused. */
interface Refused {
  readonly setup: Setup;
  readonly match: Match | undefined;
  readonly by: KnownCaller | undefined;
}

/** The dialect of a request as a call would have it; the endpoints of the operator speak that of the gateway. */
function spokenAt(
  { headers }: RequestHead,
  { setup, match, by }: Refused,
  root: string | undefined,
): Dialect {
  const { language } = setup.dialects;
  if (match?.route.name === 'admin') return askedFor(headers, language) ?? language.dialect(ADMIN_DIALECT);
  const isOperators = match !== undefined && match.route.role !== 'caller';
  if (isOperators) return askedFor(headers, language) ?? FALLBACK;
  return dialectFor({ headers, by }, match?.upstream ?? root ?? JOINED, setup.dialects);
}

/** Somebody who listens. */
interface Guest {
  readonly caller: KnownCaller;
  /** May it, if this is what it is now? */
  readonly mayStay: (now: KnownCaller) => boolean;
  readonly reply: Reply;
}

/** An operator at the admin API. */
function adminVisit(
  request: RequestHead,
  reply: Reply,
  caller: KnownCaller,
  refused: AdminVisit['refused'],
  inside: Places<Guest>,
): AdminVisit {
  const mayStay = (now: KnownCaller): boolean => now.role === 'operator';
  return {
    request,
    reply,
    caller,
    refused,
    stays: () => reply.onClose(inside.add({ caller, mayStay, reply })),
  };
}

function whyTurnedAway(reason: TurnedAway, request: RequestHead, options: DoorOptions): DoorFault {
  return turnedAway(reason, mostBytes(request, options), request.headers['content-length']);
}

/** The largest request that is taken. */
function mostBytes(request: RequestHead, options: DoorOptions): number {
  const setup = options.setup();
  const isAdmin = matchIn(setup, request, options)?.route.name === 'admin';
  return isAdmin ? ADMIN_BODY_BYTES : setup.settings.limits.bodyBytes;
}

interface Visitor {
  readonly match: Match;
  readonly caller: KnownCaller;
  readonly isTrusted: boolean;
  readonly setup: Setup;
  readonly refused: (fault: DoorFault) => undefined;
  readonly inside: Places<Guest>;
  /** Answers those who only speak the transport of 2024-11-05. */
  readonly legacy: LegacyVisits;
}

function enter(
  request: RequestHead,
  reply: Reply,
  { match, caller, isTrusted, setup, refused, inside, legacy }: Visitor,
  options: DoorOptions,
): Entry | undefined {
  const name = match.upstream ?? options.root;
  const current = name === undefined ? setup.joined : servedAs(name, setup);
  if (!mayReach(caller, match.upstream)) return refused(notYours(pathsFor(setup, caller, options)));
  if (current === undefined) return refused(notServed(pathsFor(setup, caller, options), request.url));
  const asked = request.headers[DIALECT_HEADER];
  const { language } = setup.dialects;
  if (typeof asked === 'string' && askedFor(request.headers, language) === undefined)
    return refused(noSuchDialect(asked, language));
  const { bodyBytes, callerBytes } = setup.settings.limits;
  const cut = (): void => {
    options.onRefused({ ...READS_TOO_LITTLE, request, caller: caller.name });
    reply.abort();
  };
  const holding = options.holdings.take(caller.id, sizeOf(request, bodyBytes), callerBytes, cut);
  if (holding === undefined) return refused(HOLDS_TOO_MUCH);
  reply.onClose(holding.release);
  if (!isTrusted) reply.onUnread(holding.unread);
  const isLegacy = match.route.legacy !== undefined;
  const answer = (head: RequestHead, body: Buffer): void => {
    if (!isTrusted && isStanding(head, body))
      reply.onClose(inside.add({ caller, mayStay: (now) => mayReach(now, match.upstream), reply }));
    const visit = { request: head, body, reply, caller, room: holding };
    if (isLegacy) legacy.handle({ ...visit, holding }, match, refused);
    else options.holderOf(current, name ?? JOINED, head, caller).handle(visit);
  };
  return {
    maxBodyBytes: bodyBytes,
    handle(body) {
      if (options.isClosing()) return refused(answering(body, options.hop === undefined ? CLOSING : LEAVING));
      holding.resize(body.length);
      if (options.hop === undefined) return answer(request, body);
      const here = (head: RequestHead): void => answer(head, body);
      options.hop.call({ request, body, reply, refused, name: name ?? JOINED, setup, isLegacy, here });
    },
  };
}

/** What answers under a name: an upstream, or a server that is made of several. */
function servedAs(name: string, { upstreams, virtual }: Setup): Endpoint | undefined {
  return (upstreams.get(name) ?? virtual.get(name))?.endpoint;
}

/** How large its body says it is; as large as any, where it does not say. */
function sizeOf({ headers, method }: RequestHead, largest: number): number {
  const said = headers['content-length'];
  if (said === undefined) return headers['transfer-encoding'] === undefined || method === 'GET' ? 0 : largest;
  return Math.min(Number(said), largest);
}

/** Does its answer never end by itself? */
function isStanding({ method }: RequestHead, body: Buffer): boolean {
  return method === 'GET' || hasMethod(body, 'subscriptions/listen');
}

/** What a caller may try instead; a stranger learns nothing. */
function pathsFor(
  setup: Setup,
  caller: KnownCaller | undefined,
  { isOperatorsOnly }: DoorOptions,
): readonly string[] {
  if (caller === undefined) return [];
  if (isOperatorsOnly === true) return [`${ROOT}/openapi.json`, '/-/status', '/-/faults'];
  const usable = [...setup.upstreams.keys()].filter((name) => setup.rules?.mayUseAny(caller, name) !== false);
  const own = [...usable, ...setup.virtual.keys()].filter((name) => mayReach(caller, name));
  const isJoined = setup.joined !== undefined && mayReach(caller, undefined);
  return [...(isJoined ? ['/mcp'] : []), ...own.map((name) => `/${name}/mcp`)];
}

function notInStreams(dialect: string): DoorFault {
  const message = `The dialect ${dialect} is one of HTTP and cannot be spoken here; ask for another one, or use /mcp`;
  return { status: 400, fault: { kind: 'invalid_request', origin: 'caller', executed: 'no', message } };
}

function noSuchDialect(asked: string, language: Language): DoorFault {
  return {
    status: 400,
    fault: {
      kind: 'invalid_request',
      origin: 'caller',
      executed: 'no',
      message: unknownDialect(asked, language),
    },
  };
}
