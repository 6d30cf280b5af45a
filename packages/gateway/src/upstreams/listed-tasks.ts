/** A caller's tasks of several conversations on one list, and what is missing there. */
import { LEFT_OUT_KEY, UNAVAILABLE_KEY } from '@mayday/core/protocol';
import { type Answer, decode, encode, isMembers, type Members, resultOf } from '@mayday/relay';

/** What other conversations with one upstream have listed. */
export interface ListedTasks {
  readonly tasks: readonly Members[];
  /** Has one of them not said all of its own? */
  readonly isMissing: boolean;
  /** Was what one of them said cut, because it did not come to an end? */
  readonly isCut: boolean;
}

/** Nobody has listed anything. */
export const NO_TASKS: ListedTasks = { tasks: [], isMissing: false, isCut: false };

/** What several have listed, each task once. */
export function together(lists: readonly ListedTasks[]): ListedTasks {
  const tasks = new Map(lists.flatMap((list) => list.tasks).map((task) => [task['taskId'], task]));
  return {
    tasks: [...tasks.values()],
    isMissing: lists.some(({ isMissing }) => isMissing),
    isCut: lists.some(({ isCut }) => isCut),
  };
}

/** Is there nothing behind this page? */
export function isLastPage({ body, isStream }: Answer): boolean {
  return isStream || !goesOn(resultOf(decode(body)));
}

/** A cursor that is no text is against the protocol, and no end either. */
function goesOn(result: Members | undefined): boolean {
  return (result?.['nextCursor'] ?? undefined) !== undefined;
}

/** The last page of a list, with these behind it that are not on it, and with those that have not listed theirs. */
export function withTasks(
  message: Buffer,
  more: ListedTasks,
  { upstream, workers }: { readonly upstream: string; readonly workers: readonly number[] },
): Buffer {
  const whole = decode(message);
  const result = resultOf(whole);
  const tasks: unknown = result?.['tasks'];
  if (!isMembers(whole) || !Array.isArray(tasks) || goesOn(result)) return message;
  const listed = new Set(tasks.map((task: unknown) => (isMembers(task) ? task['taskId'] : undefined)));
  const others = more.tasks.filter(({ taskId }) => !listed.has(taskId));
  const meta = lacking(more, upstream, workers);
  if (others.length + Object.keys(meta).length === 0) return message;
  const before = result?.['_meta'];
  const _meta = { ...(isMembers(before) ? before : {}), ...meta };
  const all = { tasks: [...tasks, ...others], ...(Object.keys(meta).length === 0 ? {} : { _meta }) };
  return encode({ ...whole, result: { ...result, ...all } });
}

/** What is told of what is missing: as at the joined endpoint, by the name of the upstream, and of a worker that is silent by its own. */
function lacking({ isMissing, isCut }: ListedTasks, upstream: string, workers: readonly number[]): Members {
  const missing = [...(isMissing ? [upstream] : []), ...workers.map((worker) => `worker ${worker}`)];
  return {
    ...(missing.length > 0 ? { [UNAVAILABLE_KEY]: missing } : {}),
    ...(isCut ? { [LEFT_OUT_KEY]: [upstream] } : {}),
  };
}

const WORKER = /^worker \d{1,3}$/;

/** What a list of tasks says is missing from it: workers, and conversations with this upstream. */
export function missingIn(meta: unknown, upstream: string): readonly string[] {
  return namesAt(meta, UNAVAILABLE_KEY).filter((name) => name === upstream || WORKER.test(name));
}

/** Does a list of tasks say that other conversations with this upstream had more? */
export function isCutIn(meta: unknown, upstream: string): boolean {
  return namesAt(meta, LEFT_OUT_KEY).includes(upstream);
}

function namesAt(meta: unknown, key: string): readonly string[] {
  const said: unknown = isMembers(meta) ? meta[key] : undefined;
  return Array.isArray(said) ? said.filter((name): name is string => typeof name === 'string') : [];
}
