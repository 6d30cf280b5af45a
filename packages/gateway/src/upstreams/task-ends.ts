/** How tasks have ended: what their process said of it outlives the process. */
import type { Executed } from '@mayday/core';
import { setLast } from '@mayday/policy';
import {
  encode,
  type Hear,
  idBytes,
  idOf,
  lost,
  type Members,
  outcomeOf,
  peek,
  taskIn,
  type WireCall,
  type WireOutcome,
  withId,
} from '@mayday/relay';
import type { BegunTask } from './kept-link.ts';

/** A longer result is not kept, and of more than fits the oldest are forgotten. */
const MAX_RESULT_BYTES = 1024 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;

const ENDED: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** An answer that has the result in it: of 2025-11-25 it is asked for by itself, of 2026-07-28 it comes with the state. */
interface KeptResult {
  readonly method: string;
  readonly bytes: Buffer;
}

/** Of the tasks of one upstream. */
export class TaskEnds {
  readonly #results: Map<BegunTask, KeptResult> = new Map();
  #bytes = 0;

  /** This was answered about a task, by the process that runs it. */
  see(call: WireCall, outcome: WireOutcome, task: BegunTask): void {
    const said = taskIn(outcome);
    const bytes = bytesOf(outcome);
    if (said !== undefined) {
      const { result, error, ...told } = said;
      task.told = told;
      if (result === undefined && error === undefined) return;
    } else if (call.method !== 'tasks/result' || !isEnd(outcome)) return;
    else if (!hasEnded(task)) {
      const status = outcome.ok ? 'completed' : 'failed';
      task.told = { ...task.told, status, lastUpdatedAt: new Date().toISOString() };
    }
    if (bytes !== undefined && bytes.length <= MAX_RESULT_BYTES)
      this.#keep(task, { method: call.method, bytes: Buffer.from(bytes) });
  }

  /** What its process would answer about a task, had it not ended since; `undefined` where nobody knows how the task has ended. */
  answer(call: WireCall, task: BegunTask, hear: Hear): WireOutcome | undefined {
    if (!hasEnded(task) || task.until <= Date.now()) return undefined;
    const kept = this.#results.get(task);
    const id = idBytes(call.body, call.peek);
    if (kept?.method === call.method) return outcomeOf(call, withId(kept.bytes, peek(kept.bytes), id), hear);
    if (call.method === 'tasks/result') return lost(call, notKept(task));
    if (call.method !== 'tasks/get') return lost(call, endedAlready(task));
    const body = encode({ jsonrpc: '2.0', id: idOf(call.body, call.peek), result: task.told });
    return outcomeOf(call, body, hear);
  }

  #keep(task: BegunTask, result: KeptResult): void {
    this.#forget(task);
    setLast(this.#results, task, result, Infinity);
    this.#bytes += result.bytes.length;
    for (const [oldest] of this.#results) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#forget(oldest);
    }
  }

  #forget(task: BegunTask): void {
    this.#bytes -= this.#results.get(task)?.bytes.length ?? 0;
    this.#results.delete(task);
  }
}

/** What is said of a task that has ended, and that nobody knows any more. */
export function forgotten(call: WireCall, task: BegunTask): WireOutcome {
  return lost(call, notKept(task));
}

/** As far as anybody has heard. */
export function hasEnded({ told }: BegunTask): boolean {
  return ENDED.has(told['status']);
}

/** The message that came, in whichever way it was understood. */
function bytesOf({ value }: WireOutcome): Buffer | undefined {
  if (value?.type === 'answer') return value.isStream ? undefined : value.body;
  return value?.type === 'message' ? value.bytes : undefined;
}

/** Is it what the task has come to, and not that there is no such task? */
function isEnd(outcome: WireOutcome): boolean {
  if (outcome.ok) return true;
  const { value } = outcome;
  return value !== undefined && value.type !== 'answer' && value.heard?.task !== undefined;
}

function notKept({ told }: BegunTask): Parameters<typeof lost>[1] {
  const executed: Executed = told['status'] === 'completed' ? 'yes' : 'maybe';
  return {
    kind: 'not_found',
    origin: 'gateway',
    executed,
    subject: { type: 'task', id: idIn(told) },
    message: `The task has ended (${String(told['status'])}), and its result is not kept any more`,
    advice: 'Look for what it has done instead of starting it again.',
  };
}

function endedAlready({ told }: BegunTask): Parameters<typeof lost>[1] {
  return {
    kind: 'conflict',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'task', id: idIn(told) },
    message: `The task has already ended (${String(told['status'])})`,
  };
}

function idIn(told: Members): string {
  return String(told['taskId']);
}
