/** The day of `bench/goodput` in virtual time: the policies alone, without a network, the same on any machine. */
import { FaultError, fault, makeFault } from '@mayday/core';
import { ATTEMPT_MS, DEADLINE_MS, draw, planDay, toolOf } from '../../../bench/goodput/day.ts';
import { type CallRecord, type Figures, measure } from '../../../bench/goodput/measure.ts';
import { createModel } from '../../../bench/goodput/model.ts';
import { type Clock, createUpstream, run } from '../src/index.ts';

/** A clock for many timers: a heap, and every promise settled between two of them. */
function virtualClock(): Clock & { drain(): Promise<void> } {
  let now = 0;
  let order = 0;
  const heap: { at: number; order: number; fire: (() => void) | undefined }[] = [];
  const before = (left: number, right: number): boolean => {
    const [a, b] = [heap[left]!, heap[right]!];
    return a.at < b.at || (a.at === b.at && a.order < b.order);
  };
  const swap = (left: number, right: number): void => {
    [heap[left], heap[right]] = [heap[right]!, heap[left]!];
  };
  function pop() {
    const top = heap[0]!;
    const last = heap.pop()!;
    if (heap.length > 0) heap[0] = last;
    for (let at = 0; ; ) {
      const child = 2 * at + 2 < heap.length && before(2 * at + 2, 2 * at + 1) ? 2 * at + 2 : 2 * at + 1;
      if (child >= heap.length || !before(child, at)) return top;
      swap(child, at);
      at = child;
    }
  }
  return {
    now: () => now,
    timer(ms, fire) {
      order += 1;
      const timer: (typeof heap)[number] = { at: now + Math.max(0, ms), order, fire };
      let at = heap.push(timer) - 1;
      for (let parent = (at - 1) >> 1; at > 0 && before(at, parent); parent = (at - 1) >> 1) {
        swap(at, parent);
        at = parent;
      }
      return () => {
        timer.fire = undefined;
      };
    },
    async drain() {
      await new Promise((resolve) => setImmediate(resolve));
      while (heap.length > 0) {
        const timer = pop();
        if (timer.fire === undefined) continue;
        now = timer.at;
        timer.fire();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/** Nothing proves that it was not executed: what is said by a tool, or by what stands in front of its server. */
const unproven = makeFault({ kind: 'unavailable', executed: 'maybe' });

/** Lives through the day with our policies, as they are by default. `keys`: the server recognises an order by its key. */
export async function virtualDay(seed: number, keys: boolean): Promise<Figures> {
  const clock = virtualClock();
  const model = createModel(seed);
  let drawn = 0;
  const random = (): number => {
    drawn += 1;
    return draw(seed, drawn, 99);
  };
  const upstream = createUpstream({ clock, random, name: 'shop' });
  const records: CallRecord[] = [];

  const wait = (ms: number): Promise<void> => new Promise((resolve) => void clock.timer(ms, resolve));
  async function send(call: number, tool: string, key: string | undefined): Promise<'ok' | 'soft'> {
    const fate = model.arrive({ call, tool, now: clock.now(), key });
    await wait(1);
    switch (fate.type) {
      case 'busy':
      case 'proxied':
        throw new FaultError(unproven);
      case 'throttled':
        throw fault.rateLimited('', { retry: { afterMs: 1000 } });
      case 'hangs':
        return new Promise(() => undefined);
      case 'soft':
      case 'half':
        return 'soft';
      case 'lost':
        await wait(5);
        throw fault.disconnected();
      case 'done':
        await wait(fate.afterMs);
        return 'ok';
    }
  }

  for (const call of planDay(seed)) {
    clock.timer(call.at, () => {
      const startedAt = clock.now();
      const { readOnlyHint, idempotentHint } = toolOf(call.tool).annotations;
      const key = keys && call.tool === 'create_order' ? `order-${call.id}` : undefined;
      const info = {
        target: call.tool,
        readOnly: readOnlyHint,
        idempotent: idempotentHint,
        idempotencyKey: key,
      };
      void run(upstream, info, () => send(call.id, call.tool, key), {
        attemptTimeoutMs: ATTEMPT_MS,
        deadlineMs: DEADLINE_MS,
        faultIn: (value) => (value === 'soft' ? unproven : undefined),
      }).then(({ outcome }) => {
        records.push({ call, ok: outcome.ok, startedAt, tookMs: clock.now() - startedAt });
      });
    });
  }
  await clock.drain();
  return measure('virtual', records, { arrivals: model.arrivals, executions: [...model.executions] });
}
