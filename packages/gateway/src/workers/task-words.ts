/** What workers say to each other about the tasks of their callers. */
import type { FaultInit } from '@mayday/core';
import type { CallEnded, Related, WireCall, WireOutcome } from '@mayday/relay';
import type { ListedTasks } from '../upstreams/listed-tasks.ts';

/** What a call is to the worker that runs the task which it asks for: who asks was found out where it came in. */
export type CarriedCall = Pick<
  WireCall,
  'body' | 'revision' | 'headers' | 'rawHeaders' | 'query' | 'by' | 'session' | 'begunWith'
>;

/** Whoever waits for the result, and can be asked meanwhile. */
export interface WaitingClient {
  /** Tells it from all others, at all workers. */
  readonly key: string;
  /** The capabilities that its session has declared. */
  readonly declared: readonly string[];
}

/** A caller's request for a task. */
interface AskedForTask {
  readonly kind: 'ask';
  readonly upstream: string;
  readonly call: CarriedCall;
  /** Absent where nobody could answer a question. */
  readonly client: WaitingClient | undefined;
}

/** What a client has answered to a question of a task; it may come when its request is long over. */
interface AnsweredQuestion {
  readonly kind: 'answer';
  readonly upstream: string;
  /** The call that was asked in. */
  readonly call: CarriedCall;
  readonly client: WaitingClient;
  readonly answer: Buffer;
}

/** All tasks of a caller. */
interface AskedForTasks {
  readonly kind: 'list';
  readonly upstream: string;
  readonly call: CarriedCall;
}

/** What a worker asks another. */
export type AskedOfFellow = AskedForTask | AnsweredQuestion | AskedForTasks;

/** Nobody waits for what was asked any more, and why: see `CallEnded`. */
export interface NotWanted {
  readonly kind: 'end';
  readonly fault: FaultInit;
  readonly ended: CallEnded['ended'];
  readonly reason: string | undefined;
}

/** What it hears. */
export type SaidByFellow =
  | { readonly kind: 'related'; readonly related: Related }
  /** Absent where nobody knows of the task there. */
  | { readonly kind: 'outcome'; readonly outcome: WireOutcome | undefined }
  | { readonly kind: 'tasks'; readonly listed: ListedTasks };
