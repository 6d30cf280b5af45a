/** Commands that ask a gateway that runs, by its admin API. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Gateway, resolveSettings, startGateway } from '@mayday/gateway';
import { openStore, type Store } from '@mayday/store';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run as runCommand } from '../src/run.ts';
import { type Outcome, start } from './mayday.ts';

let store: Store;
let gateway: Gateway;

beforeEach(async () => {
  store = await openStore('memory:');
  const keys = [
    { name: 'ops', key: 'key-of-ops', role: 'operator' },
    { name: 'ann', key: 'key-of-ann' },
  ] as const;
  const upstreams = { files: { url: 'http://127.0.0.1:9/mcp' } };
  const { settings } = resolveSettings({ listen: { port: 0 }, store: 'memory:', keys, upstreams });
  gateway = await startGateway(settings, { store });
});
afterEach(async () => {
  await gateway.close(0);
  await store.close();
});

/** In this process: starting one for each command takes longer than all of them. */
async function run(args: readonly string[], key = ''): Promise<Outcome> {
  let [out, err] = ['', ''];
  process.env['MAYDAY_KEY'] = key;
  const code = await runCommand(args, {
    input: (async function* () {})(),
    inputIsTerminal: false,
    write: async (text) => {
      out += text;
    },
    serve: () => undefined,
    note: (text) => {
      err += `${text}\n`;
    },
    colours: false,
    columns: 80,
  });
  delete process.env['MAYDAY_KEY'];
  return { code, out, err };
}

const mayday = (args: readonly string[], key = 'key-of-ops'): Promise<Outcome> =>
  run([...args, '--url', gateway.url], key);

const fault = (message: string) =>
  ({ fingerprint: '1.aa', kind: 'timeout', origin: 'upstream', upstream: 'files', message }) as const;

test('keys are made, exchanged and revoked, by the operator whose key it is', async () => {
  const made = await mayday(['keys', 'create', 'bob', '--upstreams', 'files', '--expires', '30d']);
  const id = /^mdy_([0-9a-f]{12})_[\w-]{43}\n$/.exec(made.out)?.[1] ?? 'none';
  expect([made.code, made.err]).toEqual([
    0,
    `Key ${id} of bob is shown once; its caller sends it as Authorization: Bearer <key>.\n`,
  ]);
  const listed = await mayday(['keys', 'list', '--json']);
  expect(JSON.parse(listed.out).keys).toMatchObject([
    { id, name: 'bob', upstreams: ['files'], state: 'good' },
  ]);
  expect(await mayday(['keys', 'create', 'bob'])).toEqual({
    code: 2,
    out: '',
    err: `mayday: "bob" has a key (${id}); exchange it with \`mayday keys rotate ${id}\`, or choose another name\n`,
  });
  expect((await mayday(['keys', 'rotate', id, '--overlap', '0'])).code).toBe(0);
  expect(JSON.parse((await mayday(['keys', 'revoke', id, '--json'])).out)).toEqual({ id, revoked: true });
  expect(await mayday(['keys', 'revoke', id])).toMatchObject({ code: 1, out: '' });
  const { out } = await mayday(['audit']);
  const rows = out
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/).slice(2, 4));
  expect(rows).toEqual([
    ['ops', 'keys.create'],
    ['ops', 'keys.rotate'],
    ['ops', 'keys.revoke'],
  ]);
  expect((await mayday(['audit', 'verify'])).out).toMatch(/^3 rows, none changed or missing; the last is 3:/);
});

test('calls that wait are decided', async () => {
  const waiting = { fingerprint: 'f', upstream: 'files', target: 'delete', now: Date.now(), ttlMs: 60_000 };
  const asked = await store.approvals.claim({ ...waiting, caller: 'ann', arguments: { path: '/x' } });
  const { id } = asked as { readonly id: string };
  expect(JSON.parse((await mayday(['approvals', '--json'])).out).approvals).toMatchObject([
    { id, caller: 'ann', tool: 'files/delete', arguments: { path: '/x' } },
  ]);
  expect(await mayday(['approvals', 'approve', id])).toEqual({
    code: 0,
    out: '',
    err: 'The call of ann to files/delete is approved; it goes through once, when ann makes it again.\n',
  });
  expect((await mayday(['approvals', 'reject', id])).code).toBe(1);
});

test('failures are listed, in groups, and followed', async () => {
  await store.faults.append([fault('Slow 1'), fault('Slow 2')]);
  const listed = await mayday(['faults', '--json']);
  expect(
    listed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).message),
  ).toEqual(['Slow 1', 'Slow 2']);
  expect((await mayday(['faults', '--group'])).out).toMatch(/^2× .* files {2}timeout {2}1\.aa {2}Slow 2\n$/);
  const following = start(['faults', '--follow', '--limit', '1', '--url', gateway.url], {
    env: { MAYDAY_KEY: 'key-of-ops' },
  });
  let out = '';
  following.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  while (!out.includes('Slow 2')) await sleep(20);
  await store.faults.append([fault('Slow 3')]);
  while (!out.includes('Slow 3')) await sleep(20);
  following.kill('SIGTERM');
  expect(await once(following, 'exit')).toEqual([0, null]);
  expect(out).not.toContain('Slow 1');
});

test('the status is told', async () => {
  const { code, out } = await mayday(['status']);
  expect(code).toBe(0);
  const [first, head, ...rest] = out.split('\n');
  expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+, since [\dT:-]{19}Z, 0 failures, store memory: ok$/);
  expect(head?.split(/ +/)).toEqual([
    'UPSTREAM',
    'TYPE',
    'CIRCUIT',
    'SESSIONS',
    'PROCESSES',
    'TROUBLED',
    'TROUBLE',
  ]);
  expect(rest.map((line) => line.split(/ +/))).toEqual([
    ['files', 'url', 'closed', '-', '-', '-', '-'],
    [''],
  ]);
  expect(JSON.parse((await mayday(['status', '--json'])).out)).toMatchObject({
    upstreams: [{ name: 'files' }],
  });
});

test.each([
  [
    ['keys', 'list'],
    'nobodys-key',
    'A key of this gateway is needed; put the key of an operator into MAYDAY_KEY',
  ],
  [['keys', 'list'], '', 'A key of this gateway is needed; put the key of an operator into MAYDAY_KEY'],
  [
    ['keys', 'list'],
    'key-of-ann',
    'The admin API is for operators, and this key or token is a caller’s; use a key with the role operator',
  ],
  [
    ['keys', 'create', 'x', '--upstreams', 'fils'],
    'key-of-ops',
    'the file has no upstream "fils"; did you mean files?',
  ],
  [['keys', 'list', '--store', 'x'], 'key-of-ops', '--url and --store exclude each other; keep one of them'],
  [['status', '--config', 'x'], 'key-of-ops', '--url and --config exclude each other; keep one of them'],
  [['status', 'x'], 'key-of-ops', '`mayday status` takes no argument "x"; leave it out'],
])('%j with the key %j is told why not', async (args, key, sentence) => {
  expect(await mayday(args, key)).toEqual({ code: 2, out: '', err: `mayday: ${sentence}\n` });
});

test('a port of the admin API that is taken is told with its setting', async () => {
  const taken = Number(new URL(gateway.url).port);
  const folder = mkdtempSync(join(tmpdir(), 'mayday-url-'));
  const config = join(folder, 'mayday.yaml');
  writeFileSync(
    config,
    `listen: { port: 0 }\nadmin: { listen: { port: ${taken} } }\nupstreams: { a: { url: 'http://127.0.0.1:9/mcp' } }\n`,
  );
  expect(await run(['gateway', '--quiet', '--config', config])).toEqual({
    code: 2,
    out: '',
    err: `mayday: port ${taken} is taken; change admin.listen\n`,
  });
  expect((await run(['status', '--config', config], 'key-of-ops')).out).toMatch(/^http:\/\/127\.0\.0\.1:/);
  rmSync(folder, { recursive: true });
});

test('what is no gateway is told so, and gets no key', async () => {
  const server = createServer((_request, response) =>
    response.writeHead(302, { location: gateway.url }).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const told = (said: string) => ({ code: 2, out: '', err: `mayday: ${said}\n` });
  expect(await run(['status', '--url', url])).toEqual(
    told(`what answers at ${url} (302) is no gateway with an admin API; check --url`),
  );
  await new Promise((resolve) => server.close(resolve));
  expect(await run(['status', '--url', url])).toEqual({
    ...told(`no gateway answers at ${url} (ECONNREFUSED); check --url`),
    code: 1,
  });
  expect(await run(['status', '--url', 'http://127.0.0.1:1'])).toEqual(
    told('no gateway answers at http://127.0.0.1:1 (bad port); check --url'),
  );
  const needed = told('--url needs the address of a gateway, such as http://127.0.0.1:7350');
  expect(await run(['status', '--url', 'localhost:7350'])).toEqual(needed);
  expect(await run(['status', '--url', 'http://ops:secret@localhost'])).toEqual(
    told('--url takes no password; put the key of an operator into MAYDAY_KEY'),
  );
});

test('a certificate that nobody vouches for is told as that, and not as nobody', async () => {
  const at = new URL('../../gateway/test/certificates/', import.meta.url);
  const cert = readFileSync(new URL('first.cert.pem', at));
  const key = readFileSync(new URL('first.key.pem', at));
  const server = createSecureServer({ cert, key }, (_request, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const { code, err } = await run(['status', '--url', url]);
  server.close();
  expect(code).toBe(2);
  expect(err).toMatch(
    /^mayday: the certificate of https:\/\/localhost:\d+ was not accepted \(\w+\); name the file of who vouches for it in NODE_EXTRA_CA_CERTS\n$/,
  );
});
