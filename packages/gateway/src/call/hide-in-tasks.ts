/** What tasks say of their work and of its failure, each without what is hidden of it. */
import { mendTasks } from '@mayday/core/redact';
import { type Answer, decode, encode, isMembers, type Members, namesTask } from '@mayday/relay';
import { hidden } from './hide-given.ts';
import type { Hide } from './hiding.ts';
import { mendAnswer } from './mend-answer.ts';

/** What is hidden of the task of this id; `undefined` where nothing is. */
export type HideOf = (taskId: unknown) => Hide | undefined;

/** The answer with each of its tasks without that. One that stays the same stays the bytes that came. */
export function hiddenTasks(answer: Answer, hideOf: HideOf): Answer {
  return namesTask(answer.body) ? mendAnswer(answer, (message) => inTaskMessage(message, hideOf)) : answer;
}

/** The same for a message that answers with tasks, or tells of one; others pass as they came. */
export function inTaskMessage(message: Buffer, hideOf: HideOf): Buffer {
  if (!namesTask(message)) return message;
  const said = decode(message);
  if (!isMembers(said)) return message;
  const place = said['method'] === undefined ? 'result' : 'params';
  const tells = place === 'result' || String(said['method']).startsWith('notifications/tasks');
  const before = said[place];
  if (!tells || !isMembers(before)) return message;
  const after = withoutHidden(before, hideOf);
  return after === before ? message : encode({ ...said, [place]: after });
}

/** A task, what has begun one, or a list of them. */
function withoutHidden(said: Members, hideOf: HideOf): Members {
  const { task, tasks } = said;
  if (Array.isArray(tasks)) {
    const left = tasks.map((each: unknown) => (isMembers(each) ? hiddenTask(each, hideOf) : each));
    return left.every((each, at) => each === tasks[at]) ? said : { ...said, tasks: left };
  }
  if (!isMembers(task)) return hiddenTask(said, hideOf);
  const left = hiddenTask(task, hideOf);
  return left === task ? said : { ...said, task: left };
}

/** One task by itself, in the form of either revision; what has no form of a task passes as it came. */
export function hiddenTask(task: Members, hideOf: HideOf): Members {
  if (typeof task['taskId'] !== 'string' || typeof task['status'] !== 'string') return task;
  const hide = hideOf(task['taskId']);
  if (hide === undefined) return task;
  return mendTasks(task, (said) => withForm(said, hidden(said, hide))) as Members;
}

/** By its state and its times a client knows what to do next: what only looks like a secret stays there. */
function withForm(before: Members, after: Members): Members {
  if (after === before) return before;
  const form = Object.entries(before).filter(([name, value]) => FORM[name]?.(value) === true);
  return { ...after, ...Object.fromEntries(form) };
}

const isNumber = (value: unknown): boolean => typeof value === 'number';
const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{5,20}(?:Z|[+-]\d\d:\d\d)$/.test(value);
const oneOf = (words: string) => {
  const known: ReadonlySet<unknown> = new Set(words.split(' '));
  return (value: unknown): boolean => known.has(value);
};

const FORM: { readonly [member: string]: (value: unknown) => boolean } = {
  status: oneOf('working input_required completed failed cancelled'),
  resultType: oneOf('complete task input_required'),
  createdAt: isTime,
  lastUpdatedAt: isTime,
  ttl: isNumber,
  ttlMs: isNumber,
  pollInterval: isNumber,
  pollIntervalMs: isNumber,
};
