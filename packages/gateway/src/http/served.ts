/** What is served at a door: the route of a request, and what somebody may try who has found none. */
import type { Endpoint, RequestHead } from '@mayday/relay';
import { ROOT } from '../admin/describe.ts';
import type { KnownCaller } from '../identity/keys.ts';
import type { Setup } from '../setup.ts';
import type { DoorOptions } from './door-options.ts';
import { type Match, matchRoute, mayReach } from './routes.ts';

/** The route of a request, as far as it is served. */
export function matchIn(
  { oauth }: Setup,
  { url }: RequestHead,
  { telemetry, admin, console, isOperatorsOnly }: DoorOptions,
): Match | undefined {
  const match = matchRoute(url ?? '/');
  if (match?.route.name === 'admin' && admin === undefined) return undefined;
  if (match?.route.name === 'console' && console === undefined) return undefined;
  if (isOperatorsOnly === true && !match?.route.path.startsWith('/-/')) return undefined;
  if (match?.route.name === 'metadata') return oauth === undefined ? undefined : match;
  if (match?.route.name !== 'metrics') return match;
  const metricsFor = telemetry?.metricsFor ?? 'off';
  if (metricsFor === 'off') return undefined;
  return metricsFor === 'anybody' ? { ...match, route: { ...match.route, role: 'anybody' } } : match;
}

/** What answers under a name: an upstream, or a server that is made of several. */
export function servedAs(name: string, { upstreams, virtual }: Setup): Endpoint | undefined {
  return (upstreams.get(name) ?? virtual.get(name))?.endpoint;
}

/** What a caller may try instead; a stranger learns nothing. */
export function pathsFor(
  setup: Setup,
  caller: KnownCaller | undefined,
  { isOperatorsOnly }: DoorOptions,
): readonly string[] {
  if (caller === undefined) return [];
  if (isOperatorsOnly === true) return [`${ROOT}/openapi.json`, '/-/status', '/-/faults'];
  const usable = [...setup.upstreams.keys()].filter((name) => setup.rules?.mayUseAny(caller, name) !== false);
  const own = [...usable, ...setup.virtual.keys()].filter((name) => mayReach(caller, name));
  const isJoined = setup.joined !== undefined && mayReach(caller, undefined);
  return [...(isJoined ? ['/mcp'] : []), ...own.map((name) => `/${name}/mcp`)];
}
