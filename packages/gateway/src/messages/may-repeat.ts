/** Whether a message may be said once more, in a new conversation with a server that has forgotten the one before. */
import { ATTEMPT_KEY } from '@mayday/core/protocol';
import { decode, isMembers, paramsOf } from '@mayday/relay';
import { matchRoute } from '../http/routes.ts';
import type { Setup } from '../setup.ts';
import type { DoorMessage } from './message-request.ts';

/** Nothing was done then. But some calls are never to be sent twice, whatever is known about their failure. */
export function mayRepeat(message: DoorMessage, path: string, { setup, root }: Served): boolean {
  if (message.peek.method !== 'tools/call') return true;
  const { name, _meta } = paramsOf(decode(message.body)) ?? {};
  // Who counts its attempts decides itself.
  if (isMembers(_meta) && _meta[ATTEMPT_KEY] !== undefined) return false;
  const upstream = setup().settings.upstreams.get(matchRoute(path)?.upstream ?? root ?? '');
  if (upstream === undefined) return true;
  const { retry, tools } = upstream;
  const own = Object.entries(tools.rename).find(([, shown]) => shown === name)?.[0] ?? name;
  return retry.attempts > 1 && typeof own === 'string' && !retry.neverRepeat.includes(own);
}

/** What is served, and what at the root. */
interface Served {
  readonly setup: () => Pick<Setup, 'settings'>;
  readonly root?: string | undefined;
}
