import { tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { rawClient } from '../test/app.ts';
import { openStore } from './store/index.ts';

describe('what survives', () => {
  it('kill -9 in the middle of writes loses nothing that was acknowledged', async () => {
    const folder = tempFolder();
    const client = rawClient('--data', folder, '--rate-limit', '100000');
    await client.initialize();
    const acknowledged: string[] = [];
    await new Promise<void>((dead) => {
      for (let at = 0; at < 400; at++) {
        const note = { name: `n${at}`, text: `text ${at}` };
        void client.call('tools/call', { name: 'save_note', arguments: note }).then(() => {
          acknowledged.push(note.name);
          if (acknowledged.length === 100) void client.end('SIGKILL').then(dead);
        });
      }
    });
    const store = openStore(folder);
    const lost = acknowledged.filter(
      (name) => store.notes.get(name)?.bytes.toString() !== name.replace('n', 'text '),
    );
    store.close();
    expect(lost).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(100);
  });

  it('tasks, tokens and tools are there again; a task that ran has failed, and says why', async () => {
    const folder = tempFolder();
    const store = openStore(folder);
    store.users.add('ada', 'member', 'correct horse');
    store.close();
    const first = rawClient('--data', folder);
    await first.initialize();
    const { result = {} } = await first.call('auth/login', { user: 'ada', password: 'correct horse' });
    const { token } = result;
    await first.call('auth/authenticate', { token });
    const start = async (name: string, args: object) => {
      const answer = await first.call('tools/call', { name, arguments: args, task: {} });
      return (answer.result as { task: { taskId: string } }).task.taskId;
    };
    const done = await start('calculate', { a: 20, b: 22 });
    await first.call('tasks/result', { taskId: done });
    const running = await start('wait', { ms: 600_000 });
    const tool = { name: 'greet', description: 'Greets', text: 'Hello' };
    await first.call('tools/call', { name: 'define_tool', arguments: tool });
    await first.end('SIGKILL');

    const second = rawClient('--data', folder);
    await second.initialize();
    expect((await second.call('tasks/get', { taskId: done })).error?.code).toBe(-32081);
    expect((await second.call('auth/authenticate', { token })).result).toMatchObject({ user: 'ada' });
    expect((await second.call('tasks/result', { taskId: done })).result).toMatchObject({
      content: [{ text: '42' }],
    });
    expect((await second.call('tasks/get', { taskId: running })).result).toMatchObject({ status: 'failed' });
    expect((await second.call('tasks/result', { taskId: running })).error).toMatchObject({
      code: -32083,
      data: { taskId: running, reason: 'server_restarted' },
    });
    expect((await second.call('tools/call', { name: 'greet' })).result).toMatchObject({
      content: [{ text: 'Hello' }],
    });
  });

  it('tasks are the same for all servers on a folder: waited for, cancelled, failed with their process', async () => {
    const folder = tempFolder();
    const store = openStore(folder);
    store.users.add('ada', 'member', 'correct horse');
    const user = { name: 'ada', role: 'member', suspended: false } as const;
    const { token } = store.users.issue(user, Date.now(), 3_600_000);
    store.close();
    const [first, second] = [rawClient('--data', folder), rawClient('--data', folder)];
    for (const client of [first, second]) {
      await client.initialize();
      await client.call('auth/authenticate', { token });
    }
    const wait = async (ms: number) => {
      const answer = await first.call('tools/call', { name: 'wait', arguments: { ms }, task: {} });
      return (answer.result as { task: { taskId: string } }).task.taskId;
    };
    const done = await wait(1500);
    expect((await second.call('tasks/result', { taskId: done })).result).toMatchObject({
      content: [{ text: 'Waited for 1500 ms' }],
    });

    const taskId = await wait(600_000);
    const watched = first.call('experimental/tasks/watch', { taskId });
    expect((await second.call('tasks/cancel', { taskId })).result).toMatchObject({ status: 'cancelled' });
    // Its own process has let go of it too.
    expect((await watched).result).toMatchObject({ status: 'cancelled' });
    expect((await first.call('tasks/cancel', { taskId })).error).toMatchObject({
      code: -32602,
      data: { details: 'Task is already cancelled' },
    });

    const running = await wait(600_000);
    const other = await wait(600_000);
    const result = second.call('tasks/result', { taskId: running });
    expect((await second.call('tasks/get', { taskId: running })).result).toMatchObject({ status: 'working' });
    await first.end('SIGKILL');
    expect((await result).error).toMatchObject({
      code: -32083,
      data: { taskId: running, reason: 'server_restarted' },
    });
    const { tasks } = (await second.call('tasks/list', {})).result as { tasks: { taskId: string }[] };
    expect(tasks.find((task) => task.taskId === other)).toMatchObject({ status: 'failed' });
  });
});
