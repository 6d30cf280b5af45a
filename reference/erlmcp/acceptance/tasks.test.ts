import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Endpoint } from '../../acceptance/http.ts';
import { SLOW } from '../../acceptance/program.ts';
import { type HttpReference, serveHttp, serveStdio } from '../../acceptance/reference.ts';
import type { Pipe } from '../../acceptance/stdio.ts';
import { callTool } from '../../acceptance/wire.ts';
import { ABLE_CLIENT, openWorld, startTask, type World } from './world.ts';

let world: World;
let pipe: Pipe;
let server: HttpReference;
beforeAll(async () => {
  const limits = ['--rate-limit', '100000', '--client-timeout-ms', '300', '--tool-timeout-ms', '200'];
  world = await openWorld([...limits, '--task-timeout-ms', '60000', '--progress-ttl-ms', '60000']);
  pipe = world.pipe;
  server = await serveHttp('erlmcp', world.folder, ['--rate-limit', '100000', '--mirror', world.mirror.url]);
}, SLOW);
afterAll(async () => {
  await server.stop();
  await world.close();
});

describe('tasks', () => {
  it(
    'ER-62: another server on the same folder does not fail a task that runs',
    async () => {
      const taskId = await startTask(pipe, 'wait', { ms: 50_000 });
      const second = serveStdio('erlmcp', world.folder);
      await second.initialize();
      await second.close();
      const { result } = await pipe.request('tasks/get', { taskId });
      await pipe.request('tasks/cancel', { taskId });
      expect(result?.status).toBe('working');
    },
    SLOW,
  );

  it('ER-64 ER-62: a user who does not answer fails a task; the task has not exceeded its own time', async () => {
    pipe.onRequest = () => undefined;
    const taskId = await startTask(pipe, 'link_account', {});
    await pause(900);
    const { error } = await pipe.request('tasks/result', { taskId });
    expect([error?.code, error?.message, error?.data?.taskId]).toEqual([-32083, 'Task failed', taskId]);
  });

  it('ER-61 ER-63 ER-74: each state of a task has its own error', async () => {
    const cancelled = await startTask(pipe, 'wait', { ms: 3000 });
    await pipe.request('tasks/cancel', { taskId: cancelled });
    expect((await pipe.request('tasks/result', { taskId: cancelled })).error).toMatchObject({
      code: -32084,
      message: 'Task cancelled',
    });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      expect([method, (await pipe.request(method, { taskId: 'task-123' })).error]).toEqual([
        method,
        { code: -32081, message: 'Task not found', data: { taskId: 'task-123' } },
      ]);
    }
    expect((await pipe.request('experimental/tasks/watch', { taskId: 'task-123' })).error).toMatchObject({
      code: 1095,
      message: 'Task not found',
    });
  });
});

describe('what a client is asked', () => {
  it('ER-73: is 1091 when it does not answer, also where a tool has less time than a client', async () => {
    pipe.onRequest = () => undefined;
    const { error } = await callTool(pipe, 'link_account', {});
    expect([error?.code, error?.message]).toEqual([1091, 'Elicitation timeout']);
  });

  it('ER-72: is 1090 when the user declines or cancels', async () => {
    for (const action of ['decline', 'cancel']) {
      pipe.onRequest = () => ({ result: { action } });
      const { error } = await callTool(pipe, 'link_account', {});
      expect([action, error?.code, error?.message]).toEqual([action, 1090, 'Elicitation failed']);
    }
  });
});

describe('progress tokens', () => {
  it.each([[99], [{ x: 1 }], [[1]], [true], [1.5], ['nobody']])(
    'ER-65 ER-5: %j comes back as it was sent',
    async (progressToken) => {
      const { error } = await pipe.request('experimental/progress/get', { progressToken });
      expect(error).toEqual({ code: -32091, message: 'Invalid progress token', data: { progressToken } });
    },
  );

  it.each([[{ x: 1 }], [true], [1.5]])(
    'ER-65: a call with the token %j is refused',
    async (progressToken) => {
      const params = { name: 'calculate', arguments: { a: 1, b: 1 }, _meta: { progressToken } };
      const { error } = await pipe.request('tools/call', params);
      expect(error).toEqual({ code: -32091, message: 'Invalid progress token', data: { progressToken } });
    },
  );

  it.each([[7], ['seven']])(
    'ER-66: %j that is too old comes back with its type',
    async (progressToken) => {
      const brief = serveStdio('erlmcp', world.folder, ['--progress-ttl-ms', '1']);
      await brief.initialize(ABLE_CLIENT);
      await brief.request('tools/call', {
        name: 'calculate',
        arguments: { a: 1, b: 1 },
        _meta: { progressToken },
      });
      await pause(20);
      const { error } = await brief.request('experimental/progress/get', { progressToken });
      await brief.close();
      expect([error?.code, error?.message]).toEqual([-32092, 'Progress token expired']);
      expect(error?.data?.progressToken).toBe(progressToken);
    },
    SLOW,
  );
});

describe('notifications', () => {
  it('ER-67: a change that reaches nobody is -32094, also where somebody once subscribed', async () => {
    const gone = new Endpoint(server.mcp);
    await gone.initialize();
    await gone.request('resources/subscribe', { uri: 'config://server' });
    const other = new Endpoint(server.mcp);
    await other.initialize();
    const { error } = await callTool(other, 'announce', { uri: 'config://server' });
    expect([error?.code, error?.message, error?.data?.notification_type]).toEqual([
      -32094,
      'Notification failed',
      'resources/updated',
    ]);
  });

  it('ER-67: somebody who listens is told', async () => {
    await pipe.request('resources/subscribe', { uri: 'config://server' });
    expect((await callTool(pipe, 'announce', { uri: 'config://server' })).error).toBeUndefined();
    const told = await pipe.find(({ method }) => method === 'notifications/resources/updated');
    expect(told.params?.uri).toBe('config://server');
  });

  it('ER-46 ER-32: cancelling a request that is no tool call lets go of what it waits for', async () => {
    world.mirror.reply = () => 'hang';
    const [left, visits] = [world.mirror.left(), world.mirror.visits.length];
    pipe.send({ jsonrpc: '2.0', id: 'reading', method: 'resources/read', params: { uri: 'mirror://page' } });
    await expect.poll(() => world.mirror.visits.length, { timeout: 20_000 }).toBe(visits + 1);
    pipe.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'reading' } });
    await expect.poll(() => world.mirror.left(), { timeout: 20_000 }).toBe(left + 1);
  });
});
