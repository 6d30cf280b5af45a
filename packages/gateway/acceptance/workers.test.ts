/** Two workers behind one port are one gateway: each request of these tests reaches the next of them. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshClient, type Kind } from './support/fresh-clients.ts';
import { type Gateway, scratch, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { type Answer, eventsOf, post, type SendOptions, send, words } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { ask, call, initialize, modern, tell } from './support/messages.ts';
import { executions } from './support/puppet.ts';
import { stdio } from './support/world.ts';

const ALICE = 'alice-key-0123456789';
const BOB = 'bob-key-0123456789';
const BOSS = 'boss-key-0123456789';

const folder = scratch();
const ledger = join(folder, 'ledger');
const temporary = join(folder, 'tmp');
let http: HttpPuppet;
let gateway: Gateway;

function settings(more: object = {}): object {
  return {
    workers: 2,
    keys: [
      { name: 'alice', key: ALICE },
      { name: 'bob', key: BOB },
      { name: 'boss', key: BOSS, role: 'operator' },
    ],
    telemetry: { metrics: 'operators' },
    limits: { rates: [{ calls: 10, per_ms: 600_000, tools: ['u/lookup'] }] },
    upstreams: {
      s: stdio({ ledger }, { timeout_ms: 8000 }),
      u: { url: http.url, timeout_ms: 8000, retry: { attempts: 1 } },
      ...more,
    },
  };
}

beforeAll(async () => {
  mkdirSync(temporary);
  http = await startHttpPuppet({ sessions: true, ledger });
  gateway = await startGateway(settings(), { folder, env: { TMPDIR: temporary } });
  await until(async () => (await status()).workers?.length === 2);
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  await http.close();
  rmSync(folder, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by its literal paths
async function operatorReads(path: string): Promise<any> {
  const { body } = await send(`${gateway.url}${path}`, undefined, { key: BOSS });
  return path === '/-/metrics' ? body : JSON.parse(body);
}

const status = (): ReturnType<typeof operatorReads> => operatorReads('/-/status');

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await isSo()) return;
    await sleep(50);
  }
  throw new Error(`it did not come to that:\n${gateway.log()}`);
}

async function open(endpoint: string, key = ALICE): Promise<string> {
  const { headers, body } = await post(at(gateway, endpoint), initialize(), { key });
  expect(headers['mcp-session-id'], body).toMatch(/\.w[12]$/);
  return String(headers['mcp-session-id']);
}

/** A session of each worker. */
async function openBoth(endpoint: string): Promise<readonly [string, string]> {
  const opened = [await open(endpoint), await open(endpoint), await open(endpoint)];
  const of = (worker: number): string => opened.find((id) => id.endsWith(`.w${worker}`)) ?? '';
  return [of(1), of(2)];
}

/** The same request to both workers. */
async function twice(endpoint: string, message: object, options: SendOptions): Promise<readonly Answer[]> {
  const to = at(gateway, endpoint);
  return [await post(to, message, options), await post(to, message, options)];
}

function twiceAtOnce(endpoint: string, message: object, options: SendOptions): Promise<readonly Answer[]> {
  return Promise.all([1, 2].map(() => post(at(gateway, endpoint), message, options)));
}

const KINDS: readonly Kind[] = ['SDK 1', 'SDK 2, 2025-11-25', 'SDK 2, 2026-07-28'];

it.each(KINDS)('%s: whichever worker a request reaches, it is answered', async (kind) => {
  const { client, transport } = freshClient(kind, at(gateway, 's'), ALICE);
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(['echo', 'pay', 'lookup']);
  for (let i = 0; i < 4; i++) {
    const { isError = false } = await client.callTool({ name: 'echo', arguments: {} });
    expect(isError).toBe(false);
  }
  const progress: number[] = [];
  const events = [{ method: 'notifications/progress', params: { progressToken: '$TOKEN', progress: 7 } }];
  const script = [{ events }, { answer: { result: { content: [], resultType: 'complete' } } }];
  const onprogress = (said: { progress: number }): void => void progress.push(said.progress);
  const schema = kind === 'SDK 1' ? [undefined] : [];
  await client.callTool({ name: 'echo', arguments: { script } }, ...schema, { onprogress });
  expect(progress).toEqual([7]);
  await client.close();
});

it.each(KINDS.slice(0, 2))('%s: a question of the server comes back answered', async (kind) => {
  const { client, transport } = freshClient(kind, at(gateway, 's'), ALICE, { sampling: {} });
  const said = { role: 'assistant', model: 'm', content: { type: 'text', text: 'from the client' } };
  if (kind === 'SDK 1') {
    const { CreateMessageRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
    client.setRequestHandler(CreateMessageRequestSchema, async () => said);
  } else client.setRequestHandler('sampling/createMessage', async () => said);
  await client.connect(transport);
  await sleep(100); // the stream that the question comes on
  const params = { messages: [{ role: 'user', content: { type: 'text', text: 'hm?' } }], maxTokens: 9 };
  const script = [{ asks: { method: 'sampling/createMessage', params } }];
  const answers = [1, 2].map(() => client.callTool({ name: 'echo', arguments: { script } }));
  for (const { content } of await Promise.all(answers)) expect(content[0].text).toContain('from the client');
  await transport.terminateSession();
  await client.close();
});

it('a session is its caller’s at every worker, until it is deleted at any', async () => {
  for (const session of await openBoth('s')) {
    const echo = call('echo');
    expect((await twice('s', echo, { key: ALICE, session })).map((one) => one.status)).toEqual([200, 200]);
    expect((await twice('s', echo, { key: BOB, session })).map((one) => one.status)).toEqual([404, 404]);
    expect((await twice('s', echo, { session })).map((one) => one.status)).toEqual([401, 401]);
    const ended = await send(at(gateway, 's'), undefined, { method: 'DELETE', key: ALICE, session });
    expect(ended.status).toBe(204);
    expect((await twice('s', echo, { key: ALICE, session })).map((one) => one.status)).toEqual([404, 404]);
  }
});

it('a broken stream is taken up at any worker', async () => {
  const session = await open('s');
  const params = { progressToken: 1, progress: 1 };
  const script = [
    { events: [{ method: 'notifications/progress', params }] },
    { wait: 300 },
    { answer: { result: { content: [{ type: 'text', text: 'at last' }] } } },
  ];
  const message = ask('tools/call', { name: 'echo', arguments: { script }, _meta: { progressToken: 1 } });
  const abort = new AbortController();
  let seen = '';
  const onText = (text: string): void => {
    seen += text;
    if (seen.includes('notifications/progress')) abort.abort();
  };
  const broken = post(at(gateway, 's'), message, { key: ALICE, session, onText, signal: abort.signal });
  await expect(broken).rejects.toThrow('aborted');
  const headers = { accept: 'text/event-stream', 'last-event-id': /^id: (.+)$/m.exec(seen)?.[1] ?? '' };
  for (let i = 0; i < 2; i++) {
    const { messages } = await send(at(gateway, 's'), undefined, { key: ALICE, session, headers });
    expect(messages.map((one) => words(one))).toEqual(['at last'].map((text) => `\n${text}`));
  }
});

it('a call is cancelled from any worker, also that of a server that keeps its own sessions', async () => {
  for (const endpoint of ['s', 'u'])
    for (const session of await openBoth(endpoint)) {
      const asked = call('echo', { key: session, script: [{ hang: true }] }, 77);
      const hanging = post(at(gateway, endpoint), asked, { key: ALICE, session, within: 7000 });
      await until(() => executions(ledger, session) === 1);
      await twice(endpoint, tell('notifications/cancelled', { requestId: 77 }), { key: ALICE, session });
      expect((await hanging).ms).toBeLessThan(6000);
    }
  await until(() => executions(ledger, 'note:notifications/cancelled') >= 2);
  const own = http.arrivals.flatMap(({ headers }) => headers['mcp-session-id'] ?? []);
  expect(own.filter((id) => !/^puppet-[a-z0-9]+$/.test(String(id)))).toEqual([]);
});

/** Endpoints with a process, and a tool of it. */
const SHARED = [
  ['s', 'echo'],
  ['', 's_echo'],
] as const;

it('callers without a session share one process, whichever worker they reach', async () => {
  const script = [
    { answer: { result: { content: [{ type: 'text', text: 'pid $PID' }], resultType: 'complete' } } },
  ];
  for (const [endpoint, tool] of SHARED) {
    const answers = [];
    for (let i = 0; i < 4; i++)
      answers.push(
        await post(at(gateway, endpoint), modern(call(tool, { script })), { key: ALICE, era: '2026' }),
      );
    const said = new Set(answers.map(({ message }) => words(message)));
    expect([...said].join()).toMatch(/^\npid \d+$/);
  }
});

/** A call under a key of its own. */
function payment(): object {
  const script = [{ wait: 200 }, { answer: { result: { content: [] } } }];
  const pay = call('pay', { key: 'one payment', script });
  return { ...pay, params: { ...pay['params'], _meta: { 'dev.mayday/idempotency-key': 'order-17' } } };
}

it('a limit is one limit, and a key is used once', async () => {
  const limited = Array.from({ length: 16 }, (_, id) =>
    post(at(gateway, 'u'), call('lookup', {}, id), { key: ALICE }),
  );
  const refused = (await Promise.all(limited)).filter(({ message }) => message['result']?.isError === true);
  expect(refused.length).toBe(6);
  const paid = await Promise.all([1, 2, 3, 4].map(() => post(at(gateway, 'u'), payment(), { key: ALICE })));
  expect(paid.map(({ message }) => message['result']?.isError ?? false)).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(executions(ledger, 'one payment')).toBe(1);
});

it('a task is its caller’s at every worker', async () => {
  const task = { resultType: 'task', taskId: 't-1', status: 'working', createdAt: '2026-01-01T00:00:00Z' };
  const started = modern(call('echo', { script: [{ answer: { result: task } }] }));
  await post(at(gateway, 'u'), started, { key: ALICE, era: '2026' });
  await sleep(200);
  const asked = modern(ask('tasks/get', { taskId: 't-1' }));
  const said = async (key: string): Promise<readonly boolean[]> => {
    const answers = await twice('u', asked, { key, era: '2026' });
    return answers.map(({ body }) => body.includes('Task not found: t-1'));
  };
  expect(await said(BOB)).toEqual([true, true]);
  expect(await said(ALICE)).toEqual([false, false]);
});

it('operators read one gateway, whichever worker they ask', async () => {
  const [first, second] = [await status(), await status()];
  expect(second).toEqual(first);
  expect(first.workers).toMatchObject([
    { worker: 1, restarts: 0 },
    { worker: 2, restarts: 0 },
  ]);
  const before = first.upstreams[0].sessions;
  await openBoth('s');
  expect((await status()).upstreams[0].sessions).toBe(before + 3);
  const [faults, again] = [
    await operatorReads('/-/faults?kind=rate_limited'),
    await operatorReads('/-/faults?kind=rate_limited'),
  ];
  expect(faults.faults.length).toBe(6);
  expect(again).toEqual(faults);
  const metrics: string = await operatorReads('/-/metrics');
  const refusals = [
    ...metrics.matchAll(/^mayday_refusals_total\{worker="[12]",.*refused_by="rate"\} (\d+)$/gm),
  ];
  expect(refusals.map(([, count]) => Number(count)).reduce((a, b) => a + b)).toBe(6);
  expect(metrics.match(/^# TYPE mayday_refusals_total/gm)).toHaveLength(1);
  const left: number[] = [];
  for (let i = 0; i < 3; i++) {
    const { headers } = await send(`${gateway.url}/-/admin/v1/status`, undefined, { key: BOSS });
    left.push(Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]));
  }
  expect(left.map((count) => count - (left[0] ?? 0))).toEqual([0, -1, -2]);
});

it('the head of an answer is the same at every worker', async () => {
  const url = `${gateway.url}/-/admin/v1/openapi.json`;
  const length = (await send(url, undefined, { key: BOSS })).headers['content-length'];
  expect(Number(length)).toBeGreaterThan(1000);
  for (let i = 0; i < 2; i++) {
    const { headers, body } = await send(url, undefined, { method: 'HEAD', key: BOSS });
    expect([headers['content-length'], body]).toEqual([length, '']);
  }
});

it('nobody reaches a worker past its door', async () => {
  const [inner = ''] = readdirSync(temporary).filter((name) => name.startsWith('mayday-workers-'));
  expect(statSync(join(temporary, inner)).mode & 0o077).toBe(0);
  const answered = new Promise<number | undefined>((resolve, reject) => {
    const socketPath = join(temporary, inner, 'calls-1');
    const headers = { host: 'localhost', 'content-type': 'application/json' };
    const sent = request({ socketPath, path: '/u/mcp', method: 'POST', headers }, (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode);
    });
    sent.once('error', reject);
    sent.end(JSON.stringify(call('echo')));
  });
  expect(await answered).toBe(401);
});

it('new settings reach all workers', async () => {
  gateway.rewrite(settings({ late: { url: http.url } }));
  const served = async (): Promise<boolean> => {
    const answers = await twice('late', call('echo'), { key: ALICE });
    return answers.every((one) => one.status === 200);
  };
  await until(served);
  for (const worker of [1, 2])
    await until(() =>
      gateway.log().includes(`worker=${worker} reloaded: s, u, late; changed: upstreams.late`),
    );
});

it('a worker that dies is replaced, and its sessions alone are gone', async () => {
  const [first, second] = await openBoth('s');
  const kept = await open('u');
  const { workers } = await status();
  const { pid } = workers.find(({ worker }: { worker: number }) => worker === 2);
  const hanging = post(at(gateway, 's'), call('echo', { script: [{ hang: true }] }), {
    key: ALICE,
    session: second,
  });
  const outcome = hanging.then(
    ({ status: code }) => code,
    () => 'cut',
  );
  await sleep(150);
  process.kill(pid, 'SIGKILL');
  expect([502, 'cut']).toContain(await outcome);
  const answers = [];
  for (let i = 0; i < 6; i++) {
    const own = await twice('s', call('echo'), { key: ALICE, session: first });
    const its = await twice('s', call('echo'), { key: ALICE, session: second });
    const servers = await twice('u', call('echo'), { key: ALICE, session: kept });
    answers.push([...own, ...its, ...servers].map((one) => one.status).join());
  }
  expect(new Set(answers)).toEqual(new Set(['200,200,404,404,200,200']));
  await until(async () =>
    (await status()).workers.some(({ restarts }: { restarts: number }) => restarts === 1),
  );
  expect(gateway.log()).toMatch(
    /Z worker 2 has ended \(SIGKILL\); its sessions are gone; another one starts in 0.1 s/,
  );
  const reopened = (await openBoth('s'))[1];
  const again = await twice('s', call('echo'), { key: ALICE, session: reopened });
  expect(again.map((one) => one.status)).toEqual([200, 200]);
});

/** A conversation over HTTP+SSE, and what is said in it. */
async function conversation(
  endpoint: string,
  at = gateway,
): Promise<{ messages: string; said: () => string }> {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${ALICE}` };
  const response = await fetch(`${at.url}${endpoint}`, { headers });
  const said: string[] = [];
  void response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeTo(new WritableStream({ write: (text) => void said.push(text) }))
    .catch(() => undefined);
  await until(() => said.join('').includes('sessionId='));
  return { messages: `${at.url}${/data: (.*)/.exec(said.join(''))?.[1]}`, said: () => said.join('') };
}

it.each([1, 2])(
  'nothing moves when worker %i is back: conversations, and what callers share',
  async (worker) => {
    const whoAmI = [{ answer: { result: { content: [{ type: 'text', text: 'pid $PID' }] } } }];
    const pids = async (): Promise<readonly string[]> => {
      const answers = [];
      for (const [endpoint, tool] of [...SHARED, ...SHARED])
        answers.push(await post(at(gateway, endpoint), call(tool, { script: whoAmI }), { key: ALICE }));
      return answers.map(({ message }) => words(message));
    };
    await until(async () => (await status()).workers.length === 2);
    const { workers } = await status();
    process.kill(workers.find((one: { worker: number }) => one.worker === worker).pid, 'SIGKILL');
    await until(async () => (await status()).workers.length === 1);
    const open = await Promise.all(
      ['/s/sse', '/late/sse', '/u/sse', '/sse'].map((path) => conversation(path)),
    );
    const before = await pids();
    expect(before.join()).toMatch(/pid \d+/);
    await until(async () => (await status()).workers.length === 2);
    expect(await pids()).toEqual(before);
    for (const { messages, said } of open) {
      for (const id of ['p1', 'p2', 'p3'])
        expect((await post(messages, ask('ping', {}, id), { key: ALICE })).status).toBe(202);
      await until(() => ['p1', 'p2', 'p3'].every((id) => said().includes(`"id":"${id}"`)));
    }
  },
);

it('what needs a restart needs one of all workers', async () => {
  gateway.rewrite({ ...settings({ late: { url: http.url } }), store: `file:${join(folder, 'other.db')}` });
  await until(() => gateway.log().includes('worker=2 a restart is needed for store.url'));
  const { workers } = await status();
  const { pid } = workers.find(({ worker }: { worker: number }) => worker === 2);
  process.kill(pid, 'SIGKILL');
  await until(async () =>
    (await status()).workers.some(
      (one: { worker: number; pid: number }) => one.worker === 2 && one.pid !== pid,
    ),
  );
  for (let i = 0; i < 2; i++) await twice('u', payment(), { key: ALICE });
  expect(executions(ledger, 'one payment')).toBe(1);
  expect((await twice('late', call('echo'), { key: ALICE })).map((one) => one.status)).toEqual([200, 200]);
  expect(gateway.log().match(/worker=2 a restart is needed for store.url/g)).toHaveLength(2);
});

it('what waits in a conversation counts for its caller, whichever worker it is posted to', async () => {
  const other = await startGateway({
    workers: 2,
    limits: { caller_bytes: 8 * 1024 * 1024 },
    upstreams: { silent: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] } },
  });
  try {
    await until(
      async () => JSON.parse((await send(`${other.url}/-/status`, undefined)).body).workers.length === 2,
    );
    const { messages } = await conversation('/silent/sse', other);
    expect((await post(messages, initialize())).status).toBe(202);
    const statuses = [];
    for (let i = 0; i < 24; i++)
      statuses.push((await post(messages, call('a', { text: 'x'.repeat(1024 * 1024) }, i))).status);
    expect(statuses).toEqual([...Array(7).fill(202), ...Array(17).fill(429)]);
  } finally {
    await other.stop('SIGKILL');
    rmSync(other.folder, { recursive: true, force: true });
  }
});

it('a worker that is asked to end says so of itself, and not of the gateway', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const overOneConnection = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${ALICE}`, 'content-type': 'application/json' };
      const sent = request(at(gateway, 'u'), { agent, method: 'POST', headers }, (incoming) => {
        let body = '';
        incoming.on('data', (chunk) => {
          body += chunk;
        });
        incoming.on('end', () => resolve(`${incoming.statusCode} ${body}`));
      });
      sent.once('error', reject);
      sent.end(JSON.stringify(call('echo')));
    });
  expect(await overOneConnection()).toMatch(/^200 /);
  const script = [{ wait: 2000 }, { answer: { result: { content: [] } } }];
  const under = twiceAtOnce('u', call('echo', { key: 'slow', script }), { key: ALICE });
  await until(() => executions(ledger, 'slow') === 2);
  const { workers } = await status();
  for (const { pid } of workers) process.kill(pid, 'SIGTERM');
  await sleep(200);
  expect(await overOneConnection()).toMatch(
    /^503 .*The worker of the gateway that has this connection is about to stop; connect again/,
  );
  expect(await overOneConnection()).toMatch(/^200 /);
  expect((await under).map((one) => one.status)).toEqual([200, 200]);
  agent.destroy();
  const pids = new Set(workers.map(({ pid }: { pid: number }) => pid));
  await until(async () => {
    const { workers: now } = await status();
    return now.length === 2 && now.every(({ pid }: { pid: number }) => !pids.has(pid));
  });
});

it('a gateway that stops answers what is under way, and leaves nothing behind', async () => {
  const script = [{ wait: 800 }, { answer: { result: { content: [{ type: 'text', text: 'done' }] } } }];
  const sessions = await openBoth('s');
  const streams = sessions.map((session) => {
    const headers = { accept: 'text/event-stream' };
    return send(at(gateway, 's'), undefined, { key: ALICE, session, headers, within: 9000 });
  });
  const calls = [...sessions, ...sessions].map((session, id) =>
    post(at(gateway, 's'), call('echo', { script }, id), { key: ALICE, session }),
  );
  await sleep(300);
  process.kill(gateway.pid, 'SIGTERM');
  expect((await Promise.all(calls)).map(({ message }) => words(message))).toEqual(
    ['done', 'done', 'done', 'done'].map((text) => `\n${text}`),
  );
  expect((await Promise.all(streams)).map(({ body }) => eventsOf(body))).toEqual([[], []]);
  expect(await gateway.gone).toBe(0);
  expect(readdirSync(temporary).filter((name) => name.startsWith('mayday-workers-'))).toEqual([]);
});
