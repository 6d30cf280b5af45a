/** Which headers of a server's failing answer reach the caller: its words are redacted, and the rest says nothing to anybody. */
import type { ReplyHeaders } from '@mayday/relay';
import { safeChallenge } from './challenge.ts';

/** The session survives its failures, and without the challenge a client cannot find out where to log in. */
export function failingHeaders(status: number, headers: ReplyHeaders): ReplyHeaders {
  const kept: { [name: string]: string } = {};
  const session = headers['mcp-session-id'];
  const asked = status === 401 || status === 403 ? headers['www-authenticate'] : undefined;
  const challenge = asked === undefined ? '' : safeChallenge(asked);
  const wait = headers['retry-after'];
  const allow = status === 405 ? headers['allow'] : undefined;
  if (session !== undefined) kept['mcp-session-id'] = session;
  if (challenge !== '') kept['www-authenticate'] = challenge;
  if (wait !== undefined && /^\d{1,9}$/.test(wait)) kept['retry-after'] = wait;
  if (allow !== undefined && /^[A-Z, ]{1,100}$/.test(allow)) kept['allow'] = allow;
  return kept;
}
