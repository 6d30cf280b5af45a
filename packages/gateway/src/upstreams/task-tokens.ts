/** How far a task is: its server tells that under the token of the call that began it, long after that was answered. */
import { RELATED_TASK_KEY } from '@mayday/core/protocol';
import { setLast } from '@mayday/policy';
import { locate, type Outgoing, peek, textAt } from '@mayday/relay';

/** Beyond these the oldest are forgotten. */
const MAX_TOKENS = 1000;

/** Whose progress is told under a token; no task where that cannot be said. */
interface Meant {
  readonly owner: string;
  readonly task: string | undefined;
}

/** The tokens of the calls that have begun tasks, in one run of a process. */
export class TaskTokens {
  readonly #meant: Map<string, Meant> = new Map();
  #run: object | undefined;

  /** This call has begun a task. Callers who share a conversation may have chosen the same token: then it says nothing. */
  began(run: object | undefined, { body, peek: seen }: Outgoing, begun: Meant): void {
    if (this.#run !== run) this.#meant.clear();
    this.#run = run;
    const token = valueAt(body, seen.paramsStart, '_meta', 'progressToken');
    if (token === undefined) return;
    const before = this.#meant.get(token);
    const isTheirs = before === undefined || before.owner === begun.owner;
    setLast(this.#meant, token, isTheirs ? begun : { ...begun, task: undefined }, MAX_TOKENS);
  }

  /** The task that a message of this run tells the progress of; its server may name it. */
  taskIn(run: object | undefined, message: Buffer): string | undefined {
    const { method, paramsStart } = peek(message);
    if (method !== 'notifications/progress' || this.#run !== run) return undefined;
    const meant = this.#meant.get(valueAt(message, paramsStart, 'progressToken') ?? '');
    if (meant === undefined) return undefined;
    const named = locate(message, paramsStart, '_meta', RELATED_TASK_KEY, 'taskId');
    return (named && textAt(message, named)) ?? meant.task;
  }
}

/** A value as it is written: `1` is another token than `"1"`. */
function valueAt(message: Buffer, start: number, ...path: string[]): string | undefined {
  const range = locate(message, start, ...path);
  return range && message.toString('utf8', range.start, range.end);
}
