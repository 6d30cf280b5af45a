/** What is served where, to whom: one table. */
import { ROOT } from '../admin/describe.ts';
import type { KnownCaller } from '../identity/keys.ts';
import { METADATA_PATH } from '../identity/oauth/resource.ts';

/** Who may come in: everybody, those with a key, those who run the gateway. */
type Role = 'anybody' | 'caller' | 'operator';

/** One route. */
export interface Route {
  /** The exact path; `/:upstream/mcp` is an upstream's own endpoint, and what ends in `*` has paths below. */
  readonly path: string;
  readonly methods: readonly string[];
  readonly role: Role;
  readonly name: RouteName;
}

/** What answers at a route. */
type RouteName =
  | 'health'
  | 'ready'
  | 'status'
  | 'faults'
  | 'metrics'
  | 'admin'
  | 'metadata'
  | 'joined'
  | 'upstream';

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
  { path: `${ROOT}*`, methods: ['GET', 'HEAD', 'POST'], role: 'operator', name: 'admin' },
  { path: `${METADATA_PATH}*`, methods: ['GET', 'HEAD'], role: 'anybody', name: 'metadata' },
];

/** A route that fits, and the upstream in its path. */
export interface Match {
  readonly route: Route;
  readonly upstream: string | undefined;
}

const BY_PATH: ReadonlyMap<string, Route> = new Map(
  ROUTES.filter(({ path }) => !/[:*]/.test(path)).map((route) => [route.path, route]),
);
const OWN_ENDPOINT: Route | undefined = ROUTES.find(({ name }) => name === 'upstream');
/** Those that have paths below, by where they begin. */
const BELOW: readonly (readonly [root: string, route: Route])[] = ROUTES.filter(({ path }) =>
  path.endsWith('*'),
).map((route) => [route.path.slice(0, -1), route]);

/** Finds the route of a path, its query left out. */
export function matchRoute(url: string): Match | undefined {
  const path = pathOf(url);
  const exact = BY_PATH.get(path);
  if (exact !== undefined) return { route: exact, upstream: undefined };
  for (const [root, route] of BELOW)
    if (path === root || path.startsWith(`${root}/`)) return { route, upstream: undefined };
  const upstream = /^\/([a-z0-9][a-z0-9-]{0,31})\/mcp$/.exec(path)?.[1];
  return upstream === undefined || OWN_ENDPOINT === undefined ? undefined : { route: OWN_ENDPOINT, upstream };
}

/** A path without its query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

/** The path of the endpoint that a request is for; nothing, where it is for none. */
export function endpointOf(match: Match | undefined): string {
  if (match?.route.name === 'upstream') return `/${match.upstream}/mcp`;
  return match?.route.name === 'joined' ? '/mcp' : '';
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
