/** A server that does not know our session (any more). */
import type { FaultInit } from '@mayday/core';
import { deniesSession, isUnderPlaceholder, mayDenySession, saysUnopened } from '@mayday/core/http';
import { concernOf } from '@mayday/core/protocol';
import { systemClock } from '@mayday/policy';
import { isEventStream } from '../protocol/headers.ts';
import type { HttpHead } from './link.ts';
import { isPacked } from './packed.ts';
import { wholeHead } from './whole-head.ts';

/** Nobody says at length that there is no such session. */
const READ_AT_MOST = 64 * 1024;

/** Under a status of success most answers are another thing: they are not looked through for this. */
const LITTLE = 1000;

/** Which request, and in which session. */
interface AskedIn {
  readonly session: string;
  /** What the server knows the request by; absent where nobody waits for an answer. */
  readonly id?: string | number | undefined;
}

/**
 * To a request in a session, 404 means that the server does not know it, unless it says more; many use 400. What was said
 * to somebody else is about the session of that one.
 */
export function isSessionLost(head: HttpHead, body: Buffer, { session, id }: AskedIn): boolean {
  if (body.length > READ_AT_MOST || isPacked(head)) return false;
  if (head.status < 300 && (body.length > LITTLE || !body.includes('"error"'))) return false;
  const said = body.toString('utf8');
  if (!deniesSession({ ...wholeHead(head), body: said, session })) return false;
  if (concernOf(said, id, isEventStream(head.headers)) === 'own') return true;
  return head.status >= 300 && isUnderPlaceholder(said, id);
}

/** May the session be lost, with nothing proven of the request? Then only a question tells that does no harm. */
export function maySessionBeLost(head: HttpHead, came: Buffer, session: string): boolean {
  const body = isPacked(head) ? UNREAD : came;
  if (body.length > LITTLE || (head.status < 300 && !body.includes('"error"'))) return false;
  return mayDenySession({ ...wholeHead(head), body: body.toString('utf8'), session });
}

/** What a body says that nobody can read. */
const UNREAD: Buffer = Buffer.alloc(0);

/** Was the session never opened, by the server's own words? Then there is nothing to ask; still nothing is proven of the request. */
export function isSessionUnopened(head: HttpHead, body: Buffer): boolean {
  const { status } = head;
  return (
    !isPacked(head) &&
    body.length <= LITTLE &&
    body.includes('"error"') &&
    saysUnopened({ status, body: body.toString('utf8') })
  );
}

/**
 * Does this head name a session that is not the one in which was asked, if any? Then somebody may have made something of
 * the request. Only who opens a session is told the name of one that nobody knew.
 */
export function namesAnother(
  head: HttpHead,
  { session, method }: { readonly session: string | undefined; readonly method: string | undefined },
): boolean {
  const named = wholeHead(head).headers['mcp-session-id'];
  return method !== 'initialize' && named !== undefined && named !== session;
}

/** What the server said on another stream before that may come a moment later: so long it is waited for. */
const LAST_WORD_MS = 30;

/** Calls back once the last words were heard: those too that came while this process was busy, and wait to be read. */
export function afterLastWords(tell: () => void): void {
  setTimeout(() => {
    void Promise.resolve(systemClock.caughtUp?.()).then(tell);
  }, LAST_WORD_MS).unref();
}

/** What that means for the request. */
export const SESSION_LOST: FaultInit = {
  kind: 'expired',
  origin: 'upstream',
  executed: 'no',
  subject: { type: 'session' },
  message: 'The server does not know the session any more',
};
