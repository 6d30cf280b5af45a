/** Lives through a story and tells what became of it. */
import { type Agent, createAgent } from './agent.ts';
import { createNetwork } from './door.ts';
import { type GatewayHost, startGateway } from './gateway.ts';
import { broken, type Call } from './laws.ts';
import { type Ledger, openLedger, orderOf } from './ledger.ts';
import type { Parts } from './parts.ts';
import { createHost, type Host } from './server.ts';
import type { CallPlan, Story } from './story.ts';
import { type Time, takeTime } from './time.ts';

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
    const world = create(story, parts, time);
    let isConnected = false;
    void world.agent.connect().then(() => {
      isConnected = true;
    });
    await time.run(() => isConnected, END_MS);
    planMishaps(story, world, time);
    const calls = story.calls.map((plan, index) => planCall(plan, index, world.agent, time));
    await time.run(() => calls.every(({ answers }) => answers > 0), END_MS);
    // What is still under way may yet do harm.
    await time.run(() => false, END_MS);
    const { ledger, gateway } = world;
    const { effects, runs } = ledger;
    const repeats = runs.length - new Set(runs.map(({ order }) => order)).size;
    const { visits = [], bugs = [] } = gateway ?? {};
    const history = { story, calls, ledger, visits, bugs, endedAt: time.now() };
    const counts = { steps: time.steps, effects: effects.length, runs: runs.length, repeats };
    return { broken: broken(history), ...counts };
  } finally {
    time.giveBack();
  }
}

interface World {
  readonly ledger: Ledger;
  readonly host: Host;
  readonly gateway: GatewayHost | undefined;
  readonly agent: Agent;
}

function create({ setting, calls }: Story, parts: Parts, time: Time): World {
  const ledger = openLedger(calls);
  const isBehind = setting.way === 'gateway';
  const epoch = isBehind ? (): string => gateway?.epoch ?? '' : undefined;
  const host = createHost({ setting, parts, time, ledger, epoch });
  const gateway = isBehind ? startGateway({ setting, parts, time, host }) : undefined;
  const network = gateway && createNetwork({ gateway, ledger, time, parts });
  return { ledger, host, gateway, agent: createAgent(setting, { network, host }, parts) };
}

function planMishaps({ mishaps }: Story, { ledger, host, gateway }: World, time: Time): void {
  for (const { at, what, downMs, keepsAnswers } of mishaps) {
    time.after(at, () => {
      ledger.troubles = Number.POSITIVE_INFINITY; // nobody counts what an outage costs
      if (what === 'gateway dies') gateway?.fail(downMs, keepsAnswers);
      else host.fail(downMs);
    });
  }
}

function planCall(plan: CallPlan, index: number, agent: Agent, time: Time): Call {
  const order = orderOf(plan, index);
  const startedAt = time.now() + plan.at;
  const call: Call = { plan, order, startedAt, answeredAt: undefined, answers: 0, answer: undefined };
  time.after(plan.at, () => {
    const ender = plan.cancelAfterMs === undefined ? undefined : new AbortController();
    if (ender !== undefined) time.after(plan.cancelAfterMs ?? 0, () => ender.abort());
    void agent.call(plan, order, ender?.signal).then((answer) => {
      call.answers += 1;
      call.answer = answer;
      call.answeredAt = time.now();
    });
  });
  return call;
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
