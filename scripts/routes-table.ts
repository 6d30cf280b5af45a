/** What the gateway serves where, as a table, for `docs/gateway.md`. */
import { table } from '../packages/cli/src/catalog/markdown.ts';
import { ROUTES } from '../packages/gateway/src/http/routes.ts';

/** What is there, in words. A route without any has none to be told under, and none is told of that is not served. */
const ABOUT: { readonly [path: string]: string } = {
  '/mcp': 'all servers [as one](shaping.md), over streamable HTTP',
  '/:upstream/mcp': 'one server, or a [virtual](shaping.md#virtual-servers) one, by its name in the file',
  '/sse': 'the same as `/mcp` over the transport of 2024-11-05: its stream',
  '/:upstream/sse': 'the same of one server',
  '/messages': 'where the messages to `/sse` are posted',
  '/:upstream/messages': 'the same of one server',
  '/-/health': 'answers while the gateway does',
  '/-/ready': 'whether calls can be sent to it; 503 if not',
  '/-/status': 'the gateway, its servers and their circuits',
  '/-/faults': 'the last failures',
  '/-/metrics':
    'for Prometheus, with [telemetry](telemetry.md); for anybody with `telemetry.metrics: anybody`',
  '/-/admin/v1*': '[the admin API](admin.md); each of its paths has methods of its own',
  '/-/console*': '[the console](console.md): pages; what they show is asked of the admin API',
  '/.well-known/oauth-protected-resource*': 'where to log in, with [`oauth`](oauth.md)',
};

const ROLES = { anybody: 'anybody', caller: 'callers', operator: 'operators' } as const;

/** The generated part of the page, by the name in its markers. */
export function routesParts(): { readonly [name: string]: string } {
  const rows = ROUTES.map(({ path, methods, role }) => {
    const about = ABOUT[path];
    if (about === undefined) throw new Error(`Expected ABOUT to tell of the route ${path}, got nothing`);
    return [`\`${path.replace(/\*$/, '/…')}\``, methods.join(', '), ROLES[role], about];
  });
  return { routes: table(['path', 'methods', 'for', 'what is there'], rows) };
}
