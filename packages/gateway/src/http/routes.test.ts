import { expect, it } from 'vitest';
import type { KnownCaller } from '../identity/keys.ts';
import { matchRoute, mayReach, mayUse, ROUTES } from './routes.ts';

const caller = (role: 'caller' | 'operator', upstreams?: readonly string[]): KnownCaller => ({
  id: 'x',
  isKnown: true,
  name: 'x',
  role,
  dialect: undefined,
  upstreams,
  tenant: undefined,
  scopes: [],
});

it('serves this, with these methods, to these, and nothing else', () => {
  expect(ROUTES.map(({ path, methods, role }) => `${path} ${methods.join(',')} ${role}`)).toEqual([
    '/mcp POST,GET,DELETE caller',
    '/:upstream/mcp POST,GET,DELETE caller',
    '/sse GET caller',
    '/:upstream/sse GET caller',
    '/messages POST caller',
    '/:upstream/messages POST caller',
    '/-/health GET,HEAD anybody',
    '/-/ready GET,HEAD anybody',
    '/-/status GET,HEAD operator',
    '/-/faults GET,HEAD operator',
    '/-/metrics GET,HEAD operator',
    '/-/admin/v1* GET,HEAD,POST operator',
    '/-/console* GET,HEAD anybody',
    '/.well-known/oauth-protected-resource* GET,HEAD anybody',
  ]);
});

it.each([
  ['/mcp', 'joined', undefined],
  ['/mcp?x=1', 'joined', undefined],
  ['/files/mcp', 'upstream', 'files'],
  ['/files/mcp?/-/health', 'upstream', 'files'],
  ['/sse', 'joined', undefined],
  ['/files/sse', 'upstream', 'files'],
  ['/files/messages?sessionId=1', 'upstream', 'files'],
  ['/-/health', 'health', undefined],
  ['/-/faults?limit=3', 'faults', undefined],
  ['/-/admin/v1', 'admin', undefined],
  ['/-/admin/v1/keys/a?b=c', 'admin', undefined],
  ['/-/console', 'console', undefined],
  ['/-/console/assets/a.js', 'console', undefined],
  ['/.well-known/oauth-protected-resource', 'metadata', undefined],
  ['/.well-known/oauth-protected-resource/files/mcp', 'metadata', undefined],
])('finds %s', (url, name, upstream) => {
  expect(matchRoute(url)).toMatchObject({ route: { name }, upstream });
});

it.each([
  '/',
  '/mcp/',
  '/Files/mcp',
  '/a/b/mcp',
  '/-/mcp',
  '/-/faultsx',
  '/-/admin',
  '/-/admin/v1x',
  '/-/consolex',
  '/-/admin/v2/keys',
  '/%6dcp',
  '//mcp',
  '/-/',
  '',
  '/.well-known/oauth-protected-resourcex',
  '/.well-known/oauth-protected-resource*',
  '/:upstream/mcp',
])('serves nothing at %s', (url) => {
  expect(matchRoute(url)).toBeUndefined();
});

it('lets everybody ask for health, callers call, and operators look', () => {
  const may = (path: string): boolean[] => {
    const { route } = matchRoute(path) as NonNullable<ReturnType<typeof matchRoute>>;
    return [undefined, caller('caller'), caller('operator')].map((one) => mayUse(route, one));
  };
  expect(may('/-/health')).toEqual([true, true, true]);
  expect(may('/mcp')).toEqual([false, true, true]);
  expect(may('/-/status')).toEqual([false, false, true]);
  expect(may('/-/faults')).toEqual([false, false, true]);
  expect(may('/-/admin/v1/keys')).toEqual([false, false, true]);
});

it('keeps a key for one upstream away from the others and from all of them together', () => {
  expect(['a', 'b', undefined].map((name) => mayReach(caller('caller', ['a']), name))).toEqual([
    true,
    false,
    false,
  ]);
  expect(['a', undefined].map((name) => mayReach(caller('caller'), name))).toEqual([true, true]);
});
