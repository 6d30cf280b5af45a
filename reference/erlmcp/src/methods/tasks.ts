/** `tasks/get`, `tasks/result`, `tasks/cancel`, `tasks/list`, and watching a task. */
import { Cancelled, type Members } from '@mayday/server/rpc';
import { type App, failAbandoned } from '../app.ts';
import { cut, raise } from '../errors.ts';
import { requireString } from '../params.ts';
import { type Caller, ownerOf } from '../session.ts';
import type { TaskRow } from '../store/task-rows.ts';
import { describeTask, TIMED_OUT, whenEnded } from '../tasks.ts';
import type { Method } from './method.ts';

/** Where a task stands. */
export const getTask: Method = (params, { app, caller }) => describeTask(find(app, caller, params));

/** A page of the caller's tasks. */
export const listTasks: Method = (params, { app, caller }) => {
  failAbandoned(app);
  const { items, ...rest } = app.paginate('tasks/list', app.store.tasks.of(ownerOf(caller)), params);
  return { tasks: items.map(describeTask), ...rest };
};

/** What a task answered; waits until it has. */
export const getTaskResult: Method = async (params, { app, caller, controller }) => {
  const taskId = find(app, caller, params).id;
  const { status, reason, result } = await whenEnded(app, taskId, controller.signal);
  if (status === 'cancelled') throw raise('task_cancelled', { taskId });
  const timeoutMs = Number(result ?? app.settings.taskTimeoutMs);
  if (reason === TIMED_OUT) throw raise('task_timeout', { taskId, timeoutMs });
  if (status !== 'completed') throw raise('task_failed', { taskId, reason: reason ?? 'unknown' });
  const answer = JSON.parse(result ?? '{}') as object;
  return { ...answer, _meta: { 'io.modelcontextprotocol/related-task': { taskId } } };
};

/** Stops a task. */
export const cancelTask: Method = async (params, { app, caller }) => {
  const { id } = find(app, caller, params);
  const isCancelled = app.store.tasks.end(id, { status: 'cancelled' }, app.clock.now());
  const task = app.store.tasks.get(id) as TaskRow;
  if (!isCancelled) throw raise('invalid_params', { details: `Task is already ${task.status}` });
  const running = app.tasks.get(id);
  running?.controller.abort(new Cancelled('user_requested'));
  await running?.ended;
  return describeTask(task);
};

/** Experimental: answers when the task has ended, so that nobody has to poll. */
export const watchTask: Method = async (params, { app, caller, controller }) => {
  const taskId = requireString(params, 'taskId');
  if (own(app, caller, taskId) === undefined)
    throw raise('experimental_task_not_found', { taskId: cut(taskId) });
  return describeTask(await whenEnded(app, taskId, controller.signal));
};

function find(app: App, caller: Caller, params: Members): TaskRow {
  const taskId = requireString(params, 'taskId');
  const task = own(app, caller, taskId);
  if (task === undefined) throw raise('task_not_found', { taskId: cut(taskId) });
  return task;
}

/** Somebody else's task is as good as none, and so is one that was kept long enough. */
function own(app: App, caller: Caller, taskId: string): TaskRow | undefined {
  const { store, clock } = app;
  failAbandoned(app);
  const task = store.tasks.get(taskId);
  if (task === undefined || task.owner !== ownerOf(caller)) return undefined;
  const isOld = task.status !== 'working' && task.createdAt + task.ttl < clock.now();
  return isOld ? undefined : task;
}
