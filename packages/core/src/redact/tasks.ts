/**
 * Tasks, in the form of either revision: an answer that is a success of the protocol, and holds what its work says. Of a
 * task that came to nothing everything is words of a failure; of any other, whatever it calls its status, all that it says
 * but what it came to and what it asks. One that is done and tells of no failure is a success, and stays.
 */
import { isRecord } from '../json.ts';
import { ERROR_KEY, FAULT_KEY, RELATED_TASK_KEY, TOOL_FAILURE_KEY } from '../protocol.ts';

type Members = { readonly [name: string]: unknown };

/** What has to go from a part of an answer; the same object where nothing has. */
export type Mend = (said: Members) => Members;

/** Further down are data. */
const DEEPEST = 4;
/** What a tool answers with: a success of that is nobody's but its caller's. */
const DATA: ReadonlySet<string> = new Set(['structuredContent', 'content', 'result']);
/** What a task asks its user, and what comes back with the answer to the byte. */
const ASKED: ReadonlySet<string> = new Set(['inputRequests', 'requestState']);
/** Where a failure is told beside an answer. */
const FAULT_KEYS: readonly string[] = [FAULT_KEY, ERROR_KEY, TOOL_FAILURE_KEY];
/** Under which names a failure is told, by documents and by servers of their own: `error`, `failures`, `last_error`, `failReason`. */
const FAILURE =
  /(?:^|[_-])(?:error|failure|fault|exception|reason|cause|stack)s?$|[a-z](?:Error|Failure|Fault|Exception|Reason|Cause|Stack)s?$/;
/** How a task ends that comes to nothing. */
const IN_VAIN: ReadonlySet<string> = new Set(['failed', 'cancelled']);

/**
 * The same answer with what `mend` leaves of the failures in it and of what tasks say; the same object where
 * nothing has to go. The rest stays as it came, also beside that in a list, and the ids of tasks always do: by these
 * their client asks for them, whatever they look like.
 */
export function mendTasks(answer: unknown, mend: Mend): unknown {
  return mended(answer, mend, { depth: 0, isData: false });
}

interface Place {
  readonly depth: number;
  readonly isData: boolean;
}

function mended(value: unknown, mend: Mend, { depth, isData }: Place): unknown {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mended(item, mend, { depth: depth + 1, isData }));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const members = value as Members;
  if (hasFailed(members)) return withTaskNames(members, mend(members));
  const left = !isData && isTask(members) ? withWords(members, mend) : members;
  const inside = Object.entries(left).map(([name, member]) => {
    const place = { depth: depth + 1, isData: isData || DATA.has(name) };
    return [name, mended(member, mend, place)] as const;
  });
  return inside.every(([name, member]) => member === left[name]) ? left : Object.fromEntries(inside);
}

/** Is it a task that came to nothing, or a failing result, of a task or alone? */
function hasFailed(value: Members): boolean {
  if (value['isError'] === true) return true;
  if (!('taskId' in value)) return false;
  const { result } = value;
  return (
    IN_VAIN.has(String(value['status']).toLowerCase()) || (isRecord(result) && result['isError'] === true)
  );
}

/** Is it a task of which there is more to tell than that it is done? */
function isTask(value: Members): boolean {
  if (value['status'] === 'completed' && !tellsFailure(value)) return false;
  return 'taskId' in value || typeof value['statusMessage'] === 'string';
}

function tellsFailure(task: Members): boolean {
  return (
    tellsFault(task['_meta']) ||
    Object.entries(task).some(([name, said]) => FAILURE.test(name) && isSomething(said))
  );
}

/** `errors: []` and `failures: 0` tell of none. */
function isSomething(said: unknown): boolean {
  return Array.isArray(said) ? said.length > 0 : Boolean(said);
}

function withWords(task: Members, mend: Mend): Members {
  const said = Object.fromEntries(
    Object.entries(task).filter(([name, member]) => (name === '_meta' ? tellsFault(member) : isWords(name))),
  );
  if (Object.keys(said).length === 0) return task;
  const left = mend(said);
  return left === said ? task : withTaskNames(task, { ...task, ...left });
}

function isWords(name: string): boolean {
  return name !== 'taskId' && !DATA.has(name) && !ASKED.has(name);
}

function tellsFault(meta: unknown): boolean {
  return isRecord(meta) && FAULT_KEYS.some((key) => key in meta);
}

/** The same with the ids of tasks as they were. */
export function withTaskNames(before: Members, mended: Members): Members {
  if (mended === before) return before;
  const kept: { [name: string]: unknown } = { ...mended };
  if (typeof before['taskId'] === 'string') kept['taskId'] = before['taskId'];
  const [meta, mendedMeta] = [before['_meta'], mended['_meta']];
  if (isRecord(meta) && isRecord(mendedMeta) && isRecord(meta[RELATED_TASK_KEY]))
    kept['_meta'] = { ...mendedMeta, [RELATED_TASK_KEY]: meta[RELATED_TASK_KEY] };
  return kept;
}
