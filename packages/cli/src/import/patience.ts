/** How long a client waits for a server: the gateway has to know it, and the client has to go on doing so. */
import type { TimeLimit } from './clients.ts';
import { entryParts } from './entry-parts.ts';
import { isObject } from './sections.ts';

/** The longest time that the gateway can wait. */
const MAX_MS = 2_147_483_647;
/** What it waits at most, where nothing is said. */
const USUAL_MAX_MS = 3_600_000;

/** The limits of an upstream. One that cannot be read is told. */
export function timeLimits(
  timeout: unknown,
  limit: TimeLimit | undefined,
  told: string[],
): { readonly timeout_ms?: number; readonly max_time_ms?: number } {
  if (timeout === undefined) return {};
  const ms = limit === undefined ? undefined : milliseconds(timeout, limit);
  if (ms !== undefined) return { timeout_ms: ms, ...(ms > USUAL_MAX_MS ? { max_time_ms: ms } : {}) };
  told.push(
    'timeout is left out; set timeout_ms in milliseconds, and if the client waits by it, set it again for the new entry',
  );
  return {};
}

/**
 * The `timeout` of one entry that takes the place of these: that of the most patient, where it is more than the client has by
 * itself. Shorter ones are kept by the gateway, and the client would give up all servers for the sake of one.
 */
export function longestLimit(entries: readonly unknown[], limit: TimeLimit | undefined): number | undefined {
  if (limit === undefined) return undefined;
  const said = entries.flatMap((entry) => {
    const timeout = isObject(entry) ? entryParts(entry).timeout : undefined;
    return typeof timeout === 'number' && milliseconds(timeout, limit) !== undefined ? [timeout] : [];
  });
  const longest = Math.max(limit.usual, ...said);
  return longest > limit.usual ? longest : undefined;
}

function milliseconds(timeout: unknown, { unit }: TimeLimit): number | undefined {
  const ms = typeof timeout === 'number' ? Math.ceil(timeout * (unit === 's' ? 1000 : 1)) : 0;
  return ms >= 1 && ms <= MAX_MS ? ms : undefined;
}
