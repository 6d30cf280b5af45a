import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { said, till } from './till.ts';
import { connectRaw, faultIn } from './wire.ts';

describe('the caller’s deadline', () => {
  // By the clock on the wall: a machine that is busy with other tests may be late once.
  it('is obeyed: the answer is there in time, and the handler’s signal aborts', { retry: 5 }, async () => {
    let signal: AbortSignal | undefined;
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('slow', {}, (ctx) => {
      signal = ctx.mcpReq.signal;
      return new Promise(() => {});
    });
    const client = await connectRaw(server);
    await client.ask('tools/list');
    const deadline = Date.now() + 150;
    const answer = await client.ask('tools/call', {
      name: 'slow',
      _meta: { 'dev.mayday/deadline': deadline },
    });
    expect(Date.now()).toBeLessThanOrEqual(deadline);
    expect(faultIn(answer)).toMatchObject({ kind: 'timeout', executed: 'maybe' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(signal?.aborted).toBe(true);
  });

  it('that has passed already is not begun', async () => {
    const { pay, paid } = await till();
    const answer = await pay(5, 'k', { 'dev.mayday/deadline': Date.now() - 1000 });
    expect(faultIn(answer)).toMatchObject({ kind: 'timeout', executed: 'no' });
    expect(paid).toEqual([]);
  });

  it('never lengthens the server’s own', async () => {
    const { pay } = await till(() => new Promise(() => {}), { deadlineMs: 30 });
    const answer = await pay(5, 'k', { 'dev.mayday/deadline': Date.now() + 60_000 });
    expect(faultIn(answer)).toMatchObject({ kind: 'timeout', message: 'No answer within 30 ms' });
  });

  it.each(['soon', -1, Number.NaN, null, {}])('%o is none', async (deadline) => {
    const { pay } = await till();
    expect(said(await pay(5, 'k', { 'dev.mayday/deadline': deadline }))).toBe('paid 5, receipt 1');
  });
});
