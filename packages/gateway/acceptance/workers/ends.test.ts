/** A worker dies: its tasks are told as ended, and others go on. The gateway stops: what is under way is answered. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type Answer, faultOf } from '../support/http.ts';
import { told } from '../support/prometheus.ts';
import {
  ANN,
  BOB,
  fresh,
  listed,
  OPS,
  startTaskHouse,
  type TaskHouse,
  until,
  type Visitor,
} from '../support/tasks.ts';

let house: TaskHouse;
/** Ann at worker 1, which lives, and at worker 2, which dies. */
let [living, dying]: Visitor[] = [];

// Another try of a test has a gateway of its own: the first has killed a worker of it, or all.
beforeEach(async ({ task }) => {
  if (house?.gateway.alive() === true && (task.result?.retryCount ?? 0) === 0) return;
  await house?.stop();
  house = await startTaskHouse(2);
  [living, dying] = [await house.visit(ANN, 1), await house.visit(ANN, 2)];
});
afterAll(() => house.stop());

const BY_ID = ['tasks/get', 'tasks/result', 'tasks/cancel'] as const;

/** What is told of a task that has ended with its worker. */
function expectEnded({ status, message }: Answer): void {
  expect(status).toBe(200);
  expect(faultOf(message)).toMatchObject({ kind: 'disconnected', executed: 'maybe', retryable: false });
  expect(faultOf(message)['advice']).toMatch(/^(?=.*\bended\b).*\bCheck\b/);
}

/** How a request has ended: with its answer, or cut off. */
function outcome(asked: Promise<Answer>): Promise<Answer | undefined> {
  return asked.catch(() => undefined);
}

it('a worker is killed: its tasks have ended, its sessions are unknown, nobody else notices', async () => {
  const [here, gone] = [living as Visitor, dying as Visitor];
  const [kept, lost] = [fresh('kept'), fresh('lost')];
  const [keptId, lostId] = [await here.begin({ name: kept }), await gone.begin({ name: lost })];
  // Two, one at each worker: what comes to the one that dies is cut, the other is told.
  const waiting = [1, 2].map(() => outcome(house.ask('tasks/result', { taskId: lostId }, { key: ANN })));
  const unharmed = [1, 2].map(() => outcome(house.ask('tasks/result', { taskId: keptId }, { key: ANN })));
  const key = fresh('once');
  const pay = {
    name: 'pay',
    arguments: { name: key },
    _meta: { 'dev.mayday/idempotency-key': key },
  };
  const first = outcome(house.ask('tools/call', pay, { key: ANN, session: gone.session }));
  await until(() => house.notes(key).includes('begun'), 'the payment has begun');
  const { workers } = await house.status();
  process.kill(workers.find(({ worker }: { worker: number }) => worker === 2).pid, 'SIGKILL');
  const repeated = house.ask('tools/call', pay, { key: ANN, session: here.session });

  const answered = (await Promise.all(waiting)).flatMap((answer) => answer ?? []);
  expect(answered.length).toBeGreaterThan(0);
  for (const answer of answered) expectEnded(answer);
  const paid = await first; // cut, or told where it was passed on
  expect(faultOf(paid?.message ?? {})['executed'] ?? 'maybe').toBe('maybe');

  for (const session of [here.session, undefined])
    for (const method of BY_ID) {
      expectEnded(await house.ask(method, { taskId: lostId }, { key: ANN, session }));
      const { message } = await house.ask(method, { taskId: lostId }, { key: BOB });
      expect(faultOf(message)['kind']).toBe('not_found');
    }
  await until(async () => {
    const { workers: now } = await house.status();
    return now.length === 2 && now[1].restarts === 1;
  }, 'its place is taken');
  for (let turn = 0; turn < 2; turn++) {
    expectEnded(await house.ask('tasks/get', { taskId: lostId }, { key: ANN }));
    expect((await house.ask('ping', {}, { key: ANN, session: gone.session })).status).toBe(404);
  }
  expect(await listed(here)).toEqual([keptId]);
  expect((await here.tasks.getTask(keptId)).status).toBe('working');
  house.go(kept);
  expect(await here.result(keptId)).toBe(`${kept}: done`);
  const heard = (await Promise.all(unharmed)).flatMap((answer) => answer?.message['result']?.content ?? []);
  expect(heard).toContainEqual({ type: 'text', text: `${kept}: done` });
  // The call was lost with its worker: it is not made again, and said so after ten seconds.
  expect(faultOf((await repeated).message)).toMatchObject({ executed: 'maybe', retryable: false });
  expect([house.notes(kept), house.notes(key)]).toEqual([['begun', 'done'], ['begun']]);
});

it('SIGTERM: who waits for a task is answered, also across workers, and its processes end', async () => {
  const [here, name] = [living as Visitor, fresh('last')];
  const taskId = await here.begin({ name });
  const waiting = [here.session, undefined, undefined].map((session) =>
    house.ask('tasks/result', { taskId }, { key: ANN, session }),
  );
  await until(async () => (await active(house)) >= 3, 'all three wait');
  const servers = runningServers(house.folder);
  expect(servers.length).toBeGreaterThan(0);
  process.kill(house.gateway.pid, 'SIGTERM');
  for (const worker of [1, 2])
    await until(() => house.gateway.log().includes(`worker=${worker} stopping`), `worker ${worker} stops`);
  house.go(name);
  for (const { message } of await Promise.all(waiting))
    expect(message['result']?.content).toEqual([{ type: 'text', text: `${name}: done` }]);
  expect(await house.gateway.gone).toBe(0);
  expect(house.notes(name)).toEqual(['begun', 'done']);
  await until(() => runningServers(house.folder).length === 0, 'no process of a server is left');
});

// docs/shaping.md: “Who waits for one when the gateway is stopped is told `disconnected`, `executed: maybe`.”
// docs/executed.md: “once it was given, no number and no words that it ends with refuse it.”
it('SIGTERM: a task that does not end in time may have been executed', async () => {
  const here = living as Visitor;
  const taskId = await here.begin({ name: fresh('slow') });
  const waited = [here.session, undefined].map((session) =>
    house.ask('tasks/result', { taskId }, { key: ANN, session }),
  );
  await until(async () => (await active(house)) >= 2, 'both wait');
  process.kill(house.gateway.pid, 'SIGTERM');
  for (const { message } of await Promise.all(waited))
    expect(faultOf(message)).toMatchObject({ kind: 'disconnected', executed: 'maybe' });
});

/** Calls that are under way at all workers. */
async function active({ gateway }: TaskHouse): Promise<number> {
  const samples = await told(gateway, 'mayday_calls_active', OPS);
  return samples.reduce((sum, { value }) => sum + Number(value), 0);
}

/** The processes whose command line names this folder. */
function runningServers(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0${folder}\0`);
    } catch {
      return false; // it has just ended
    }
  });
}
