/** Tools that answer with a task: the work is begun by one request, and its result is asked for by another. */
import type { AnyFunction } from '../shapes.ts';
import type { Boundary } from './boundary.ts';
import { wrapHandler } from './handlers.ts';

/** What v1 registers for such a tool, in place of a function. */
export interface TaskHandler {
  readonly createTask: AnyFunction;
}

/** Is it one? */
export function isTaskHandler(value: unknown): value is TaskHandler {
  return typeof (value as Partial<TaskHandler> | null | undefined)?.createTask === 'function';
}

/** The same handler, whose beginning is a handler like any other: its failures, its key and its guards. */
export function wrapTaskHandler(boundary: Boundary, handler: TaskHandler): TaskHandler {
  const createTask = wrapHandler(boundary, 'tool', handler.createTask.bind(handler));
  return new Proxy(handler, {
    get: (target, name) => (name === 'createTask' ? createTask : Reflect.get(target, name, target)),
  });
}
