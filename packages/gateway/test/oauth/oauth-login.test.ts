/** A client of the official SDK finds its way in by itself, with a real authorization server. */
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { McpServer as SessionServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../../../../scripts/free-port.ts';
import { CALLBACK, CLIENT, type Login, startLogin } from '../login.ts';
import { serveSessions, serveStateless } from '../sdk-server.ts';
import { cleanUp, later, open } from '../tools.ts';

afterEach(cleanUp);

type Saved = Parameters<OAuthClientProvider['saveTokens']>[0];
type Discovered = Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;

/** What a client keeps of its login, and where it was sent to. */
function keeper(): OAuthClientProvider & { readonly sentTo: URL[]; saved: Saved | undefined } {
  const sentTo: URL[] = [];
  let verifier = '';
  let discovered: Discovered;
  return {
    sentTo,
    saved: undefined,
    redirectUrl: CALLBACK,
    clientMetadata: {
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    },
    clientInformation: () => ({ client_id: CLIENT }),
    discoveryState: () => discovered,
    saveDiscoveryState(given) {
      discovered = given;
    },
    tokens() {
      return this.saved;
    },
    saveTokens(given) {
      this.saved = given;
    },
    redirectToAuthorization: (url) => void sentTo.push(url),
    saveCodeVerifier(given) {
      verifier = given;
    },
    codeVerifier: () => verifier,
  };
}

/** The scopes that it asked for, each time; that its login lasts is its own wish. */
function askedFor({ sentTo }: ReturnType<typeof keeper>): readonly (readonly string[])[] {
  return sentTo.map(({ searchParams }) => {
    const scopes = (searchParams.get('scope') ?? '').split(' ');
    return scopes.filter((scope) => scope !== 'offline_access').sort();
  });
}

/** Logs in as often as the client asks for it. */
async function loggingIn<T>(
  login: Login,
  auth: ReturnType<typeof keeper>,
  transport: () => StreamableHTTPClientTransport,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    const back = await login.visit(auth.sentTo.at(-1) as URL);
    await transport().finishAuth(back.searchParams);
    return act();
  }
}

function modernServer(): McpServer {
  const server = new McpServer({ name: 'bank', version: '1' });
  server.registerTool('look', {}, () => ({ content: [{ type: 'text', text: 'looked' }] }));
  server.registerTool('pay', {}, () => ({ content: [{ type: 'text', text: 'paid' }] }));
  return server;
}

function sessionServer(): SessionServer {
  const server = new SessionServer({ name: 'bank', version: '1' });
  server.registerTool('look', {}, () => ({ content: [{ type: 'text', text: 'looked' }] }));
  server.registerTool('pay', {}, () => ({ content: [{ type: 'text', text: 'paid' }] }));
  return server;
}

it.each([
  ['2026-07-28', '/bank/mcp', ''],
  ['2025-11-25', '/bank/mcp', ''],
  ['2025-11-25', '/mcp', 'bank_'],
] as const)('logs in and steps up, %s at %s', async (revision, path, prefix) => {
  const login = await startLogin(['mcp', 'bank:pay']);
  const { url } =
    revision === '2026-07-28' ? await serveStateless(modernServer) : await serveSessions(sessionServer);
  const port = await freePort();
  const gateway = await open({
    listen: { port },
    oauth: {
      resource: `http://127.0.0.1:${port}`,
      scopes: ['mcp'],
      issuers: [{ name: 'login', issuer: login.url }],
    },
    access: { rules: [{ allow: ['bank/pay'], scopes: ['bank:pay'] }] },
    upstreams: { bank: { url } },
  });
  const auth = keeper();
  const mode = revision === '2026-07-28' ? { pin: revision } : 'legacy';
  let client: Client;
  let transport: StreamableHTTPClientTransport;
  const connect = async (): Promise<void> => {
    client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}${path}`), { authProvider: auth });
    await client.connect(transport);
  };
  await loggingIn(login, auth, () => transport, connect);
  later(() => client.close());
  expect([...login.resources]).toEqual([`${gateway.url}${path}`]); // the endpoint, and nothing more
  expect(askedFor(auth)).toEqual([['mcp']]);

  const called = async (name: string): Promise<unknown> => {
    const result = await client.callTool({ name: `${prefix}${name}`, arguments: {} });
    return result.content;
  };
  expect(await called('look')).toMatchObject([{ text: 'looked' }]);
  const paid = await loggingIn(
    login,
    auth,
    () => transport,
    () => called('pay'),
  );
  expect(paid).toMatchObject([{ text: 'paid' }]);
  expect(askedFor(auth)).toEqual([['mcp'], ['bank:pay', 'mcp']]);
  expect(await called('look')).toMatchObject([{ text: 'looked' }]);
  expect(gateway.faults.list()).toMatchObject([
    { upstream: 'bank', target: 'pay', caller: 'login:ann', fault: { kind: 'forbidden' } },
  ]);
  expect(gateway.logs.join('\n')).not.toContain(auth.saved?.access_token ?? '');
});
