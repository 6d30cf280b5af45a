/** Functions of the operator's that reject: nobody is kept waiting, nothing ends, nothing goes round in circles. */
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GuardOptions, guard } from '../src/index.ts';
import { problemWriter } from '../src/rest/problem.ts';
import { type Ended, twoRequests } from './two-requests.ts';
import { connectRaw, faultIn, httpRequest } from './wire.ts';

const run = (how: string): Promise<Ended> =>
  twoRequests({ file: './rejecting-server.ts', how, tool: 'fails' });

describe('a hook that rejects', () => {
  it.each([
    'onFault',
    'logger',
    'telemetry',
    'mapError',
    'correlationId',
    'onerror',
    'after',
    'result',
    'forgets in onFault',
    'forgets in mapError',
    'forgets in correlationId',
  ])(
    '%s: the process goes on, and says it once',
    async (how) => {
      const { code, out, err } = await run(how);
      expect(out).toContain('"id":1');
      expect(out).toContain('"id":2');
      expect(code).toBe(0);
      expect(err.split('the hook is broken').length - 1).toBe(1);
    },
    30_000,
  );
});

describe('in this process', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  beforeEach(() => void process.on('unhandledRejection', note));
  afterEach(() => {
    process.off('unhandledRejection', note);
    unhandled.length = 0;
  });
  const rejects = async (): Promise<never> => {
    throw new Error('the hook is broken');
  };
  const settle = () => new Promise((resolve) => setTimeout(resolve, 20));
  const failing = (options: GuardOptions) => {
    const server = guard(new McpServer({ name: 's', version: '1' }), options);
    server.registerTool('fails', {}, async () => {
      throw new Error('Order 7 not found');
    });
    return server;
  };

  it('a deadline that is a promise is the operator’s mistake, and nothing is begun', async () => {
    const { ask } = await connectRaw(failing({ deadlineMs: rejects as never }));
    expect(faultIn(await ask('tools/call', { name: 'fails' }))).toMatchObject({ executed: 'no' });
    await settle();
    expect(unhandled).toEqual([]);
  });

  it('a sender who is a promise is nobody', async () => {
    const { createMcpHandler } = await import('@modelcontextprotocol/server');
    const handler = createMcpHandler(() => failing({ identify: rejects as never }));
    const meta = { 'dev.mayday/idempotency-key': 'k' };
    const request = httpRequest('2026-07-28', 'tools/call', { name: 'fails', _meta: meta });
    const text = await (await handler.fetch(request)).text();
    expect(text).toContain('"executed":"no"');
    await settle();
    expect(unhandled).toEqual([]);
  });

  it('a problem is written all the same', async () => {
    const logger = { error: rejects as never };
    const write = problemWriter({ logger, correlationId: rejects as never });
    expect(write(new Error('x')).status).toBe(500);
    await settle();
    expect(unhandled).toEqual([]);
  });

  it('a guard’s promise of another library is waited for', async () => {
    const before = () => ({
      // biome-ignore lint/suspicious/noThenProperty: that is what such a promise is
      then: (_: unknown, reject: (reason: Error) => void) =>
        void setTimeout(() => reject(new Error('no')), 5),
    });
    let ran = 0;
    const server = guard(new McpServer({ name: 's', version: '1' }), {
      guards: [{ name: 'foreign', before: before as never }],
    });
    server.registerTool('pay', {}, async () => {
      ran++;
      return { content: [] };
    });
    const { ask } = await connectRaw(server);
    expect(faultIn(await ask('tools/call', { name: 'pay' }))).toMatchObject({ executed: 'no' });
    expect(ran).toBe(0);
  });
});
