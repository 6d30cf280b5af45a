/** Tasks: tool calls that outlive their request, and the session that made it. */
import { randomUUID } from 'node:crypto';
import { faultOf } from '@mayday/core';
import { sleep } from '@mayday/policy';
import { Cancelled } from '@mayday/server/rpc';
import { type App, failAbandoned } from './app.ts';
import { raise } from './errors.ts';
import type { MethodContext } from './methods/method.ts';
import { isMembers } from './params.ts';
import { reasonFor } from './refusal.ts';
import { ownerOf } from './session.ts';
import type { TaskEnd, TaskRow } from './store/task-rows.ts';
import { execute } from './tools/execute.ts';
import type { Tool } from './tools/tool.ts';

const DEFAULT_TTL_MS = 3_600_000;
const MAX_TTL_MS = 24 * DEFAULT_TTL_MS;
const POLL_MS = 1000;

const TOOL_TIMEOUT = -32032;

/** The reason of a task that took too long. */
export const TIMED_OUT = 'timeout';

/** Starts a task. It is on the disk before the client hears of it. */
export function startTask(context: MethodContext, tool: Tool, args: unknown, wish: unknown): object {
  const { app, session, caller } = context;
  const id = randomUUID();
  app.store.tasks.forgetOld(app.clock.now());
  app.store.tasks.create(
    { id, owner: ownerOf(caller), tool: tool.name, ttl: ttlFrom(wish) },
    app.clock.now(),
  );
  const controller = new AbortController();
  const ended = runTask(context, tool, args, controller).then((end) => {
    app.store.tasks.end(id, end, app.clock.now());
    app.tasks.delete(id);
    controller.abort();
  });
  // A store that is gone cannot take the end of a task; the next start of the server will find it abandoned.
  ended.catch((cause: unknown) => {
    app.tasks.delete(id);
    const error = { code: -32603, message: 'Internal error' };
    app.journal.add(error, { method: 'tasks', session: session.id }, cause);
  });
  app.tasks.set(id, { controller, ended });
  void stopWithRow(app, id, controller).catch(() => {}); // what cannot be read now is noticed at the end
  return { task: describeTask(app.store.tasks.get(id) as TaskRow) };
}

/** Stops a task that another process on the folder has cancelled. */
async function stopWithRow({ clock, store }: App, id: string, controller: AbortController): Promise<void> {
  while (await sleep(clock, POLL_MS, controller.signal))
    if (store.tasks.get(id)?.status !== 'working') controller.abort(new Cancelled('user_requested'));
}

/** Waits until a task has ended, in whatever process. */
export async function whenEnded(app: App, id: string, signal: AbortSignal): Promise<TaskRow> {
  await app.tasks.get(id)?.ended;
  do failAbandoned(app);
  while (app.store.tasks.get(id)?.status === 'working' && (await sleep(app.clock, POLL_MS, signal)));
  return app.store.tasks.get(id) as TaskRow;
}

function ttlFrom(wish: unknown): number {
  if (!isMembers(wish))
    throw raise('invalid_params', { details: 'Invalid parameter type: task must be an object' });
  const ttl = wish['ttl'] ?? DEFAULT_TTL_MS;
  if (typeof ttl !== 'number')
    throw raise('invalid_params', { details: 'Invalid parameter type: task.ttl must be a number' });
  if (!Number.isInteger(ttl) || ttl <= 0 || ttl > MAX_TTL_MS)
    throw raise('validation_failed', { field: 'task.ttl', constraint: `integer from 1 to ${MAX_TTL_MS}` });
  return ttl;
}

async function runTask(
  { app, session, caller }: MethodContext,
  tool: Tool,
  args: unknown,
  controller: AbortController,
): Promise<TaskEnd> {
  const { taskTimeoutMs: timeoutMs } = app.settings;
  try {
    const context = { app, session, caller, requestId: undefined, progress: () => {} };
    const result = await execute(tool, args, context, { controller, timeoutMs });
    return { status: 'completed', result: JSON.stringify(result) };
  } catch (thrown) {
    if (controller.signal.reason instanceof Cancelled) return { status: 'cancelled' };
    const fault = faultOf(thrown);
    // Only its own time: a client or a server that was too slow for it has failed it.
    if (fault?.native?.code === TOOL_TIMEOUT)
      return { status: 'failed', reason: TIMED_OUT, result: String(timeoutMs) };
    const said = fault?.details?.['reason'] ?? fault?.name ?? fault?.native?.message;
    return { status: 'failed', reason: typeof said === 'string' ? said : (fault?.kind ?? reasonFor(thrown)) };
  }
}

/** A task as clients see it. */
export function describeTask({ id, status, reason, ttl, createdAt, updatedAt }: TaskRow): object {
  return {
    taskId: id,
    status,
    ...(reason === null ? {} : { statusMessage: reason }),
    ttl,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    pollInterval: POLL_MS,
  };
}
