/** Waiting for the result of a task, which may ask its client something meanwhile. */
import type { FaultInit } from '@mayday/core';
import {
  CallEnded,
  type Hear,
  lost,
  type Outgoing,
  overLink,
  peek,
  type Related,
  WatchedBack,
  type WireCall,
  type WireHandler,
  type WireOutcome,
} from '@mayday/relay';
import type { KeptLink } from './kept-link.ts';
import { type Waiter, type Withdraw, withdrawalOf } from './task-questions.ts';

/** Whoever waits for a task, as far as the task can ask it something. */
export interface Client {
  /** Has it said that it can be asked this? */
  canBeAsked(method: string): boolean;
  /** A message of the conversation that runs the task, as this client gets it: its answer finds the way back. */
  askedFor(runner: Runner, related: Related): Related;
}

/** Where a task runs that asks somebody something. */
export interface Runner {
  /** What a client has answered. */
  pass(message: Outgoing, client: Client): void;
}

/** Who is asked, and over which conversation. */
export interface Asking {
  readonly task: string;
  /** Whoever asks, by its conversation where that is one of ours; absent where nobody there could answer a question. */
  readonly link?: Client | undefined;
  /** The one in which the task runs. */
  readonly runner: KeptLink;
  /** Asks over the conversation of whoever asks. */
  readonly own?: WireHandler | undefined;
  readonly hear: Hear;
}

/** Asks the process that runs a task. What that asks goes to whoever waits here, and the answer back to it. */
export async function askRunner(call: WireCall, asking: Asking): Promise<WireOutcome> {
  const { runner } = asking;
  runner.asked += 1;
  try {
    return await (call.method === 'tasks/result' ? untilResult(call, asking) : handlerOf(asking)(call));
  } finally {
    runner.asked -= 1;
  }
}

/** `waiter`: whoever waits there for the result. */
function handlerOf({ task, link, runner, own, hear }: Asking, waiter?: Waiter): WireHandler {
  const over = link === runner && own !== undefined ? own : overLink(runner, hear);
  return (call) => {
    const related = (said: Related): boolean => {
      const isQuestion = peek(said.data).kind === 'request';
      const isOwn = link === runner;
      const isWaitedFor = waiter !== undefined && runner.questions.taskOf(said.data) === task;
      if (isQuestion && !isOwn && (link === undefined || !isWaitedFor)) {
        runner.tell(said.data, true);
        return true;
      }
      const put = isOwn || link === undefined ? said : link.askedFor(runner, said);
      const ofTask = waiter !== undefined && runner.toldOf(said.data) === task;
      const isInTime = call.back.related(ofTask ? { ...put, ofTask } : put);
      if (waiter !== undefined && isQuestion)
        runner.questions.wasPut(said.data, waiter.client, {
          withdraw: () => call.back.related({ data: withdrawalOf(put.data) }),
          waiter,
          isRead: true,
        });
      else if (ofTask) runner.questions.tell(task, said.data, waiter.client);
      return isInTime;
    };
    return over({ ...call, back: new WatchedBack(call.back, related) });
  };
}

/** Whoever cannot be asked is told so, and does not wait for an answer that nobody gives. */
function untilResult(call: WireCall, asking: Asking): Promise<WireOutcome> {
  const { task, link, runner } = asking;
  const ender = new AbortController();
  return new Promise((resolve, reject) => {
    const canBeAsked = (method: string): boolean => link?.canBeAsked(method) === true;
    const isAskable = (question: Buffer): boolean => {
      const { kind, method } = peek(question);
      if (kind !== 'request' || canBeAsked(method)) return true;
      const fault = cannotBeAsked(task, method);
      resolve(lost(call, fault));
      ender.abort(new CallEnded(fault));
      return false;
    };
    const onAbort = (): void => ender.abort(call.signal.reason);
    const back = new WatchedBack(call.back, (said) => !isAskable(said.data) || call.back.related(said));
    const ask = (question: Buffer): Withdraw | undefined => {
      if (!isAskable(question) || link === undefined) return undefined;
      const put = link.askedFor(runner, { data: question });
      call.back.related(put);
      return () => call.back.related({ data: withdrawalOf(put.data) });
    };
    const waiter: Waiter = { task, client: link ?? call, canBeAsked, ask, tell: whileReading(call) };
    const asked = handlerOf(asking, waiter)({ ...call, back, signal: ender.signal });
    const leave = runner.questions.wait(waiter);
    if (call.signal.aborted) onAbort();
    else call.signal.addEventListener('abort', onAbort);
    asked
      .finally(() => {
        call.signal.removeEventListener('abort', onAbort);
        leave();
      })
      .then(resolve, reject);
  });
}

/** Tells the caller; one that does not keep up misses what comes until it has read: the next says more. */
function whileReading({ back }: WireCall): (progress: Buffer) => void {
  let isBehind = false;
  return (data) => {
    if (isBehind) return;
    isBehind = !back.related({ data, ofTask: true });
    if (isBehind)
      back.onDrain(() => {
        isBehind = false;
      });
  };
}

function cannotBeAsked(task: string, method: string): FaultInit {
  return {
    kind: 'unsupported',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'task', id: task },
    message: `The task asks its client something (${method.slice(0, 80)}), and this client has not said that it can be asked`,
    advice:
      'Ask for the result in a session whose `initialize` declares the capability; the question waits there.',
  };
}
