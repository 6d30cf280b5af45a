/** Whose credentials go to a server: of callers that are known here, only those that are for it too. */
import { passing } from '@mayday/policy';
import type { WireCall, WirePolicy } from '@mayday/relay';

/** Takes `Authorization` away from calls whose caller has sent it to us, and not to the server. */
export function keepCredentials(tokenAudience: string | undefined): WirePolicy {
  const kept = (call: WireCall): WireCall => {
    const { isKnown, audiences } = call.by;
    const isForServer = tokenAudience !== undefined && audiences?.includes(tokenAudience) === true;
    if (!isKnown || isForServer || call.headers['authorization'] === undefined) return call;
    return { ...call, headers: { ...call.headers, authorization: undefined } };
  };
  return passing({ before: kept });
}
