/** What is served where, to whom: one table. */
import type { KnownCaller } from '../identity/keys.ts';

/** Who may come in: everybody, those with a key, those who run the gateway. */
type Role = 'anybody' | 'caller' | 'operator';

/** One route. */
export interface Route {
  /** The exact path; `/:upstream/mcp` is an upstream's own endpoint. */
  readonly path: string;
  readonly methods: readonly string[];
  readonly role: Role;
  readonly name: RouteName;
}

/** What answers at a route. */
type RouteName = 'health' | 'ready' | 'status' | 'faults' | 'metrics' | 'joined' | 'upstream';

const MCP_METHODS = ['POST', 'GET', 'DELETE'] as const;

/** Everything that is served. Nothing else is. */
export const ROUTES: readonly Route[] = [
  { path: '/mcp', methods: MCP_METHODS, role: 'caller', name: 'joined' },
  { path: '/:upstream/mcp', methods: MCP_METHODS, role: 'caller', name: 'upstream' },
  { path: '/-/health', methods: ['GET', 'HEAD'], role: 'anybody', name: 'health' },
  { path: '/-/ready', methods: ['GET', 'HEAD'], role: 'anybody', name: 'ready' },
  { path: '/-/status', methods: ['GET', 'HEAD'], role: 'operator', name: 'status' },
  { path: '/-/faults', methods: ['GET', 'HEAD'], role: 'operator', name: 'faults' },
  { path: '/-/metrics', methods: ['GET', 'HEAD'], role: 'operator', name: 'metrics' },
];

/** A route that fits, and the upstream in its path. */
export interface Match {
  readonly route: Route;
  readonly upstream: string | undefined;
}

const BY_PATH: ReadonlyMap<string, Route> = new Map(ROUTES.map((route) => [route.path, route]));
const OWN_ENDPOINT: Route | undefined = BY_PATH.get('/:upstream/mcp');

/** Finds the route of a path, its query left out. */
export function matchRoute(url: string): Match | undefined {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const exact = BY_PATH.get(path);
  if (exact !== undefined) return { route: exact, upstream: undefined };
  const upstream = /^\/([a-z0-9][a-z0-9-]{0,31})\/mcp$/.exec(path)?.[1];
  return upstream === undefined || OWN_ENDPOINT === undefined ? undefined : { route: OWN_ENDPOINT, upstream };
}

/** May this caller use this route? Nobody is `undefined`. */
export function mayUse({ role }: Route, caller: KnownCaller | undefined): boolean {
  if (role === 'anybody') return true;
  return caller !== undefined && (role === 'caller' || caller.role === 'operator');
}

/** May this caller use this upstream, or all of them together? */
export function mayReach(caller: KnownCaller, upstream: string | undefined): boolean {
  return caller.upstreams === undefined || (upstream !== undefined && caller.upstreams.includes(upstream));
}
