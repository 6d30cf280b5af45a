/** The day of `bench/goodput` in virtual time: the policies alone, without a network, the same on any machine. */
import { fault, makeFault } from '@mayday/core';
import { type Attempt, type Clock, createUpstream, run } from '@mayday/policy';
import { ATTEMPT_MS, DEADLINE_MS, draw, planDay, toolOf } from '../../../bench/goodput/day.ts';
import { type CallRecord, type Figures, measure } from '../../../bench/goodput/measure.ts';
import { createModel } from '../../../bench/goodput/model.ts';

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

const soft = makeFault({ kind: 'unavailable' });

/** Lives through the day with our policies. */
export async function virtualDay(seed: number, attempts: number): Promise<Figures> {
  const clock = virtualClock();
  const model = createModel(seed);
  let drawn = 0;
  const random = (): number => {
    drawn += 1;
    return draw(seed, drawn, 99);
  };
  const upstream = createUpstream({ clock, random, name: 'shop', patienceMs: DEADLINE_MS });
  const records: CallRecord[] = [];

  const wait = (ms: number): Promise<void> => new Promise((resolve) => void clock.timer(ms, resolve));
  async function send(call: number, tool: string): Promise<'ok' | 'soft'> {
    const fate = model.arrive(call, tool, clock.now());
    await wait(1);
    switch (fate.type) {
      case 'busy':
        throw fault.unavailable();
      case 'throttled':
        throw fault.rateLimited('', { retry: { afterMs: 1000 } });
      case 'hangs':
        return new Promise(() => undefined);
      case 'soft':
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
      const info = { target: call.tool, readOnly: readOnlyHint, idempotent: idempotentHint };
      const one = (_: Attempt): Promise<'ok' | 'soft'> => send(call.id, call.tool);
      const options = { attempts, attemptTimeoutMs: ATTEMPT_MS, deadlineMs: DEADLINE_MS };
      void run(upstream, info, one, {
        ...options,
        faultIn: (value) => (value === 'soft' ? soft : undefined),
      }).then(({ outcome }) => {
        records.push({ call, ok: outcome.ok, startedAt, tookMs: clock.now() - startedAt });
      });
    });
  }
  await clock.drain();
  return measure('virtual', records, { arrivals: model.arrivals, executions: [...model.executions] });
}
