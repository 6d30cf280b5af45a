/** Lives through a story and tells what became of it. */
import { createAgent } from './agent.ts';
import { createFetch } from './door.ts';
import { startGateway } from './gateway.ts';
import { broken, type Call } from './laws.ts';
import { openLedger, orderOf } from './ledger.ts';
import type { Parts } from './parts.ts';
import { createHost } from './server.ts';
import type { Story } from './story.ts';
import { takeTime } from './time.ts';

/** What a story came to. */
export interface Life {
  /** Laws that it broke, as sentences. */
  readonly broken: readonly string[];
  readonly steps: number;
  readonly effects: number;
  readonly runs: number;
  /** Runs beyond the first of each order. */
  readonly repeats: number;
}

/** Longer than any deadline in a story. */
const END_MS = 200_000;

/** Lives through a story, in virtual time. */
export async function live(story: Story, parts: Parts = {}): Promise<Life> {
  const time = takeTime(dice(story.seed));
  try {
    const { setting } = story;
    const ledger = openLedger(story.calls);
    const isBehind = setting.way === 'gateway';
    const epoch = isBehind ? (): string => gateway?.epoch ?? '' : undefined;
    const host = createHost({ setting, parts, time, ledger, epoch });
    const gateway = isBehind ? startGateway({ setting, parts, time, host }) : undefined;
    const fetch = gateway && createFetch({ gateway, ledger, time, parts });
    const agent = createAgent(setting, { fetch, host }, parts);
    let isConnected = false;
    void agent.connect().then(() => {
      isConnected = true;
    });
    await time.run(() => isConnected, END_MS);
    const calls: Call[] = [];
    for (const { at, what, downMs, keepsAnswers } of story.mishaps) {
      time.after(at, () => {
        ledger.troubles = Number.POSITIVE_INFINITY; // nobody counts what an outage costs
        if (what === 'gateway dies') gateway?.fail(downMs, keepsAnswers);
        else host.fail(downMs);
      });
    }
    for (const [index, plan] of story.calls.entries()) {
      time.after(plan.at, () => {
        const order = orderOf(plan, index);
        const call: Call = {
          plan,
          order,
          startedAt: time.now(),
          answeredAt: undefined,
          answers: 0,
          answer: undefined,
        };
        calls.push(call);
        const ender = plan.cancelAfterMs === undefined ? undefined : new AbortController();
        if (ender !== undefined) time.after(plan.cancelAfterMs ?? 0, () => ender.abort());
        void agent.call(plan, order, ender?.signal).then((answer) => {
          call.answers += 1;
          call.answer = answer;
          call.answeredAt = time.now();
        });
      });
    }
    const isOver = (): boolean =>
      calls.length === story.calls.length && calls.every(({ answers }) => answers > 0);
    await time.run(isOver, END_MS);
    // What is still under way may yet do harm.
    await time.run(() => false, END_MS);
    const { effects, runs } = ledger;
    const repeats = runs.length - new Set(runs.map(({ order }) => order)).size;
    const history = { story, calls, ledger, visits: gateway?.visits ?? [], bugs: gateway?.bugs ?? [] };
    return {
      broken: broken(history),
      steps: time.steps,
      effects: effects.length,
      runs: runs.length,
      repeats,
    };
  } finally {
    time.giveBack();
  }
}

/** Chance, by seed: mulberry32. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
