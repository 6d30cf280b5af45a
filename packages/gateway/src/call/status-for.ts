/** The HTTP status of a failing answer. */
import type { Said, WireCall } from '@mayday/relay';

/** What the specification of 2026-07-28 demands for errors that are not the handler's own. */
const MODERN_STATUS: ReadonlyMap<number, number> = new Map([
  [-32700, 400],
  [-32600, 400],
  [-32601, 404],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
]);

/**
 * Most clients never look at the body of a failed HTTP request, so an error travels in a 200 wherever the
 * specification leaves the choice. Where the status itself is the message it stays: the door's own refusals,
 * authorization, a lost session, and what 2026-07-28 demands.
 */
export function statusFor(call: WireCall, said: Said | undefined, code: number): number {
  if (said?.type === 'nothing' && said.status !== undefined) return said.status;
  const status = said === undefined || said.type === 'nothing' ? undefined : said.status;
  if (status === 401 || status === 403) return status;
  if (status !== undefined && status >= 400 && status < 500) {
    const saysError = said?.type === 'http' && said.body.includes('"jsonrpc"');
    const isSession = status === 404 && call.headers['mcp-session-id'] !== undefined;
    if (saysError || isSession || call.peek.kind !== 'request') return status;
  }
  if (call.peek.kind !== 'request') return status ?? 502;
  return call.revision === '2026-07-28' ? (MODERN_STATUS.get(code) ?? 200) : 200;
}
