/** Servers that a client signs in to by itself: the gateway cannot, and they stay with the client. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mayday, type Outcome } from './mayday.ts';

let home: string;
let file: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'mayday-home-')));
  mkdirSync(join(home, '.cursor'));
  file = join(home, '.cursor', 'mcp.json');
});

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Seen {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** Answers with a status, or as each request says; with 0 it does not answer. */
async function serving(
  status: number | ((request: IncomingMessage) => number),
  headers: { [name: string]: string } = {},
) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    seen.push({ method: request.method, headers: request.headers });
    const answered = typeof status === 'number' ? status : status(request);
    if (answered > 0) response.writeHead(answered, headers).end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, url: `${origin}/mcp`, seen };
}

const CHALLENGE = { 'www-authenticate': 'Bearer resource_metadata="https://a.example/x"' };
const SIGNED_IN_TO = 'stays where it is: the client signs in to it, which the gateway does not do';

async function imported(servers: object, ...flags: string[]): Promise<Outcome & { left: string[] }> {
  writeFileSync(file, JSON.stringify({ mcpServers: { ...servers, local: { command: 'x' } } }, null, 2));
  const outcome = await mayday(['import', 'cursor', ...flags], '', { cwd: home, env: { HOME: home } });
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: object };
  return { ...outcome, left: Object.keys(mcpServers).sort() };
}

test('one that asks for a sign-in stays, and is told with the reason', async () => {
  const { url } = await serving(401, CHALLENGE);
  const { code, err, left } = await imported({ linear: { url } });
  expect([code, left]).toEqual([0, ['linear', 'mayday']]);
  expect(err).toContain(`${file}:3: linear: ${SIGNED_IN_TO}`);
});

test('without asking, it is imported', async () => {
  const { url, seen } = await serving(401, CHALLENGE);
  expect((await imported({ linear: { url } }, '--offline')).left).toEqual(['mayday']);
  expect(seen).toEqual([]);
});

test('one that refuses without a challenge stays, too', async () => {
  const { url } = await serving(401);
  const { err, left } = await imported({ old: { url } });
  expect(left).toEqual(['mayday', 'old']);
  expect(err).toContain(`old: ${SIGNED_IN_TO}`);
});

test('headers that are no credential are sent along with the question', async () => {
  const { url, seen } = await serving(401, CHALLENGE);
  const headers = { 'X-MCP-Toolsets': 'repos,issues', 'X-MCP-Readonly': true, Accept: 'text/html' };
  expect((await imported({ github: { url, headers } })).left).toEqual(['github', 'mayday']);
  expect(seen.map((request) => request.headers)).toMatchObject([
    {
      'x-mcp-toolsets': 'repos,issues',
      'x-mcp-readonly': 'true',
      accept: 'application/json, text/event-stream',
    },
  ]);
});

test.each([
  ['type: sse', { type: 'sse' }, ['GET']],
  ['no type', {}, ['POST', 'GET']],
])('one over HTTP+SSE with %s is asked as its clients ask it', async (_, type, methods) => {
  const { url, seen } = await serving(({ method }) => (method === 'GET' ? 401 : 405), CHALLENGE);
  expect((await imported({ old: { url, ...type } })).left).toEqual(['mayday', 'old']);
  expect(seen.map(({ method }) => method)).toEqual(methods);
});

test.each([
  ['a token', { Authorization: 'Bearer x0-y1-z2-w3' }],
  ['a reference', { Authorization: `Bearer \${env:T}` }],
  ['a reference under any name', { 'X-Who': `\${input:who}` }],
  ['a bare reference', { 'X-Who': '%WHO%' }],
  ['a key beside other headers', { 'X-Client': 'cursor', 'X-Api-Key': 'abc' }],
])('one that has %s is asked without it, whoever else has its address', async (_, headers) => {
  const { url, seen } = await serving(401, CHALLENGE);
  const { left } = await imported({ keyed: { url, headers }, bare: { url } });
  expect(left).toEqual(['bare', 'mayday']);
  const sent = seen.flatMap((request) => Object.keys(request.headers));
  expect(sent).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:authorization|x-who|x-api-key)$/)]),
  );
  expect(seen.length).toBe(2);
});

test('where one with a credential redirects to another path of its own, that is taken', async () => {
  const { url, seen } = await serving((request) => (request.url === '/mcp' ? 307 : 401), {
    location: '/mcp/',
  });
  const headers = { Authorization: 'Bearer x0-y1-z2-w3' };
  const { code, left } = await imported({ fast: { url, headers } });
  expect([code, left]).toEqual([0, ['mayday']]);
  expect(seen.map((request) => request.headers.authorization)).toEqual([undefined, undefined]);
  expect(readFileSync(join(home, 'mayday.yaml'), 'utf8')).toContain(`url: ${url}/\n`);
});

test('one with a credential that redirects elsewhere stays', async () => {
  const { url } = await serving(307, { location: 'http://127.0.0.1:9/mcp' });
  const { left } = await imported({ web: { url, headers: { 'X-Api-Key': 'abc' } } });
  expect(left).toEqual(['mayday', 'web']);
});

test('one that is off, and one that is not there, are as before', async () => {
  const { url, seen } = await serving(401, CHALLENGE);
  const { left } = await imported({
    off: { url, disabled: true },
    gone: { url: 'http://127.0.0.1:9/mcp' },
  });
  expect(left).toEqual(['mayday', 'off']);
  expect(seen).toEqual([]);
});

test('where one redirects to another path of its own, that is taken', async () => {
  const { url, seen } = await serving((request) => (request.url === '/mcp' ? 307 : 200), {
    location: '/mcp/',
  });
  const { code, err, left } = await imported({ fast: { url } });
  expect([code, left, seen.length]).toEqual([0, ['mayday'], 2]);
  expect(err).toContain(
    `${file}:3: fast: url redirects to another path of the server, which is taken instead`,
  );
  expect(readFileSync(join(home, 'mayday.yaml'), 'utf8')).toContain(`url: ${url}/\n`);
});

test('what is behind a redirect may ask for a sign-in', async () => {
  const { url } = await serving((request) => (request.url === '/mcp' ? 308 : 401), { location: '/mcp/' });
  expect((await imported({ fast: { url } })).err).toContain(`fast: ${SIGNED_IN_TO}`);
});

test.each([
  ['elsewhere', 'http://127.0.0.1:9/mcp'],
  ['in a circle', '/mcp'],
  ['to a reference', `/\${HOME}`],
  ['to a bare reference', '/%HOME%'],
  ['to no address', 'http://['],
])('one that redirects %s stays', async (_, location) => {
  const { url } = await serving(307, { location });
  const { err, left } = await imported({ web: { url } });
  expect(left).toEqual(['mayday', 'web']);
  expect(err).toContain(
    'web: stays where it is: it redirects to another address, which the gateway does not follow',
  );
});

test('those that do not answer hinder nothing, however many they are', async () => {
  const hung = await serving(0);
  const since = performance.now();
  const servers = Object.fromEntries(
    Array.from({ length: 5 }, (_, i) => [`s${i}`, { url: `${hung.url}/${i}` }]),
  );
  expect((await imported(servers)).left).toEqual(['mayday']);
  expect(performance.now() - since).toBeLessThan(10_000);
});

test.each([
  ['oauth', { clientId: 'c' }],
  ['auth', { CLIENT_ID: 'c' }],
  ['authProviderType', 'google_credentials'],
  ['headersHelper', 'get-headers.sh'],
])('one whose entry has %s stays, too', async (field, value) => {
  const { err, left } = await imported(
    { web: { url: 'https://web.example/mcp', [field]: value } },
    '--offline',
  );
  expect(left).toEqual(['mayday', 'web']);
  expect(err).toContain(`web: ${SIGNED_IN_TO}`);
});
