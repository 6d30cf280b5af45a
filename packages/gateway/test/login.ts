/** A real authorization server, with somebody who logs in and consents to whatever is asked. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { later } from './tools.ts';

/** Where clients of these tests want to be sent back to; nobody listens there. */
export const CALLBACK = 'http://127.0.0.1:1/callback';

/** The client that it knows. */
export const CLIENT = 'test-client';

/** An authorization server that runs. */
export interface Login {
  readonly url: string;
  /** What resources it was asked for. */
  readonly resources: Set<string>;
  /** Goes where a browser would go with Ann in front of it; the address that it is sent back to. */
  visit(authorization: URL): Promise<URL>;
}

/** Starts one that knows these scopes. */
export async function startLogin(scopes: readonly string[]): Promise<Login> {
  const resources = new Set<string>();
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'login-1', alg: 'ES256', use: 'sig' };
  const configuration = {
    scopes: ['openid', 'offline_access'],
    jwks: { keys: [key] },
    clients: [
      {
        client_id: CLIENT,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        redirect_uris: [CALLBACK],
        grant_types: ['authorization_code', 'refresh_token'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    cookies: { keys: ['a-key-of-these-tests'] },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => {
          resources.add(resource);
          return { scope: scopes.join(' '), accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } } };
        },
      },
    },
  } as Configuration;

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, configuration);
  const serve = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) {
      void serve(request, response);
      return;
    }
    void provider.interactionDetails(request, response).then(async ({ params }) => {
      const grant = new provider.Grant({ accountId: 'ann', clientId: String(params['client_id']) });
      const asked = String(params['scope'] ?? '');
      grant.addOIDCScope(`openid ${asked}`);
      grant.addResourceScope(String(params['resource']), asked);
      const consent = { grantId: await grant.save() };
      await provider.interactionFinished(request, response, { login: { accountId: 'ann' }, consent });
    });
  });
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, resources, visit: browse };
}

/** Follows redirects with the cookies that were set on the way, until one leads back to the client. */
async function browse(authorization: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = authorization;
  for (let step = 0; step < 10 && !at.href.startsWith(CALLBACK); step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { headers: { cookie }, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (next === null) throw new Error(`${at.pathname} answers ${response.status}: ${await response.text()}`);
    at = new URL(next, at);
  }
  return at;
}
