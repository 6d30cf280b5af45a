/** What tasks say of their work and of what they came to, in answers that are themselves successes. */
import type { Dialect } from '@mayday/core';
import { toldIn } from '@mayday/core/forms';
import { mendTasks, redact } from '@mayday/core/redact';
import type { Settings } from '../options.ts';
import { isRecord } from '../words/look.ts';
import { safeResult } from './safe-result.ts';
import { withTold } from './told-secrets.ts';

type Members = { readonly [name: string]: unknown };

/** Who says it, and how. */
export interface TaskContext {
  readonly settings: Settings;
  readonly dialect: Dialect;
}

/** The same answer without the secrets of its tasks: one by itself, several in a list, or the one that was begun. */
export function safeTask(method: string, result: object, context: TaskContext): object {
  const { task, tasks, taskId } = result as Members;
  const safe = (one: unknown): unknown => (isRecord(one) ? toldTask(one, context) : one);
  if (method === 'tasks/list') return Array.isArray(tasks) ? { ...result, tasks: tasks.map(safe) } : result;
  if (method.startsWith('tasks/') || typeof taskId === 'string') return toldTask(result as Members, context);
  const told = safe(task);
  return told === task ? result : { ...result, task: told };
}

function toldTask(task: Members, { settings: plain, dialect }: TaskContext): Members {
  const settings = withTold(plain, { told: [] }, task);
  const safe = mendTasks(withSafeEnd(task, settings), (said) => mended(said, settings)) as Members;
  if (dialect.told === undefined || !('status' in safe || 'statusMessage' in safe)) return safe;
  const told = toldIn('notifications/tasks/status', safe, dialect);
  // The answer to a call has blocks, which the SDK asks for; those of a task that is begun are empty.
  return told !== safe && Array.isArray(safe['content']) ? { content: [], ...told } : told;
}

/** What a task says of its success stands in words for people, as a log does; what it came to is data. */
function withSafeEnd(task: Members, { redaction: { told = [] } }: Settings): Members {
  const { status, statusMessage } = task;
  if (status !== 'completed' || typeof statusMessage !== 'string') return task;
  const { value, findings } = redact(statusMessage, { told });
  return findings.length === 0 ? task : { ...task, statusMessage: value };
}

/** A failure as it may leave: the result in it by the rule of failing results, whose pictures stay. */
function mended(said: Members, settings: Settings): Members {
  const { result } = said;
  const isFailing = isRecord(result) && result['isError'] === true;
  if (!isFailing) return safeResult(said, settings);
  const { result: _, ...rest } = said;
  return { ...safeResult(rest, settings), result: safeResult(result, settings) };
}
