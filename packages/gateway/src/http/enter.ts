/** Somebody who may call: what is served there, room for what it brings, and the endpoint that answers. */
import type { Language } from '@mayday/core';
import { type Entry, hasMethod, type Places, type Reply, type RequestHead } from '@mayday/relay';
import { askedFor, DIALECT_HEADER, unknownDialect } from '../call/dialects.ts';
import type { KnownCaller } from '../identity/keys.ts';
import type { Setup } from '../setup.ts';
import type { LegacyVisits } from '../sse/legacy-visits.ts';
import type { DoorOptions } from './door-options.ts';
import type { Guest } from './guests.ts';
import { JOINED } from './joined-name.ts';
import {
  answering,
  CLOSING,
  type DoorFault,
  HOLDS_TOO_MUCH,
  inDoubt,
  LEAVING,
  notServed,
  notYours,
  READS_TOO_LITTLE,
} from './refusals.ts';
import { type Match, mayReach } from './routes.ts';
import { pathsFor, servedAs } from './served.ts';
import { mayRepeatMade, mayRepeatUnread, TELLING } from './strangers.ts';
import { whyTurnedAway } from './turn-away.ts';

/** Who it is, and what is known of it. */
export interface Visitor {
  readonly match: Match;
  readonly caller: KnownCaller;
  readonly isTrusted: boolean;
  readonly setup: Setup;
  readonly refused: (fault: DoorFault) => undefined;
  /** The same once it is known what was sent. `isWhoCalls`: to somebody who may not be here at all. */
  readonly heard: (fault: DoorFault, isWhoCalls?: boolean) => Entry | undefined;
  readonly inside: Places<Guest>;
  /** Answers those who only speak the transport of 2024-11-05. */
  readonly legacy: LegacyVisits;
}

/** Takes its request in: whoever reads the body hands it on; undefined where it was refused. */
export function enter(
  request: RequestHead,
  reply: Reply,
  { match, caller, isTrusted, setup, refused, heard, inside, legacy }: Visitor,
  options: DoorOptions,
): Entry | undefined {
  const name = match.upstream ?? options.root;
  const current = name === undefined ? setup.joined : servedAs(name, setup);
  if (!mayReach(caller, match.upstream)) return heard(notYours(pathsFor(setup, caller, options)), true);
  if (current === undefined) return heard(notServed(pathsFor(setup, caller, options), request.url));
  const asked = request.headers[DIALECT_HEADER];
  const { language } = setup.dialects;
  if (typeof asked === 'string' && askedFor(request.headers, language) === undefined)
    return heard(noSuchDialect(asked, language));
  const { bodyBytes, callerBytes } = setup.settings.limits;
  const cut = (): void => {
    options.onRefused({ ...READS_TOO_LITTLE, request, caller: caller.name });
    reply.abort();
  };
  const holding = options.holdings.take(caller.id, sizeOf(request, bodyBytes), callerBytes, cut);
  if (holding === undefined) return heard(HOLDS_TOO_MUCH);
  reply.onClose(holding.release);
  if (!isTrusted) reply.onUnread(holding.unread);
  const isLegacy = match.route.legacy !== undefined;
  const refusedOnce = (body: Buffer) => (fault: DoorFault) =>
    refused(mayRepeatMade(body) ? inDoubt(fault) : fault);
  const answer = (head: RequestHead, body: Buffer): void => {
    if (!isTrusted && isStanding(head, body))
      reply.onClose(inside.add({ caller, mayStay: (now) => mayReach(now, match.upstream), reply }));
    const visit = { request: head, body, reply, caller, room: holding };
    if (isLegacy) legacy.handle({ ...visit, holding }, match, refusedOnce(body));
    else options.holderOf(current, name ?? JOINED, head, caller).handle(visit);
  };
  return {
    maxBodyBytes: bodyBytes,
    sought: TELLING,
    tooLarge(found) {
      const fault = whyTurnedAway('too_large', request, options);
      refused(mayRepeatUnread(found) ? inDoubt(fault) : fault);
    },
    handle(body) {
      const no = refusedOnce(body);
      if (options.isClosing()) return no(answering(body, options.hop === undefined ? CLOSING : LEAVING));
      holding.resize(body.length);
      if (options.hop === undefined) return answer(request, body);
      const here = (head: RequestHead): void => answer(head, body);
      options.hop.call({ request, body, reply, refused: no, name: name ?? JOINED, setup, isLegacy, here });
    },
  };
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
