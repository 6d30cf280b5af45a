/** Whose credentials go to a server: of callers that are known here, only those that are for it too. */
import type { WirePolicy } from '@mayday/relay';

/** Takes `Authorization` away from calls whose caller has sent it to us, and not to the server. */
export function keepCredentials(tokenAudience: string | undefined): WirePolicy {
  return (next) => (call) => {
    const { isKnown, audiences } = call.by;
    const isForServer = tokenAudience !== undefined && audiences?.includes(tokenAudience) === true;
    if (!isKnown || isForServer || call.headers['authorization'] === undefined) return next(call);
    return next({ ...call, headers: { ...call.headers, authorization: undefined } });
  };
}
