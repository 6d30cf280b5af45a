/** Requests that are about tasks. */
import type { RequestState } from './request-state.ts';

/** Does the caller want a task? Then a tool's result is no answer, not even a failing one. */
export function wantsTask(state: RequestState): boolean {
  return state.method === 'tools/call' && state.message.params?.['task'] !== undefined;
}

/** Is the answer a tool's result, now or of a task that was begun earlier? */
export function answersAsTool(method: string): boolean {
  return method === 'tools/call' || method === 'tasks/result';
}

/** How a failure is told: what a task came to is its tool's result, whenever somebody asks for it. */
export function methodOf(
  { method }: RequestState,
  { authored }: { readonly authored?: boolean | undefined },
): string {
  return authored === true && answersAsTool(method) ? 'tools/call' : method;
}

/** The task that somebody asks about; the guard does not know whose tool's it is. */
export function taskAsked({ method, message }: RequestState): string | undefined {
  const id = method.startsWith('tasks/') ? message.params?.['taskId'] : undefined;
  return typeof id === 'string' ? id : undefined;
}
