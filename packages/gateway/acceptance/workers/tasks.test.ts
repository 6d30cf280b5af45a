/** A task is its caller’s and nobody else’s, whichever worker runs it, whichever is asked, and in whichever session. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultOf, type Message, post, type SendOptions } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { ask, call, modern } from '../support/messages.ts';
import {
  ANN,
  BOB,
  CARL,
  failure,
  fresh,
  listed,
  startTaskHouse,
  startTaskServer,
  type TaskHouse,
  type TaskServer,
  until,
  type Visitor,
} from '../support/tasks.ts';

/** What the server says to a subscription; it ends at once. */
const HEARD = [
  {
    events: [
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
      { result: { resultType: 'complete' } },
    ],
  },
];
const RELATED = 'io.modelcontextprotocol/related-task';

let house: TaskHouse;
let issuer: Issuer;
let puppet: HttpPuppet;
/** The server with tasks once more, over HTTP; a session of it knows its own tasks alone. */
let remote: TaskServer;
/** Ann, twice: once at each worker. */
const ann: Visitor[] = [];

beforeAll(async () => {
  issuer = await startIssuer();
  const issuers = [{ name: 'login', issuer: issuer.url }];
  remote = await startTaskServer();
  puppet = await startHttpPuppet({ on: { 'subscriptions/listen': HEARD } });
  const oauth = { resource: 'https://mcp.example.com', issuers };
  house = await startTaskHouse(2, { oauth, upstreams: { u: { url: puppet.url }, h: { url: remote.url } } });
  ann.push(...(await Promise.all([house.visit(ANN, 1), house.visit(ANN, 2)])));
});
afterAll(async () => {
  await house.stop();
  remote.stop();
  await Promise.all([issuer.down(), puppet.close()]);
});

/** Which of Ann's sessions begins it, and which asks. */
const BOTH_WAYS = [
  [1, 2],
  [2, 1],
] as const;

function annAt(worker: number): Visitor {
  return ann[worker - 1] as Visitor;
}

/** Has the server of 2026-07-28 begin a task. */
async function beginModern(key: string): Promise<string> {
  const taskId = randomUUID();
  const now = '2026-11-17T00:00:00Z';
  const task = {
    resultType: 'task',
    taskId,
    status: 'working',
    createdAt: now,
    lastUpdatedAt: now,
    ttlMs: null,
  };
  const request = modern(call('echo', { script: [{ answer: { result: task } }] }));
  const { message } = await post(`${house.gateway.url}/u/mcp`, request, { key, era: '2026' });
  expect(message['result']).toMatchObject({ taskId, status: 'working' });
  return taskId;
}

/** What is asked of a task by its id. */
const BY_ID = ['tasks/get', 'tasks/result', 'tasks/cancel'] as const;

/** How the gateway refuses: the kind, whether it happened, the code, and the words without the id that was asked for. */
function refusal(message: Message, taskId: string): string {
  const { code, message: said } = message['error'] ?? {};
  const { kind, executed } = faultOf(message);
  return `${kind} ${executed} ${code} ${String(said).replaceAll(taskId, 'ID')}`;
}

/** What somebody is told of a task who asks for it in every way. */
function told(taskId: string, options: SendOptions): Promise<string[]> {
  return Promise.all(
    BY_ID.map(async (method) => refusal((await house.ask(method, { taskId }, options)).message, taskId)),
  );
}

it.each(BOTH_WAYS)('begun at worker %i: polled, listed and fetched at worker %i', async (here, there) => {
  const [mine, other] = [annAt(here), annAt(there)];
  const name = fresh('shown');
  const taskId = await mine.begin({ name });
  expect(taskId).toContain(`.w${here}.`);
  for (const one of [mine, other, mine, other]) {
    expect(await one.tasks.getTask(taskId)).toMatchObject({ taskId, status: 'working', ttl: 600_000 });
    expect((await listed(one)).filter((id) => id === taskId)).toEqual([taskId]);
  }
  const waited = [mine, other, other].map((one) => one.payload(taskId));
  house.go(name);
  const text = `${name}: done`;
  for (const result of await Promise.all(waited))
    expect(result).toMatchObject({ content: [{ type: 'text', text }], _meta: { [RELATED]: { taskId } } });
  for (const one of [mine, other]) {
    expect(await one.tasks.getTask(taskId)).toMatchObject({ taskId, status: 'completed' });
    expect(await one.result(taskId)).toBe(text);
  }
  expect(house.notes(name)).toEqual(['begun', 'done']);
});

it.each(BOTH_WAYS)('begun at worker %i: cancelled at worker %i, and at its server', async (here, there) => {
  const name = fresh('left');
  const taskId = await annAt(here).begin({ name });
  expect(await annAt(there).tasks.cancelTask(taskId)).toMatchObject({ taskId, status: 'cancelled' });
  await until(() => house.notes(name).includes('cancelled'), 'the server hears of it');
  for (const one of ann) {
    expect((await one.tasks.getTask(taskId)).status).toBe('cancelled');
    expect(await failure(one.tasks.cancelTask(taskId))).toMatch(/^-32602 /); // it has ended
  }
  expect(house.notes(name)).toEqual(['begun', 'cancelled']);
});

it.each(BOTH_WAYS)(
  'its session at worker %i is over: it goes on for one at worker %i',
  async (here, there) => {
    const name = fresh('orphan');
    const passing = await house.visit(ANN, here);
    const taskId = await passing.begin({ name });
    await passing.leave();
    expect((await annAt(there).tasks.getTask(taskId)).status).toBe('working');
    expect(await listed(annAt(there))).toContain(taskId);
    const waited = annAt(there).result(taskId);
    house.go(name);
    expect(await waited).toBe(`${name}: done`);
    expect(await annAt(here).result(taskId)).toBe(`${name}: done`);
  },
);

it('without a session too its caller finds it, at every worker', async () => {
  const name = fresh('bare');
  const taskId = await annAt(1).begin({ name });
  for (let turn = 0; turn < 4; turn++) {
    const { message } = await house.ask('tasks/get', { taskId }, { key: ANN });
    expect(message['result']).toMatchObject({ taskId, status: 'working' });
  }
  const waited = [1, 2].map(() => house.ask('tasks/result', { taskId }, { key: ANN }));
  house.go(name);
  for (const { message } of await Promise.all(waited))
    expect(message['result'].content).toEqual([{ type: 'text', text: `${name}: done` }]);
});

it('to others it is what never was: of the same tenant, of another, with a token, at either worker', async () => {
  const name = fresh('hers');
  const taskId = await annAt(1).begin({ name });
  const notFound = Array(3).fill('not_found no -32602 Task not found: ID');
  const eve = await issuer.token({ sub: 'eve' });
  const namesake = await issuer.token({ sub: 'ann' }); // of a token: login:ann, and the key is ann's
  const sessions = [
    { key: BOB, session: await house.open(BOB, 1) },
    { key: BOB, session: await house.open(BOB, 2) },
    { key: eve, session: await house.open(eve, 2) },
  ];
  // Without a session: once at each worker.
  const bare = [BOB, CARL, eve, namesake].flatMap((key) => [{ key }, { key }]);
  for (const who of [...sessions, ...bare]) {
    expect(await told(taskId, who)).toEqual(notFound);
    const { message } = await house.ask('tasks/list', {}, who);
    expect(message['result']?.tasks).toEqual([]);
  }
  for (let turn = 0; turn < 2; turn++) {
    expect((await house.ask('tasks/get', { taskId }, {})).status).toBe(401);
    const stolen = await house.ask('tasks/get', { taskId }, { key: BOB, session: annAt(1).session });
    expect(stolen.status).toBe(404);
  }
  expect((await annAt(2).tasks.getTask(taskId)).status).toBe('working');
  expect(house.notes(name)).toEqual(['begun']);
});

it('a token that was renewed is the same subject, at another worker too', async () => {
  const name = fresh('renewed');
  const [old, young] = [await issuer.token({ jti: 'old' }), await issuer.token({ jti: 'young' })];
  const first = await house.visit(old, 1);
  const taskId = await first.begin({ name });
  const second = await house.visit(young, 2);
  expect((await second.tasks.getTask(taskId)).status).toBe('working');
  expect(await listed(second)).toEqual([taskId]);
  expect(await failure(annAt(2).tasks.getTask(taskId))).toMatch(/^-32602 .*Task not found/);
  const waited = second.result(taskId);
  house.go(name);
  expect(await waited).toBe(`${name}: done`);
  await Promise.all([first.leave(), second.leave()]);
});

it('a subscription is passed on with the tasks of its caller alone, at either worker', async () => {
  const [hers, his] = [await beginModern(ANN), await beginModern(BOB)];
  const request = modern(ask('subscriptions/listen', { notifications: { taskIds: [hers, his] } }));
  const heard = async (key: string): Promise<unknown[]> => {
    const before = puppet.arrivals.length;
    for (let turn = 0; turn < 2; turn++)
      await post(`${house.gateway.url}/u/mcp`, request, { key, era: '2026' });
    const bodies = puppet.arrivals.slice(before).map(({ body }) => JSON.parse(body) as Message);
    return bodies.map(({ params }) => params.notifications.taskIds);
  };
  // A worker is told whose they are by the one that has heard it first.
  await until(async () => {
    const { message } = await post(`${house.gateway.url}/u/mcp`, modern(ask('tasks/get', { taskId: his })), {
      key: ANN,
      era: '2026',
    });
    return faultOf(message)['kind'] === 'not_found';
  }, 'it is known whose it is');
  expect(await heard(ANN)).toEqual([[hers], [hers]]);
  expect(await heard(BOB)).toEqual([[his], [his]]);
});

it('where all servers are together it is the same, of a process and of a server at a url', async () => {
  const joined = { endpoint: '' };
  const mine = await house.visit(ANN, 1, joined);
  const asking = await house.visit(ANN, 2, joined);
  const url = `${house.gateway.url}/mcp`;
  for (const tool of ['p_work', 'h_work']) {
    const [name, left] = [fresh('joined'), fresh('left')];
    const taskId = await mine.begin({ name }, {}, tool);
    const leftId = await mine.begin({ name: left }, {}, tool);
    expect(taskId).toContain('.w1.');
    expect((await asking.tasks.getTask(taskId)).status).toBe('working');
    const both = [taskId, leftId].sort();
    for (const one of [mine, asking])
      expect((await listed(one)).filter((id) => both.includes(id)).sort()).toEqual(both);
    const his = await Promise.all(
      [...BY_ID, 'tasks/list'].map((method) => post(url, ask(method, { taskId }), { key: BOB })),
    );
    const kinds = his.map(({ message }) => faultOf(message)['kind'] ?? message['result']?.tasks);
    expect(kinds).toEqual(['not_found', 'not_found', 'not_found', []]);
    expect((await asking.tasks.cancelTask(leftId)).status).toBe('cancelled');
    expect((await mine.tasks.getTask(leftId)).status).toBe('cancelled');
    const waited = asking.result(taskId);
    (tool === 'p_work' ? house : remote).go(name);
    expect(await waited).toBe(`${name}: done`);
    expect(await mine.result(taskId)).toBe(`${name}: done`);
  }
  await Promise.all([mine, asking].map((one) => one.leave()));
});
