/** What is served where, to whom: one table. */
import { ROOT } from '../admin/describe.ts';
import { CONSOLE } from '../console/root.ts';
import type { KnownCaller } from '../identity/keys.ts';
import { METADATA_PATH } from '../identity/oauth/resource.ts';

/** Who may come in: everybody, those with a key, those who run the gateway. */
type Role = 'anybody' | 'caller' | 'operator';

/** One route. */
export interface Route {
  /** The exact path; below `/:upstream/` is an upstream's own endpoint, and what ends in `*` has paths below. */
  readonly path: string;
  readonly methods: readonly string[];
  readonly role: Role;
  readonly name: RouteName;
  /** The transport of 2024-11-05: the stream of a conversation, or where its messages are posted. Streamable HTTP, if absent. */
  readonly legacy?: 'stream' | 'messages' | undefined;
}

/** What answers at a route. */
type RouteName =
  | 'health'
  | 'ready'
  | 'status'
  | 'faults'
  | 'metrics'
  | 'admin'
  | 'console'
  | 'metadata'
  | 'joined'
  | 'upstream';

const MCP_METHODS = ['POST', 'GET', 'DELETE'] as const;

/** Everything that is served. Nothing else is. */
export const ROUTES: readonly Route[] = [
  { path: '/mcp', methods: MCP_METHODS, role: 'caller', name: 'joined' },
  { path: '/:upstream/mcp', methods: MCP_METHODS, role: 'caller', name: 'upstream' },
  { path: '/sse', methods: ['GET'], role: 'caller', name: 'joined', legacy: 'stream' },
  { path: '/:upstream/sse', methods: ['GET'], role: 'caller', name: 'upstream', legacy: 'stream' },
  { path: '/messages', methods: ['POST'], role: 'caller', name: 'joined', legacy: 'messages' },
  { path: '/:upstream/messages', methods: ['POST'], role: 'caller', name: 'upstream', legacy: 'messages' },
  { path: '/-/health', methods: ['GET', 'HEAD'], role: 'anybody', name: 'health' },
  { path: '/-/ready', methods: ['GET', 'HEAD'], role: 'anybody', name: 'ready' },
  { path: '/-/status', methods: ['GET', 'HEAD'], role: 'operator', name: 'status' },
  { path: '/-/faults', methods: ['GET', 'HEAD'], role: 'operator', name: 'faults' },
  { path: '/-/metrics', methods: ['GET', 'HEAD'], role: 'operator', name: 'metrics' },
  { path: `${ROOT}*`, methods: ['GET', 'HEAD', 'POST'], role: 'operator', name: 'admin' },
  { path: `${CONSOLE}*`, methods: ['GET', 'HEAD'], role: 'anybody', name: 'console' },
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
const OWN = '/:upstream/';
/** Those of upstreams, by what follows their name. */
const OWN_ENDPOINTS: ReadonlyMap<string, Route> = new Map(
  ROUTES.filter(({ path }) => path.startsWith(OWN)).map((route) => [route.path.slice(OWN.length), route]),
);
/** Those that have paths below, by where they begin. */
const BELOW: readonly (readonly [root: string, below: string, route: Route])[] = ROUTES.filter(({ path }) =>
  path.endsWith('*'),
).map((route) => [route.path.slice(0, -1), `${route.path.slice(0, -1)}/`, route]);

/** Where callers have come to; there are few such places, and some who try others. */
const found: Map<string, Match> = new Map();
const MAX_FOUND = 1000;

/** Finds the route of a path, its query left out. */
export function matchRoute(url: string): Match | undefined {
  const known = found.get(url);
  if (known !== undefined) return known;
  const match = matchPath(url);
  if (match?.route.name === 'upstream' && found.size < MAX_FOUND && !url.includes('?')) found.set(url, match);
  return match;
}

function matchPath(url: string): Match | undefined {
  const path = pathOf(url);
  const exact = BY_PATH.get(path);
  if (exact !== undefined) return { route: exact, upstream: undefined };
  for (const [root, below, route] of BELOW)
    if (path === root || path.startsWith(below)) return { route, upstream: undefined };
  const [, upstream, rest = ''] = /^\/([a-z0-9][a-z0-9-]{0,31})\/([a-z]{1,8})$/.exec(path) ?? [];
  const route = OWN_ENDPOINTS.get(rest);
  return upstream === undefined || route === undefined ? undefined : { route, upstream };
}

/** A path without its query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

/** The path of the endpoint that a request is for, by its transport; nothing, where it is for none. */
export function endpointOf(match: Match | undefined): string {
  if (match?.route.name !== 'upstream' && match?.route.name !== 'joined') return '';
  return pathUnder(match, match.route.legacy === undefined ? 'mcp' : 'sse');
}

/** A path of the same upstream, or of all of them. */
export function pathUnder({ upstream }: Pick<Match, 'upstream'>, name: 'mcp' | 'sse' | 'messages'): string {
  return upstream === undefined ? `/${name}` : `/${upstream}/${name}`;
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
