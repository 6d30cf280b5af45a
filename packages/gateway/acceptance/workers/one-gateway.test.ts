/** Workers are one gateway to whoever counts: limits, idempotency keys, the journal, the status and the metrics. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scratch } from '../support/gateway.ts';
import { type Answer, faultOf, type Message, type SendOptions, send } from '../support/http.ts';
import { told } from '../support/prometheus.ts';
import { fresh, OPS, startTaskHouse, type TaskHouse, until } from '../support/tasks.ts';

const ONCE = 'dev.mayday/idempotency-key';
const store = scratch();
/** A caller for each try of a test that counts. */
const COUNTED = ['counted-key-0-0123456789', 'counted-key-1-0123456789', 'counted-key-2-0123456789'];
const EVE = 'eve-key-0123456789abcdef';
const DAN = 'dan-key-0123456789abcdef';

let house: TaskHouse;
/** Eve's sessions, at worker 1 and at worker 2. */
let sessions: string[];

beforeAll(async () => {
  house = await startTaskHouse(2, {
    store: `file:${join(store, 'mayday.db')}`,
    keys: [
      ...COUNTED.map((key, index) => ({ name: `counted-${index}`, key })),
      { name: 'eve', key: EVE },
      { name: 'dan', key: DAN },
      { name: 'ops', key: OPS, role: 'operator' },
    ],
    limits: {
      rates: [{ calls: 4, per_ms: 600_000, by: ['caller'], tools: ['p/pay'] }],
      concurrency: [{ calls: 1, by: ['caller'], tools: ['p/hold'] }],
    },
  });
  sessions = [await house.open(EVE, 1), await house.open(EVE, 2)];
});
afterAll(async () => {
  await house.stop();
  rmSync(store, { recursive: true, force: true });
});

const TASK = { task: { ttl: 600_000 } };

function call(name: string, wish: object, more: object, options: SendOptions): Promise<Answer> {
  return house.ask('tools/call', { name, arguments: wish, ...more }, { key: EVE, ...options });
}

const keyed = (key: string): object => ({ _meta: { [ONCE]: key } });
const taskIdOf = ({ message }: Answer): string => String(message['result']?.task?.taskId);
const fateOf = ({ message }: Answer): string => {
  const { kind, executed } = faultOf(message);
  return kind === undefined ? 'fine' : `${kind} ${executed}`;
};

it('a rate counts the tasks that begin at all workers, and not who asks for them', async ({ task }) => {
  const key = COUNTED[task.result?.retryCount ?? 0] ?? '';
  const at = [await house.open(key, 1), await house.open(key, 2)];
  const names = Array.from({ length: 6 }, () => fresh('paid'));
  const begun = await Promise.all(
    names.map((name, index) => call('pay', { name }, TASK, { key, session: at[index % 2] })),
  );
  expect(begun.map(fateOf).sort()).toEqual([...Array(4).fill('fine'), ...Array(2).fill('rate_limited no')]);
  const refused = begun.filter((one) => fateOf(one) !== 'fine');
  for (const { message } of refused) expect(faultOf(message)['retry']?.after_ms).toBeGreaterThan(1000);
  const [first] = begun.filter((one) => fateOf(one) === 'fine');
  for (const session of [...at, ...at]) {
    const { message } = await house.ask('tasks/get', { taskId: taskIdOf(first as Answer) }, { key, session });
    expect(message['result']?.status).toBe('working');
  }
  for (const session of at)
    expect(fateOf(await call('pay', { name: fresh('late') }, {}, { key, session }))).toBe('rate_limited no');
  expect(names.flatMap((name) => house.notes(name))).toEqual(Array(4).fill('begun'));
});

it('a place is one place at all workers, and a task that has begun holds none', async () => {
  const [here, there] = [{ session: sessions[0] }, { session: sessions[1] }];
  const [held, more] = [fresh('held'), fresh('more')];
  const waiting = call('hold', { name: held }, {}, here);
  await until(() => house.notes(held).includes('begun'), 'it is under way');
  for (const where of [here, there, {}])
    expect(fateOf(await call('hold', { name: more }, {}, where))).toBe('overloaded no');
  house.go(held);
  expect(fateOf(await waiting)).toBe('fine');
  const tasks = [
    await call('hold', { name: more }, TASK, there),
    await call('hold', { name: more }, TASK, here),
  ];
  expect(tasks.map(fateOf)).toEqual(['fine', 'fine']);
  expect(house.notes(more)).toEqual(['begun', 'begun']);
});

it('a task that was begun under a key is the same task to a repeat at another worker', async () => {
  const [name, key] = [fresh('once'), fresh('key')];
  const same = { ...TASK, ...keyed(key) };
  const [first, ...others] = await Promise.all(
    [0, 1, 0, 1].map((worker) => call('work', { name }, same, { session: sessions[worker] })),
  );
  const taskId = taskIdOf(first as Answer);
  expect(others.map(taskIdOf)).toEqual([taskId, taskId, taskId]);
  expect(house.notes(name)).toEqual(['begun']);
  for (const session of sessions) {
    expect(taskIdOf(await call('work', { name }, same, { session }))).toBe(taskId);
    expect(fateOf(await call('work', { name }, keyed(key), { session }))).toMatch(/^conflict /);
    expect(fateOf(await call('work', { name: 'another' }, same, { session }))).toMatch(/^conflict /);
    const { message } = await house.ask('tasks/get', { taskId }, { key: EVE, session });
    expect(message['result']?.status).toBe('working');
  }
  expect(house.notes(name)).toEqual(['begun']);
  // The same key of another caller is another key.
  const dans = await call('work', { name }, same, { key: DAN, session: await house.open(DAN, 2) });
  expect([fateOf(dans), taskIdOf(dans) === taskId]).toEqual(['fine', false]);
  expect(house.notes(name)).toEqual(['begun', 'begun']);
});

it.each([
  [1, 2],
  [2, 1],
])(
  'an answer that was lost at worker %i is had at worker %i, and nothing is done twice',
  async (here, there) => {
    const [name, key] = [fresh('lost'), fresh('key')];
    const abort = new AbortController();
    const { signal } = abort;
    const lost = call('work', { name }, keyed(key), { session: sessions[here - 1], signal });
    await until(() => house.notes(name).includes('begun'), 'it is under way');
    abort.abort();
    await expect(lost).rejects.toThrow('aborted');
    const repeated = [there, here, there].map((worker) =>
      call('work', { name }, keyed(key), { session: sessions[worker - 1] }),
    );
    house.go(name);
    const again = call('work', { name }, keyed(key), {}); // without a session, wherever it comes to
    for (const { message } of await Promise.all([...repeated, again]))
      expect(message['result']?.content).toEqual([{ type: 'text', text: `${name}: done` }]);
    expect(house.notes(name)).toEqual(['begun']);
  },
);

/** What an operator reads. */
async function read(path: string): Promise<Message> {
  return JSON.parse((await send(`${house.gateway.url}${path}`, undefined, { key: OPS })).body);
}

it('what fails at any worker is in one journal, whichever is asked', async () => {
  const words = `the ${fresh('kettle')} is out of order`;
  const name = fresh('fails');
  house.go(name);
  for (const session of sessions) {
    const { message } = await call('work', { name, fails: words }, {}, { session });
    expect(message['result']?.isError).toBe(true);
  }
  const taskId = taskIdOf(await call('work', { name, fails: words }, TASK, { session: sessions[1] }));
  const { message } = await house.ask('tasks/result', { taskId }, { key: EVE, session: sessions[0] });
  expect(message['result']?.isError).toBe(true);
  const own = (faults: Message[]): Message[] => faults.filter((one) => JSON.stringify(one).includes(words));
  let journal: Message[] = [];
  await until(async () => {
    journal = own((await read('/-/admin/v1/faults?limit=1000'))['faults']);
    return journal.length >= 3;
  }, 'the journal has them');
  expect(journal.map(({ upstream }) => upstream)).toEqual(['p', 'p', 'p']);
  expect(new Set(journal.map(({ id }) => id)).size).toBe(3);
  const { groups } = await read('/-/admin/v1/faults/groups?limit=1000');
  expect(own(groups).map(({ count }) => count)).toEqual([3]);
  for (let turn = 0; turn < 2; turn++) {
    const { faults } = await read('/-/faults?limit=1000&caller=eve');
    const methods = own(faults).map(({ method }) => method);
    expect(methods.sort()).toEqual(['tasks/result', 'tools/call', 'tools/call']);
  }
});

/** The sum of a metric over all workers, of those samples that have these labels. */
async function sum(name: string, labels: Record<string, string>): Promise<number> {
  const samples = await told(house.gateway, name, OPS);
  expect(samples.every(({ worker }) => /^[12]$/.test(worker ?? ''))).toBe(true);
  const fit = samples.filter((one) => Object.entries(labels).every(([key, value]) => one[key] === value));
  return fit.reduce((all, { value }) => all + Number(value), 0);
}

it('status and metrics are those of all workers, and a request that was passed on counts once', async () => {
  const name = fresh('metered');
  const asked = { mcp_method_name: 'tasks/get' };
  const before = await sum('mcp_server_operation_duration_seconds_count', asked);
  const taskId = taskIdOf(await call('work', { name }, TASK, { session: sessions[1] }));
  for (const session of [sessions[0], sessions[0], sessions[1], undefined, undefined])
    await house.ask('tasks/get', { taskId }, { key: EVE, session });
  expect((await sum('mcp_server_operation_duration_seconds_count', asked)) - before).toBe(5);
  const [one, other] = [await house.status(), await house.status()];
  expect(other).toEqual(one);
  expect(one['workers'].map(({ worker }: Message) => worker)).toEqual([1, 2]);
  const [upstream] = one['upstreams'];
  expect(upstream.sessions).toBeGreaterThanOrEqual(2);
  expect(await sum('mayday_upstream_sessions', { mayday_upstream: 'p' })).toBe(upstream.sessions);
  expect(await sum('mayday_upstream_processes', { mayday_upstream: 'p' })).toBe(upstream.processes);
});
