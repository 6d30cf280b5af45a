/** Which worker answers a request: the one that has its session, or what all callers without a session share. */
import { locate, peek } from '@mayday/relay';
import { JOINED } from '../http/joined-name.ts';
import type { Setup } from '../setup.ts';
import type { Upstream } from '../upstreams/upstream.ts';

/**
 * What an endpoint has in common for callers without a session, so that one worker has it: `all` where there is a process,
 * `tasks` where it has to be known who runs them, nothing where each request stands for itself.
 */
type Common = 'all' | 'tasks' | undefined;

/** What callers without a session share at this endpoint. */
export function commonAt(name: string, { upstreams, virtual, joined }: Setup): Common {
  const own = upstreams.get(name);
  if (own !== undefined) return isProcess(own) ? 'all' : undefined;
  const members = virtual.get(name)?.members ?? (name === JOINED && joined ? upstreams : undefined);
  if (members === undefined) return undefined;
  for (const member of members.values()) if (isProcess(member)) return 'all';
  return members.size > 1 ? 'tasks' : undefined;
}

function isProcess({ settings }: Upstream): boolean {
  return settings.type === 'command';
}

/** Does a request without a session need what they share? Whoever opens a session may do so anywhere. */
export function needsCommon(common: Common, method: string | undefined, body: Buffer): boolean {
  if (common === undefined || method !== 'POST') return false;
  const seen = peek(body);
  if (common === 'all') return seen.method !== 'initialize';
  return seen.method.startsWith('tasks/') || locate(body, seen.paramsStart, 'task') !== undefined;
}
