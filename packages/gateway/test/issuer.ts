/** An issuer of access tokens that does what a test says: rotates its keys, goes away, and signs anything. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { later } from './tools.ts';

/** The claims of a token, beside those that it has anyway. */
export type Claims = { readonly [name: string]: unknown };

/** An issuer that runs. */
export interface TestIssuer {
  readonly url: string;
  /** Paths that it was asked for. */
  readonly asked: string[];
  /** Its public keys, as it tells them. */
  readonly keys: JWK[];
  /** A token of Ann's for the gateway, with these claims instead. */
  token(claims?: Claims, header?: Claims): Promise<string>;
  /** Signs with a new key from now on, and tells it; the old ones are gone. */
  rotate(): Promise<void>;
  /** Answers like this from now on; as it should, without it. */
  answer(listener?: RequestListener): void;
  /** Takes no connections any more, or again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** What gateways in tests are called by their callers. */
export const RESOURCE = 'https://mcp.example.com';

/** Starts one. */
export async function startIssuer(alg = 'ES256'): Promise<TestIssuer> {
  const asked: string[] = [];
  const keys: JWK[] = [];
  let listener: RequestListener | undefined;
  let signing: Awaited<ReturnType<typeof generateKeyPair>>;
  let kid = 0;
  let port = 0;
  const rotate = async (): Promise<void> => {
    signing = await generateKeyPair(alg, { extractable: true });
    keys.splice(0, keys.length, {
      ...(await exportJWK(signing.publicKey)),
      kid: `k${++kid}`,
      alg,
      use: 'sig',
    });
  };
  await rotate();

  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (listener !== undefined) {
      listener(request, response);
      return;
    }
    const url = `http://127.0.0.1:${port}`;
    const documents: { readonly [path: string]: unknown } = {
      '/.well-known/oauth-authorization-server': { issuer: url, jwks_uri: `${url}/jwks` },
      '/jwks': { keys },
    };
    const document = documents[request.url ?? ''];
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  const start = (): Promise<void> =>
    new Promise((resolve) => {
      server.listen(port, '127.0.0.1', () => {
        ({ port } = server.address() as AddressInfo);
        resolve();
      });
    });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await start();
  later(stop);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    asked,
    keys,
    rotate,
    answer: (given) => {
      listener = given;
    },
    stop,
    start,
    token(claims = {}, header = {}) {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: url, sub: 'ann', aud: RESOURCE, client_id: 'agent', iat: now, exp: now + 600 };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg, kid: `k${kid}`, typ: 'at+jwt', ...header })
        .sign(signing.privateKey);
    },
  };
}

/** The header that a token travels in. */
export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}
