/** Servers that a client signs in to by itself: the gateway cannot, and they stay with the client. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
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

async function serving(status: number, headers: { [name: string]: string } = {}) {
  const seen: { authorization?: string | undefined }[] = [];
  const server = createServer((request, response) => {
    seen.push({ authorization: request.headers.authorization });
    if (status > 0) response.writeHead(status, headers).end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen };
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

test('one that has a credential, is off, or does not ask for a sign-in comes along as before', async () => {
  const [keyed, plain] = [await serving(401, CHALLENGE), await serving(401)];
  const headers = { Authorization: 'Bearer x0-y1-z2-w3' };
  const { left } = await imported({
    keyed: { url: keyed.url, headers },
    plain: { url: plain.url },
    off: { url: keyed.url, disabled: true },
    gone: { url: 'http://127.0.0.1:9/mcp' },
  });
  expect(left).toEqual(['mayday', 'off']);
  expect(keyed.seen).toEqual([]);
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
