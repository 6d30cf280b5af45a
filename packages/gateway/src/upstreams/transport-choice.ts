/** Which transport a server behind a URL speaks, where that has to be found out. */
import type { Wire, WirePolicy } from '@mayday/relay';

/** What is known of it; shared by all that speak with the server. */
export interface TransportChoice {
  /** Absent as long as nobody knows. */
  transport: 'http' | 'sse' | undefined;
}

/** To an `initialize` over streamable HTTP, this may be said by a server that only speaks the older transport. */
const MAY_BE_OLDER: ReadonlySet<number> = new Set([400, 404, 405]);

/**
 * Sees how a server answers openings over streamable HTTP. Calls that it has answered as one that may only speak the older
 * transport are noted, by the headers that they came with.
 */
export function seeOpenings(choice: TransportChoice, older: WeakSet<readonly string[]>): WirePolicy {
  return (next) => (call) => {
    const outcome = next(call);
    return choice.transport !== undefined || call.method !== 'initialize'
      ? outcome
      : outcome.then((seen) => {
          if (seen.ok) choice.transport ??= 'http';
          else if (isSaidUnder(seen.value, mayBeOlder)) older.add(call.rawHeaders);
          return seen;
        });
  };
}

function isSaidUnder(said: Wire | undefined, fits: (status: number) => boolean): boolean {
  return (said?.type === 'http' || said?.type === 'message') && fits(said.status);
}

/** May the server that has answered an opening with this status be one that only speaks the older transport? */
export function mayBeOlder(status: number): boolean {
  return MAY_BE_OLDER.has(status);
}
