/** Calls that go on without their caller hold their places and their bytes until they end. */
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUp, takeEvents, until } from '../tools.ts';
import { callerAt, KEPT, leavingHouse, pause } from './leaving.ts';

afterEach(cleanUp);

const PROGRESS = { progressToken: 'p' };
const KEY = { 'dev.mayday/idempotency-key': 'k' };

it.each(KEPT)(
  'in a session at %s (%s), one whose stream has begun goes on, holds its place and its bytes, and can be taken up',
  async (path, tool) => {
    const { url, work } = await leavingHouse({
      limits: { concurrency: [{ calls: 1 }], caller_bytes: 300_000 },
    });
    const caller = await callerAt(url + path, tool);
    const made = caller.call(1, PROGRESS, 150_000);
    const [event = ''] = await takeEvents(await made.response, 1);
    await until(() => work.begun === 1);
    await made.leave();
    await pause(50);
    expect(await (await caller.call(2).response).text()).toContain('Too many calls at a time');
    expect(await caller.ask(150_000)).toBe(429);
    const id = /^id: (.*)$/m.exec(event)?.[1] ?? '';
    const accept = 'text/event-stream';
    const resumed = await fetch(url + path, { headers: { ...caller.headers, accept, 'last-event-id': id } });
    work.finish('paid');
    expect(await resumed.text()).toContain('"paid"');
    expect(work).toMatchObject({ begun: 1, told: 0 });
    const last = caller.call(4, {}, 150_000);
    await until(() => work.begun === 2);
    work.finish('paid again');
    expect(await (await last.response).text()).toContain('paid again');
  },
);

describe.each([...KEPT, ['/u/mcp', 'pay'] as const])('with a key at %s (%s)', (path, tool) => {
  it.each([true, false])(
    'a call goes on without its caller, and its bytes are held (in a session: %s)',
    async (inSession) => {
      const { url, work } = await leavingHouse({ limits: { caller_bytes: 300_000 } });
      const caller = await callerAt(url + path, tool, { inSession });
      const made = caller.call(1, KEY, 150_000);
      await until(() => work.begun === 1);
      await made.leave();
      await pause(50);
      expect(await caller.ask(150_000)).toBe(429);
      work.finish('paid');
      await until(async () => (await caller.ask(150_000)) === 200);
      expect(await (await caller.call(4, KEY, 150_000).response).text()).toContain('"paid"');
      expect(work).toMatchObject({ begun: 1, told: 0 });
    },
  );
});

it('holds what a caller with a key of its own has left behind against nobody else', async () => {
  const keys = [
    { name: 'ann', key: 'ann-has-a-key' },
    { name: 'bob', key: 'bob-has-a-key' },
  ];
  const { url, work } = await leavingHouse({ keys, limits: { caller_bytes: 300_000 } });
  const ann = await callerAt(`${url}/p/mcp`, 'pay', { as: { authorization: 'Bearer ann-has-a-key' } });
  const bob = await callerAt(`${url}/p/mcp`, 'pay', { as: { authorization: 'Bearer bob-has-a-key' } });
  const made = ann.call(1, KEY, 150_000);
  await until(() => work.begun === 1);
  await made.leave();
  await pause(50);
  expect(await ann.ask(150_000)).toBe(429);
  expect(await bob.ask(150_000)).toBe(200);
  work.finish('paid');
  await until(async () => (await ann.ask(150_000)) === 200);
});

it.each([true, false])(
  'what a process has not read yet is held, whoever has left (in a session: %s)',
  async (inSession) => {
    const { url, work } = await leavingHouse({ limits: { caller_bytes: 2_500_000 } });
    const caller = await callerAt(`${url}/p/mcp`, 'pay', { inSession });
    const blocking = caller.call(1, {}, 0, { blockMs: 1500 });
    await pause(150);
    const made = caller.call(2, {}, 1_500_000);
    await pause(150);
    await made.leave();
    await pause(50);
    expect(await caller.ask(1_500_000)).toBe(429);
    await until(() => work.begun === 2);
    expect(await caller.ask(1_500_000)).toBe(200);
    await until(() => work.told === 1);
    work.finish('paid');
    expect(await (await blocking.response).text()).toContain('"paid"');
  },
);
