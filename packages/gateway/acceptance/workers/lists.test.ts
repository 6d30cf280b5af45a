/** `tasks/list` over workers: every task of its caller once, on pages, and what is missing is named. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer, Message } from '../support/http.ts';
import {
  ANN,
  BOB,
  fresh,
  listed,
  startTaskHouse,
  type TaskHouse,
  until,
  type Visitor,
} from '../support/tasks.ts';

const UNAVAILABLE = 'dev.mayday/unavailable';

let house: TaskHouse;
/** Ann twice at worker 1 and once at worker 2; Bob at worker 1. */
let visitors: Visitor[];
/** The ids of what each of them has begun; the server gives ten on a page. */
let begun: string[][];

beforeAll(async () => {
  house = await startTaskHouse(2);
  visitors = [];
  for (const [key, worker] of [
    [ANN, 1],
    [ANN, 1],
    [ANN, 2],
    [BOB, 1],
  ] as const)
    visitors.push(await house.visit(key, worker));
  begun = await Promise.all(visitors.map((one, index) => beginMany(one, [12, 3, 13, 11][index] ?? 0)));
});
afterAll(() => house.stop());

function beginMany(visitor: Visitor, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => visitor.begin({ name: fresh('one') })));
}

const ids = (tasks: readonly Message[]): string[] => tasks.map(({ taskId }) => taskId);

/** All pages, each with its ids. */
async function pages(session: string, key: string): Promise<string[][]> {
  const found: string[][] = [];
  let cursor: string | undefined;
  do {
    const { message } = await house.ask('tasks/list', cursor === undefined ? {} : { cursor }, {
      key,
      session,
    });
    expect(message['result']?._meta?.[UNAVAILABLE]).toBeUndefined();
    found.push(ids(message['result'].tasks));
    cursor = message['result'].nextCursor;
  } while (cursor !== undefined && found.length < 20);
  return found;
}

it('every task of the caller once, in every session, those of other workers on the last page', async () => {
  const hers = begun.slice(0, 3).flat().sort();
  expect(new Set(hers).size).toBe(28);
  const counts: number[] = [];
  for (const { session } of visitors.slice(0, 3)) {
    const found = await pages(session, ANN);
    expect(found.flat().sort()).toEqual(hers);
    const own = session.slice(-3); // such as `.w1`
    for (const page of found.slice(0, -1)) expect(page.filter((id) => !id.includes(`${own}.`))).toEqual([]);
    counts.push(found.length);
  }
  // The server of the first and of the third has two pages itself.
  expect(counts.filter((count) => count > 1).length).toBeGreaterThanOrEqual(2);
  for (const one of visitors.slice(0, 3)) expect((await listed(one)).sort()).toEqual(hers);
  expect((await listed(visitors[3] as Visitor)).sort()).toEqual(begun[3]?.toSorted());
});

it('a cursor of another leads nowhere', async () => {
  const [her, , there, his] = visitors as [Visitor, Visitor, Visitor, Visitor];
  const { message } = await house.ask('tasks/list', {}, { key: ANN, session: her.session });
  const cursor = message['result'].nextCursor;
  expect(typeof cursor).toBe('string');
  for (const session of [his.session, undefined, undefined]) {
    const answer = await house.ask('tasks/list', { cursor }, { key: BOB, session });
    expect([answer.message['error']?.code, answer.message['result']]).toEqual([-32602, undefined]);
    expect(answer.body).not.toContain(begun[0]?.[0]?.split('.')[0]);
  }
  const made = await house.ask('tasks/list', { cursor: 'of my own' }, { key: ANN, session: there.session });
  expect(made.message['error']?.code).toBe(-32602);
});

it('a worker that does not answer is named, and only its own tasks are missing', async () => {
  const [her] = visitors as [Visitor];
  const { workers } = await house.status();
  const { pid } = workers.find(({ worker }: { worker: number }) => worker === 2);
  process.kill(pid, 'SIGSTOP');
  // Connections go to the one that stands still too, in its turn: of several requests the first answer counts.
  const asked = (params: object): Promise<Answer> => {
    const all = [1, 2, 3, 4].map(() => house.ask('tasks/list', params, { key: ANN, session: her.session }));
    for (const one of all) one.catch(() => undefined);
    return Promise.race(all);
  };
  const found: string[] = [];
  let last: Message = {};
  try {
    do {
      const params = last['nextCursor'] === undefined ? {} : { cursor: last['nextCursor'] };
      last = (await asked(params)).message['result'];
      found.push(...ids(last['tasks']));
    } while (last['nextCursor'] !== undefined);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  expect(last['_meta']?.[UNAVAILABLE]).toEqual(['worker 2']);
  expect(found.sort()).toEqual([...(begun[0] ?? []), ...(begun[1] ?? [])].sort());
  await until(async () => (await listed(her)).length === 28, 'all are there again');
});
