/** A caller that closes its connection: what nobody can take up again is ended, and its server is told. */
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUp, until } from '../tools.ts';
import { callerAt, KEPT, leavingHouse, pause } from './leaving.ts';

afterEach(cleanUp);

describe.each(KEPT)('in a session at %s (%s)', (path, tool) => {
  it('a call that nobody can take up again is ended: its server is told, and its place is free', async () => {
    const { url, work } = await leavingHouse({ limits: { concurrency: [{ calls: 1 }] } });
    const caller = await callerAt(url + path, tool);
    const made = caller.call(1);
    await until(() => work.begun === 1);
    await made.leave();
    await until(() => work.told === 1);
    const next = caller.call(2);
    await until(() => work.begun === 2);
    work.finish('paid');
    expect(await (await next.response).text()).toContain('"paid"');
  });

  it('one that somebody on the way has sent twice is ended when both are gone', async () => {
    const { url, work } = await leavingHouse();
    const caller = await callerAt(url + path, tool);
    const first = caller.call(1);
    await until(() => work.begun === 1);
    const second = caller.call(1);
    await pause(50);
    await first.leave();
    await pause(50);
    expect(work.told).toBe(0);
    await second.leave();
    await until(() => work.told === 1);
    expect(work.begun).toBe(1);
  });
});

describe.each([
  ['/l/mcp', 'pay'],
  ['/mcp', 'l_pay'],
  ['/v/mcp', 'l_pay'],
] as const)('at %s (%s)', (path, tool) => {
  it.each(['openMs', 'takeMs'] as const)(
    'what was not sent yet is not sent when its caller has left (%s)',
    async (slow) => {
      const { url, work } = await leavingHouse();
      const at = url + path;
      const callers = [await callerAt(at, tool), await callerAt(at, tool, { inSession: false })];
      work[slow] = 400;
      work.cut();
      await pause(50);
      const made = callers.map((caller) => caller.call(1));
      await pause(150);
      for (const one of made) await one.leave();
      await pause(600);
      expect(work).toMatchObject({ begun: 0, told: 0 });
      work[slow] = 0;
      const next = callers.map((caller) => caller.call(2));
      await until(() => work.begun === 2);
      work.finish('paid');
      for (const one of next) expect(await (await one.response).text()).toContain('"paid"');
    },
  );
});
