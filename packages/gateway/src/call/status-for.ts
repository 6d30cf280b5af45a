/** The HTTP status of a failing answer. */
import type { Fault, Json } from '@mayday/core';
import type { HttpWire } from '@mayday/core/dialects';
import { isMembers, type Said, type WireCall } from '@mayday/relay';

/** What the specification of 2026-07-28 demands for errors that are not the handler's own. */
const MODERN_STATUS: ReadonlyMap<number, number> = new Map([
  [-32700, 400],
  [-32600, 400],
  [-32601, 404],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
]);

/** With these, client and server agree on what they speak: whoever is told so looks for them under that status. */
const AGREES: ReadonlySet<number> = new Set([-32020, -32021, -32022]);

/**
 * At these clients send the same request again by themselves, and nobody counts it: over another connection (408, 421, 425 and 426, as
 * HTTP has it and `fetch` of Node and browsers does), or with another header (407, 417).
 */
const SENT_AGAIN: ReadonlySet<number> = new Set([407, 408, 417, 421, 425, 426]);

/** At these they do so once they have signed in, have opened a session or have waited: not where that would do it twice. */
const SENT_LATER: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/** In place of such a status where there has to be one of a failure. */
const NOT_SENT_AGAIN = 502;

/**
 * Most clients never look at the body of a failed HTTP request, so an error travels in a 200 wherever the
 * specification leaves the choice. Where the status itself is the message it stays: the door's own refusals,
 * authorization that can be had (a bare 403 asks nobody for anything), a lost session, and what 2026-07-28 demands.
 */
export function statusFor(
  call: WireCall,
  said: Said | undefined,
  { code, fault }: { readonly code: number; readonly fault: Fault },
): number {
  const isInDoubt = isLostInDoubt(call, fault);
  if (said?.type === 'nothing' && said.status !== undefined && !isInDoubt) return said.status;
  const status = statusOf(call, fault, said);
  if (status === 401 || (status === 403 && said?.headers?.['www-authenticate'] !== undefined)) return status;
  if (status !== undefined && status >= 400 && status < 500) {
    // A call whose server has failed is no wrong request, whatever the transport there made of ours.
    const isOfServer = fault.kind === 'internal' || fault.kind === 'misconfigured';
    const isCallFailed = isOfServer && said?.heard?.placement === 'tool';
    const saysError = said?.type === 'http' && said.body.includes('"jsonrpc"') && !isCallFailed;
    const inSession = status === 404 && call.headers['mcp-session-id'] !== undefined;
    // At 404 clients open a new session, and may send the call again: only where it was not known, and nothing was done.
    const isMeant = inSession ? isSessionLost(fault) && !isInDoubt : saysError;
    if (isMeant || call.peek.kind !== 'request') return status;
  }
  if (call.peek.kind !== 'request') return status ?? NOT_SENT_AGAIN;
  return demandedOf(call, fault, code) ?? 200;
}

/**
 * What the revision of a call demands of its error. A client of both eras takes 400 and 404 for a server of the other one, opens a
 * session there, and calls again: under these, nothing is told of work that may have been done.
 */
function demandedOf({ method, revision }: WireCall, { executed }: Fault, code: number): number | undefined {
  const mayBeDone = method === 'tools/call' && executed !== 'no';
  if (revision !== '2026-07-28' || (mayBeDone && !AGREES.has(code))) return undefined;
  return MODERN_STATUS.get(code);
}

/** Under which the server has answered, unless a client would send the call again for it that must not be. */
function statusOf(call: WireCall, fault: Fault, said: Said | undefined): number | undefined {
  if (said === undefined || said.type === 'nothing') return undefined;
  return repeats(call, fault, said.status) ? undefined : said.status;
}

function repeats({ method }: WireCall, { executed }: Fault, status: number): boolean {
  if (SENT_AGAIN.has(status)) return true;
  return method === 'tools/call' && executed !== 'no' && SENT_LATER.has(status);
}

/**
 * An answer whose dialect is one of HTTP and has a status of its own for every kind. Two others stay all the same: what the door
 * says, and the one at which clients open a new session.
 */
export function answeringTo(
  call: WireCall,
  wire: HttpWire,
  { fault, said }: { readonly fault: Fault; readonly said: Said | undefined },
): HttpWire['http'] {
  const status = statusOver(call, fault, said) ?? wire.http.status;
  return underStatus(wire, repeats(call, fault, status) ? NOT_SENT_AGAIN : status);
}

/** The same answer under another status, also where its body tells it. */
export function underStatus({ http }: HttpWire, status: number | undefined): HttpWire['http'] {
  if (status === undefined || status === http.status) return http;
  const body: Json = http.body;
  return { ...http, status, body: isMembers(body) && 'status' in body ? { ...body, status } : body };
}

function statusOver(call: WireCall, fault: Fault, said: Said | undefined): number | undefined {
  if (isLostInDoubt(call, fault)) return undefined;
  if (said?.type === 'nothing' && said.status !== undefined) return said.status;
  return isSessionLost(fault) && call.headers['mcp-session-id'] !== undefined ? 404 : undefined;
}

function isSessionLost({ kind, subject }: Fault): boolean {
  return kind === 'expired' && subject?.type === 'session';
}

/** Is its session not known, and was the call made all the same, for all we know? Its server may have told of it. */
function isLostInDoubt({ method }: WireCall, fault: Fault): boolean {
  return method === 'tools/call' && isSessionLost(fault) && fault.executed !== 'no';
}
