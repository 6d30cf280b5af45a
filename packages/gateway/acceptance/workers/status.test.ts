/** What operators are told with workers: the gateway's own start, its limits as the file has them, and what failed at workers that died. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Gateway, scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Message, post, send } from '../support/http.ts';
import { call } from '../support/messages.ts';
import { until } from '../support/tasks.ts';
import { failing, stdio } from '../support/world.ts';

const folder = scratch();
let gateway: Gateway;
let before: Message;

beforeAll(async () => {
  gateway = await startGateway(
    {
      workers: 2,
      sessions: { max: 5, per_caller: 3 },
      upstreams: { s: stdio(), own: stdio({}, { sessions: { max: 7 } }) },
    },
    { folder },
  );
  await until(async () => (await read('/-/status'))['workers']?.length === 2);
  before = await read('/-/status');
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function read(path: string): Promise<Message> {
  return JSON.parse((await send(`${gateway.url}${path}`, undefined)).body);
}

/** Fails this often, in turns at both workers. */
async function fail(words: string, times: number): Promise<void> {
  const script = [failing(words)];
  for (let i = 0; i < times; i++) await post(at(gateway, 's'), call('echo', { script }, i));
}

/** Kills a worker and waits for the one in its place. */
async function kill(worker: number): Promise<void> {
  const of = ({ workers }: Message): Message => workers.find((one: Message) => one['worker'] === worker);
  const { pid, restarts } = of(await read('/-/status'));
  process.kill(pid, 'SIGKILL');
  await until(async () => of(await read('/-/status'))?.['restarts'] === restarts + 1, 'its place is taken');
}

/** What is told of failures that say this, by whichever worker is asked. */
async function toldOf(words: string): Promise<readonly number[]> {
  const counts: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const { faults } = await read('/-/faults?limit=1000&upstream=s');
    counts.push(faults.filter((one: Message) => one['fault'].message === words).length);
  }
  return counts;
}

it('tells limits as the file has them, not the part of one worker', async () => {
  const { limits, upstreams } = await read('/-/status');
  expect(limits.sessions).toEqual({ max: 5, per_caller: 3 });
  const most = upstreams.map(({ name, max_sessions }: Message) => [name, max_sessions]);
  expect(most).toEqual([
    ['s', 5],
    ['own', 7],
  ]);
});

it('keeps counting from its own start when workers die, and forgets no failure', async () => {
  const words = 'the kettle is out of order';
  await fail(words, 6);
  const { faults } = await read('/-/status');
  expect(faults).toBe(before['faults'] + 6);
  // What a worker has told the process that holds the port is kept; it tells within half a second.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  for (const worker of [1, 2, 1]) {
    await kill(worker);
    for (let turn = 0; turn < 3; turn++) {
      const told = await read('/-/status');
      expect([told['started_at'], told['faults']]).toEqual([before['started_at'], faults]);
    }
    expect(await toldOf(words)).toEqual([6, 6, 6]);
  }
  await fail(words, 2);
  expect((await read('/-/status'))['faults']).toBe(faults + 2);
  expect(await toldOf(words)).toEqual([8, 8, 8]);
});
