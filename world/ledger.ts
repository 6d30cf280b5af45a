/** What really happened, as only the world knows it. Nothing in here is seen by the parts that are judged. */
import type { CallPlan, DoorFate, PipeFate, Work } from './story.ts';

/** An effect that a tool had. */
interface Effect {
  readonly order: string;
  readonly part: number;
  readonly at: number;
  /** The store that knew the call's key: as long as that lives, the key holds. */
  readonly epoch: string;
}

/** A run of a tool that began. */
interface Run {
  readonly order: string;
  readonly at: number;
}

/** The book of one world. */
export interface Ledger {
  readonly effects: Effect[];
  readonly runs: Run[];
  /** How often a call has reached the gateway, and how often a server was sent it. */
  readonly asked: Map<string, number>;
  readonly sent: Map<string, number>;
  /** Calls to which a server has said more than one thing. */
  readonly answeredTwice: string[];
  /** Calls that a server has refused, and done all the same: who has had the refusal by then can have heard nothing else. */
  readonly takenBack: Set<string>;
  /** Everything so far that somebody could take for a failure. */
  troubles: number;
  /** The fates of an order at one place, in turn; all is well when there are no more. */
  nextDoor(order: string): DoorFate;
  nextPipe(order: string): PipeFate;
  nextWork(order: string): Work;
}

/** What a call is about: with a key, the same for every repetition of it. */
export function orderOf(plan: CallPlan, index: number): string {
  return plan.key === undefined ? `c${index}` : `k${plan.key}.${plan.tool}.${plan.amount}`;
}

/** Who waits this long may give up. */
const SLOW_MS = 1000;

const FINE: Work = { effects: 2, ending: 'fine', takesMs: 1 };

interface Queue {
  readonly door: DoorFate[];
  readonly pipe: PipeFate[];
  readonly work: Work[];
  /** What happens when they are used up. */
  last: Work | undefined;
  /** Calls that it is about, and how many failures of its tool count: however often each is tried, its failing counts once. */
  calls: number;
  failed: number;
}

/** Counts one more. */
export function count(counts: Map<string, number>, order: string): void {
  counts.set(order, (counts.get(order) ?? 0) + 1);
}

/** Opens the book. */
export function openLedger(calls: readonly CallPlan[]): Ledger {
  const queues = new Map<string, Queue>();
  for (const [index, plan] of calls.entries()) {
    const order = orderOf(plan, index);
    const queue = queues.get(order) ?? { door: [], pipe: [], work: [], last: undefined, calls: 0, failed: 0 };
    queue.calls += 1;
    queue.door.push(...plan.door);
    queue.pipe.push(...plan.pipe);
    queue.work.push(...plan.work);
    if (plan.stubborn) queue.last = plan.work.at(-1);
    queues.set(order, queue);
  }
  const ledger: Ledger = {
    effects: [],
    runs: [],
    asked: new Map(),
    sent: new Map(),
    answeredTwice: [],
    takenBack: new Set(),
    troubles: 0,
    nextDoor: (order) => noted(queues.get(order)?.door.shift() ?? 'passes'),
    nextPipe: (order) => noted(queues.get(order)?.pipe.shift() ?? 'passes'),
    nextWork(order) {
      const queue = queues.get(order);
      const work = queue?.work.shift() ?? queue?.last ?? FINE;
      if (work.takesMs >= SLOW_MS) ledger.troubles += 1;
      else if (work.ending !== 'fine' && queue !== undefined && queue.failed < queue.calls) {
        queue.failed += 1;
        ledger.troubles += 1;
      }
      return work;
    },
  };
  const noted = <F extends DoorFate | PipeFate>(fate: F): F => {
    if (fate !== 'passes') ledger.troubles += 1;
    return fate;
  };
  return ledger;
}
