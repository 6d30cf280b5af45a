/**
 * Virtual time: the machine's timers, clock and dice are replaced while a world lives, so that everything in it,
 * the official SDKs included, lives in the same time. A firing is one step; between two of them every promise runs.
 */

/** Time of a world. */
export interface Time {
  /** Unix time in milliseconds. */
  now(): number;
  /** Calls back after a while. */
  after(ms: number, callback: () => void): void;
  /** Lets time pass, firing by firing, until it is so, or nothing is left to wait for, or `limitMs` have passed. */
  run(isSo: () => boolean, limitMs: number): Promise<void>;
  /** Firings so far, without those of clocks that only tick. */
  readonly steps: number;
  /** Puts the machine's own time back. */
  giveBack(): void;
}

interface Timer {
  at: number;
  readonly order: number;
  fire: (() => void) | undefined;
  readonly everyMs: number | undefined;
}

const START = 1_800_000_000_000;

/** Takes the machine's time away. One world at a time. */
export function takeTime(random: () => number): Time {
  const machine = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setInterval: globalThis.setInterval,
    clearInterval: globalThis.clearInterval,
    now: Date.now,
    steady: performance.now,
    random: Math.random,
    stackTraceLimit: Error.stackTraceLimit,
  };
  let now = START;
  let order = 0;
  let steps = 0;
  const heap = createHeap();

  const add = (ms: number, fire: () => void, everyMs?: number): Timer => {
    order += 1;
    const timer: Timer = { at: now + Math.max(0, Math.ceil(ms) || 0), order, fire, everyMs };
    heap.push(timer);
    return timer;
  };
  const handle = (timer: Timer): object => {
    const self = { timer, unref: () => self, ref: () => self, hasRef: () => false };
    return self;
  };
  const clear = (given: unknown): void => {
    const timer = (given as { timer?: Timer } | undefined)?.timer;
    if (timer !== undefined) timer.fire = undefined;
  };
  globalThis.setTimeout = ((run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    handle(add(ms, () => run(...args)))) as unknown as typeof setTimeout;
  globalThis.setInterval = ((run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    handle(add(ms, () => run(...args), Math.max(1, ms)))) as unknown as typeof setInterval;
  globalThis.clearTimeout = clear;
  globalThis.clearInterval = clear;
  Date.now = () => now;
  performance.now = () => now;
  Math.random = random;
  Error.stackTraceLimit = 0; // half of the time would go into stacks that nobody reads

  function fire(timer: Timer): void {
    now = timer.at;
    const { fire: run, everyMs } = timer;
    if (everyMs === undefined) steps += 1;
    else {
      timer.at = now + everyMs;
      heap.push(timer);
    }
    run?.();
  }

  return {
    now: () => now,
    after: (ms, callback) => void add(ms, callback),
    async run(isSo, limitMs) {
      const end = now + limitMs;
      await settle();
      // What a promise still does without a timer, such as loading a module, takes real turns and no time.
      for (let idle = 0; !isSo() && idle < 100; ) {
        const timer = heap.pop();
        if (timer === undefined) {
          idle += 1;
          await settle();
        } else if (timer.fire !== undefined) {
          if (timer.at > end) {
            heap.push(timer);
            now = end;
            return;
          }
          idle = 0;
          fire(timer);
          await settle();
        }
      }
    },
    get steps() {
      return steps;
    },
    giveBack() {
      globalThis.setTimeout = machine.setTimeout;
      globalThis.clearTimeout = machine.clearTimeout;
      globalThis.setInterval = machine.setInterval;
      globalThis.clearInterval = machine.clearInterval;
      Date.now = machine.now;
      performance.now = machine.steady;
      Math.random = machine.random;
      Error.stackTraceLimit = machine.stackTraceLimit;
    },
  };
}

const turn: typeof setImmediate = setImmediate;

/** As many turns as anything asks for, unless it never stops. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 100; turns += 1) {
    await new Promise((resolve) => turn(resolve));
    if (!process.getActiveResourcesInfo().includes('Immediate')) return;
  }
}

interface Heap {
  push(timer: Timer): void;
  pop(): Timer | undefined;
}

/** The earliest first; among equals, in the order in which they were set. */
function createHeap(): Heap {
  const heap: Timer[] = [];
  const isBefore = (left: Timer, right: Timer): boolean =>
    left.at < right.at || (left.at === right.at && left.order < right.order);
  const swap = (left: number, right: number): void => {
    [heap[left], heap[right]] = [heap[right]!, heap[left]!];
  };
  return {
    push(timer) {
      let at = heap.push(timer) - 1;
      for (let parent = (at - 1) >> 1; at > 0 && isBefore(heap[at]!, heap[parent]!); parent = (at - 1) >> 1) {
        swap(at, parent);
        at = parent;
      }
    },
    pop() {
      const top = heap[0];
      const last = heap.pop();
      if (top === undefined || last === undefined || heap.length === 0) return top;
      heap[0] = last;
      for (let at = 0; ; ) {
        const left = 2 * at + 1;
        if (left >= heap.length) return top;
        const child = left + 1 < heap.length && isBefore(heap[left + 1]!, heap[left]!) ? left + 1 : left;
        if (!isBefore(heap[child]!, heap[at]!)) return top;
        swap(child, at);
        at = child;
      }
    },
  };
}
