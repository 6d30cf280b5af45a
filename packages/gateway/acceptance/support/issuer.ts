/** An authorization server as small as it can be: a document, keys, and tokens signed with whatever a test wants. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose';

/** Where callers see the gateway of these tests. */
export const RESOURCE = 'https://mcp.example.com';

/** A key of an issuer, both halves. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly secret: CryptoKey;
  readonly jwk: JWK;
}

/** What an issuer answers at a path, in place of what is usual. */
type Served = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** An issuer that listens. */
export interface Issuer {
  /** What `iss` of its tokens is. */
  readonly url: string;
  readonly origin: string;
  /** The paths that it was asked for. */
  readonly asked: string[];
  /** The keys that it shows. */
  keys: SigningKey[];
  /** Answers of its own by path. */
  readonly serve: Map<string, Served>;
  /** A token of its first key: Ann's, for the whole gateway, for an hour; claims that are undefined are left out. */
  token(claims?: object, header?: object, key?: SigningKey): Promise<string>;
  down(): Promise<void>;
  up(): Promise<void>;
}

/** Seconds since 1970, and so many more. */
export function inSeconds(more: number): number {
  return Math.floor(Date.now() / 1000) + more;
}

/** Makes a key. */
export async function signingKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, secret: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** Any text, signed. */
export function signed(payload: string, header: object, key: SigningKey): Promise<string> {
  return new CompactSign(Buffer.from(payload))
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
    .sign(key.secret);
}

/** Starts an issuer; `path` is what stands behind its origin. */
export async function startIssuer(path = ''): Promise<Issuer> {
  const asked: string[] = [];
  const serve = new Map<string, Served>();
  const server = createServer((incoming, outgoing) => {
    const wanted = incoming.url ?? '';
    asked.push(wanted);
    const own = serve.get(wanted);
    if (own !== undefined) return own(incoming, outgoing);
    if (wanted === '/jwks') return json(outgoing, { keys: issuer.keys.map(({ jwk }) => jwk) });
    if (wanted === `/.well-known/oauth-authorization-server${path}`) {
      return json(outgoing, { issuer: issuer.url, jwks_uri: `${issuer.origin}/jwks` });
    }
    outgoing.writeHead(404).end();
  });
  const port = await listening(server, 0);
  const origin = `http://127.0.0.1:${port}`;
  const first = await signingKey('1');
  const issuer: Issuer = {
    url: `${origin}${path}`,
    origin,
    asked,
    keys: [first],
    serve,
    token: (claims = {}, header = {}, key = issuer.keys[0] ?? first) =>
      signed(JSON.stringify({ ...usual(issuer.url), ...claims }), header, key),
    down: () => closed(server),
    up: async () => void (await listening(server, port)),
  };
  return issuer;
}

/** Answers with JSON. */
export function json(outgoing: ServerResponse, body: unknown): void {
  outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function usual(iss: string): object {
  return { iss, sub: 'ann', aud: RESOURCE, scope: 'mcp', iat: inSeconds(0), exp: inSeconds(3600) };
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
