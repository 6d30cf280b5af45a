/** Whoever is not let in: told why in the dialect that was asked for, while the operator hears of it. */
import type { Dialect } from '@mayday/core';
import type { Reply, RequestHead, TurnedAway, Unread, UnreadAnswer } from '@mayday/relay';
import { ADMIN_BODY_BYTES, ADMIN_DIALECT } from '../admin/over-http.ts';
import { askedFor, dialectFor } from '../call/dialects.ts';
import { FALLBACK } from '../call/say.ts';
import { GUARDED } from '../console/pages.ts';
import type { KnownCaller } from '../identity/keys.ts';
import { IssuerUnavailable } from '../identity/oauth/issuer-keys.ts';
import type { Setup } from '../setup.ts';
import type { DoorOptions } from './door-options.ts';
import { JOINED } from './joined-name.ts';
import {
  advised,
  type DoorFault,
  KEYS_UNKNOWN,
  refuse,
  refuseCall,
  TOKENS_UNKNOWN,
  turnedAway,
  unread,
} from './refusals.ts';
import { endpointOf, type Match } from './routes.ts';
import { matchIn } from './served.ts';
import type { StrangersCall } from './strangers.ts';

/** What is known of a request that is refused, beside why. */
export interface Refusal {
  /** What is wrong with its credential, for the operator. */
  readonly reason?: string | undefined;
  /** The call that it is, as far as somebody has read it. */
  readonly call?: StrangersCall | undefined;
}

/** Says no in the dialect of whoever sent a request, and tells the operator. */
export function turnAway(
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

/** What is said where there is no request, and so nobody who asked for a dialect. */
export function answerUnread(reason: Unread, { setup, root, onBug }: DoorOptions): UnreadAnswer {
  const { dialects } = setup();
  const dialect = dialectFor({ headers: {}, by: undefined }, root ?? JOINED, dialects);
  return unread(reason, { dialect, language: dialects.language, onBug });
}

/** Operators are told what to do; a browser is told to make nothing of it. */
function saidAt(match: Match | undefined, fault: DoorFault): DoorFault {
  if (match?.route.name === 'admin') return advised(fault);
  if (match?.route.name !== 'console') return fault;
  return { ...fault, headers: { ...GUARDED, 'cache-control': 'no-store', ...fault.headers } };
}

/** Why nobody can say whose credential it is; the operator is told what it is. */
export function unknowable(error: unknown, onBug: (error: unknown) => void): DoorFault {
  if (error instanceof IssuerUnavailable) return TOKENS_UNKNOWN;
  onBug(error);
  return KEYS_UNKNOWN;
}

/** What is known of somebody who is refused. */
interface Refused {
  readonly setup: Setup;
  readonly match: Match | undefined;
  readonly by: KnownCaller | undefined;
}

/** The dialect of a request as a call would have it; the endpoints of the operator speak that of the gateway. */
export function spokenAt(
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

/** What is said of a request that was not let in, whoever found that out. */
export function whyTurnedAway(reason: TurnedAway, request: RequestHead, options: DoorOptions): DoorFault {
  return turnedAway(reason, mostBytes(request, options), request.headers['content-length']);
}

/** The largest request that is taken. */
function mostBytes(request: RequestHead, options: DoorOptions): number {
  const setup = options.setup();
  const isAdmin = matchIn(setup, request, options)?.route.name === 'admin';
  return isAdmin ? ADMIN_BODY_BYTES : setup.settings.limits.bodyBytes;
}
