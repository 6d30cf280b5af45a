/** `mayday approvals`, as an operator uses it beside a running gateway. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '@mayday/store';
import { afterEach, expect, test } from 'vitest';
import { mayday, start } from './mayday.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-approvals-'));
let files = 0;
const newFile = (): string => join(folder, `${++files}.db`);

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function waiting(file: string, caller: string | undefined, args: unknown): Promise<string> {
  const store = await openStore(file);
  const asked = { upstream: 'bank', target: 'pay', now: 0, ttlMs: 600_000 };
  const found = await store.approvals.claim({
    ...asked,
    fingerprint: `${caller} ${JSON.stringify(args)}`,
    caller,
    arguments: args,
  });
  await store.close();
  return 'id' in found ? found.id : '';
}

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

test('what waits is listed, without secrets, the oldest first', async () => {
  const store = newFile();
  const first = await waiting(store, 'ann', { to: 'x', password: 'hunter2hunter2' });
  const second = await waiting(store, undefined, undefined);
  const { code, out, err } = await mayday(['approvals', '--json', '--store', store]);
  expect([code, err]).toEqual([0, '']);
  const common = { tool: 'bank/pay', asked_at: TIME, expires_at: TIME };
  expect(JSON.parse(out)).toEqual({
    approvals: [
      { ...common, id: first, caller: 'ann', arguments: { to: 'x', password: expect.any(String) } },
      { ...common, id: second, caller: null, arguments: null },
    ],
  });
  const table = await mayday(['approvals', 'list', '--store', store]);
  const lines = table.out.split('\n').map((line) => line.split(/ {2,}/));
  expect(lines[0]).toEqual(['ID', 'CALLER', 'TOOL', 'SINCE', 'UNTIL', 'ARGUMENTS']);
  expect(lines[1]?.slice(0, 3)).toEqual([first, 'ann', 'bank/pay']);
  expect(lines[2]?.slice(0, 3)).toEqual([second, '-', 'bank/pay']);
  expect(out + table.out).not.toContain('hunter2');
});

test('what a person decides is done once, and in the audit log', async () => {
  const store = newFile();
  const [one, two] = [await waiting(store, 'ann', { n: 1 }), await waiting(store, 'bob', { n: 2 })];
  expect(await mayday(['approvals', 'approve', one, '--store', store])).toEqual({
    code: 0,
    out: '',
    err: 'The call of ann to bank/pay is approved; it goes through once, when ann makes it again.\n',
  });
  const rejected = await mayday(['approvals', 'reject', two, '--json', '--store', store]);
  expect([rejected.code, JSON.parse(rejected.out)]).toEqual([
    0,
    { id: two, caller: 'bob', tool: 'bank/pay', decision: 'rejected' },
  ]);
  for (const id of [one, two, 'nobody']) {
    expect(await mayday(['approvals', 'approve', id, '--store', store])).toEqual({
      code: 1,
      out: '',
      err: `mayday: nothing waits under the id "${id}"; \`mayday approvals\` lists what does\n`,
    });
  }
  expect((await mayday(['approvals', '--store', store])).err).toBe('Nothing waits for approval.\n');
  const { out } = await mayday(['audit', '--json', '--store', store]);
  const rows = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const actor = userInfo().username;
  expect(rows).toMatchObject([
    { actor, action: 'approvals.approve', target: one, details: { caller: 'ann', tool: 'bank/pay' } },
    { actor, action: 'approvals.reject', target: two, details: { caller: 'bob', tool: 'bank/pay' } },
  ]);
});

test('a running gateway lets an approved call through once', async () => {
  let made = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      made += 1;
      const { id } = JSON.parse(body) as { id: number };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'paid' }] } }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const config = join(folder, 'mayday.yaml');
  writeFileSync(
    config,
    `store: file:./live.db
keys: [{ name: ann, key: ann-secret }]
access: { rules: [{ approve: ["bank/pay"], ttl_ms: 600000 }] }
upstreams: { bank: { url: "http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp" } }
`,
  );
  const child = start(['gateway', '--port', '0', '--config', config]);
  closers.push(() => child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  while (!out.includes('/mcp')) await sleep(20);
  const url = /http:\S+/.exec(out)?.[0] ?? '';
  const pay = async (): Promise<string> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: 'Bearer ann-secret',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{"to":"bob"}}}',
    });
    return response.text();
  };
  const id = /"approval_id":"([^"]+)"/.exec(await pay())?.[1] ?? '';
  const listed = await mayday(['approvals', '--json', '--config', config]);
  expect(JSON.parse(listed.out)).toMatchObject({
    approvals: [{ id, caller: 'ann', tool: 'bank/pay', arguments: { to: 'bob' } }],
  });
  expect((await mayday(['approvals', 'approve', id, '--config', config])).code).toBe(0);
  expect(made).toBe(0);
  expect(await pay()).toContain('paid');
  expect(await pay()).toContain('approval_required');
  expect(made).toBe(1);
  const log = await mayday(['audit', '--config', config]);
  expect(log.out).toMatch(new RegExp(`ann +approvals.use +${id} `));
});

test.each([
  [['approvals', 'aprove', 'x'], '`mayday approvals` cannot "aprove"; did you mean approve?'],
  [['approvals', 'approve'], 'write `mayday approvals approve ID`'],
  [['approvals', 'reject', 'a', 'b'], 'write `mayday approvals reject ID`'],
  [['approvals', 'list', 'a'], 'write `mayday approvals list`'],
  [
    ['approvals', '--store', 'memory:'],
    'a store in memory is known to one process alone; name a file or a server',
  ],
  [['approvals', '--store', '/no/such.db'], 'there is no store at /no/such.db; check the path'],
])('%j is wrong usage', async (words, message) => {
  const { code, out, err } = await mayday(words);
  expect([code, out, err.startsWith(`mayday: ${message}`)]).toEqual([2, '', true]);
});
